import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { diwan } from '../support/command.ts'
import { findParts } from '../support/parts.ts'
import { newFolder } from '../support/server-process.ts'

const parts = findParts()

type Shell = 'bash' | 'zsh' | 'fish'
const scripts = {} as Record<Shell, string>
let folder: string
beforeAll(async () => {
  folder = newFolder()
  writeFileSync(join(folder, 'a-file'), '')
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    scripts[shell] = join(folder, shell)
    writeFileSync(scripts[shell], (await diwan({}, 'completion', shell)).stdout)
  }
})

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 }).split('\n').filter(Boolean)

/** What each shell offers when somebody types a line and presses Tab. */
const OFFERED: Record<Shell, (line: string) => string[]> = {
  bash(line) {
    const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _diwan; printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', '-c', script, scripts.bash, ...line.split(' '))
  },
  zsh: line => [...new Set(run(parts.zsh as string, '-f', ZSH, scripts.zsh, line))],
  fish(line) {
    const lines = run(
      parts.fish as string,
      '--no-config',
      '-c',
      'source $argv[1]; complete -C $argv[2]',
      scripts.fish,
      line,
    )
    return lines.map(each => each.split('\t')[0] as string)
  },
}
const ZSH = join(import.meta.dirname, '../support/zsh-completion.zsh')

describe.each(['bash', 'zsh', 'fish'] as const)('Completion for %s', shell => {
  const isMissing = shell !== 'bash' && !parts[shell]
  /** Fish offers options only after a dash has been typed. */
  const withHelp = (words: string[]) => (shell === 'fish' ? words : [...words, '--help'])

  it.skipIf(isMissing).each([
    ['diwan se', ['serve']],
    ['diwan company c', ['close', 'create']],
    ['diwan company create --owner-n', ['--owner-name']],
    ['diwan company create --plan pro', ['pro', 'productive']],
    ['diwan company create --name Najd --plan pro', ['pro', 'productive']],
    ['diwan help ke', ['key']],
    ['diwan help key r', ['revoke', 'rotate']],
    ['diwan verify-files --h', ['--help']],
  ])('offers what may follow "%s"', (line, expected) => {
    expect(OFFERED[shell](line).sort()).toEqual(expected)
  })

  it.skipIf(isMissing)('offers the values of an argument, and every command at the beginning', async () => {
    expect(OFFERED[shell]('diwan completion ').sort()).toEqual(withHelp(['bash', 'fish', 'zsh']).sort())
    const { stdout } = await diwan({}, 'help')
    const commands = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}[A-Z]/gm)].map(([, name]) => name)
    expect(commands.length).toBeGreaterThan(15)
    expect(OFFERED[shell]('diwan ').sort()).toEqual([...commands, 'help'].sort())
  })
})

it.skipIf(!parts.zsh || !parts.fish)('Where nothing of ours may follow, files are offered', () => {
  for (const shell of ['zsh', 'fish'] as const)
    expect(OFFERED[shell]('diwan api POST /projects a-f')).toEqual(['a-file'])
})

it.skipIf(!parts.zsh)('For zsh it may also lie in a folder of fpath', () => {
  writeFileSync(join(folder, '_diwan'), readFileSync(scripts.zsh))
  const found = join(folder, 'found')
  writeFileSync(found, `fpath=(${folder} $fpath); compinit -D`)
  expect(run(parts.zsh as string, '-f', ZSH, found, 'diwan se')).toEqual(['serve'])
})
