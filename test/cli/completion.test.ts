import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { diwan } from '../support/command-in-process.ts'
import { describeWith } from '../support/describe-with.ts'
import { newFolder } from '../support/server-process.ts'

type Shell = 'bash' | 'zsh' | 'fish'
const ZSH = join(import.meta.dirname, '../support/zsh-completion.zsh')

let folder: string
const scripts = {} as Record<Shell, string>
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

/** The words that Tab offers after this line. */
async function expectOffers(offered: (line: string) => string[], withHelp: (words: string[]) => string[]) {
  const { stdout } = await diwan({}, 'help')
  const commands = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}[A-Z]/gm)].map(([, name = '']) => name)
  for (const [line, expected] of [
    ['diwan ', [...commands, 'help']],
    ['diwan se', ['serve']],
    ['diwan company c', ['close', 'create']],
    ['diwan company create --owner-n', ['--owner-name']],
    ['diwan company create --name Najd --plan pro', ['pro', 'productive']],
    ['diwan help ke', ['key']],
    ['diwan help key r', ['revoke', 'rotate']],
    ['diwan verify-files --h', ['--help']],
    ['diwan completion ', withHelp(['bash', 'fish', 'zsh'])],
  ] as const)
    expect([line, offered(line).sort()]).toEqual([line, [...expected].sort()])
}

describe('Completion for bash', () => {
  it('offers what may follow', async () => {
    const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _diwan; printf '%s\\n' "\${COMPREPLY[@]}"`
    const offered = (line: string) => run('bash', '-c', script, scripts.bash, ...line.split(' '))
    await expectOffers(offered, words => [...words, '--help'])
  })
})

describeWith('zsh', 'Completion for zsh', ({ zsh }) => {
  const offered = (line: string, script = scripts.zsh) => [...new Set(run(zsh, '-f', ZSH, script, line))]

  it('offers what may follow, files where nothing of ours may, and also from a folder of fpath', async () => {
    await expectOffers(offered, words => [...words, '--help'])
    expect(offered('diwan api POST /projects a-f')).toEqual(['a-file'])
    writeFileSync(join(folder, '_diwan'), readFileSync(scripts.zsh))
    const found = join(folder, 'found')
    writeFileSync(found, `fpath=(${folder} $fpath); compinit -D`)
    expect(offered('diwan se', found)).toEqual(['serve'])
  })
})

describeWith('fish', 'Completion for fish', ({ fish }) => {
  const offered = (line: string) =>
    run(fish, '--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', scripts.fish, line).map(
      each => each.split('\t')[0] as string,
    )

  it('offers what may follow, options only after a dash, and files where nothing of ours may', async () => {
    await expectOffers(offered, words => words)
    expect(offered('diwan api POST /projects a-f')).toEqual(['a-file'])
  })
})
