import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { diwan } from '../support/command-in-process.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const COMMANDS =
  'serve worker init sign-in-link doctor migrate backup restore accept-secret export verify-files move-files company user key webhook requests api watch listen import generate schema openapi completion version'

it('Help lists every command on one screen, whatever the settings are', async () => {
  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    const { code, stdout, stderr } = await diwan({ PORT: 'unusable' }, ...args)
    expect([args, code, stderr]).toEqual([args, 0, ''])
    for (const command of COMMANDS.split(' ')) expect(stdout).toMatch(new RegExp(`^  ${command} +[A-Z].+\\.$`, 'm'))
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(33)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(84)
    expect(stdout).not.toContain('\u001b')
  }
  for (const word of ['--version', 'version']) expect((await diwan({}, word)).stdout).toBe(`diwan ${version}\n`)
})

it('Help explains each command within a screen, and a group by its commands', async () => {
  for (const command of [...COMMANDS.split(' '), 'company create', 'webhook create', 'webhook replay']) {
    const { code, stdout } = await diwan({}, 'help', ...command.split(' '))
    const lines = stdout.split('\n')
    const fits = lines.length <= 36 && lines.every(line => line.length <= 90)
    expect([command, code, fits]).toEqual([command, 0, true])
  }
  const asked = ['help key create', 'key create --help', 'key create -h --nonsense']
  const explained = await Promise.all([diwan({}, ...(asked[0] as string).split(' '))])
  for (const words of asked) explained.push(await diwan({}, ...words.split(' ')))
  for (const { code, stdout, stderr } of explained) {
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Usage: diwan key create \[OPTIONS\]\n\nMake an API key\./)
    expect(stdout).toMatch(/^ {2}--access TEXT +Sets access \(read, write; default write\)$/m)
    expect(stdout).toContain('diwan key create --name Reporting --access read')
  }
  const [group, forgotten] = [await diwan({}, 'help', 'webhook'), await diwan({}, 'webhook')]
  expect(group.stdout).toMatch(/^ {2}webhook replay +Send recent deliveries again\.$/m)
  expect([group.code, forgotten.code, forgotten.stdout]).toEqual([0, 2, group.stdout])
})

it('What cannot be meant ends with 2 and one line', async () => {
  for (const [words, line] of [
    ['fly', 'There is no command "fly": diwan help lists those there are'],
    ['constructor', 'There is no command "constructor": diwan help lists those there are'],
    ['--port', 'There is no command "--port": diwan help lists those there are'],
    ['sevre', 'There is no command "sevre". Did you mean "serve"?'],
    ['company crate', 'There is no command "company crate". Did you mean "company create"?'],
    ['generate --tasks many', '--tasks must be a whole number, not "many"'],
    ['generate --tasks 0', '--tasks must be a whole number from 1 to 100000000'],
    ['generate --tasks', '--tasks must be followed by a value'],
    ['generate --tasks --companies 1', '--tasks must be followed by a value'],
    ['generate --taks 5', 'generate has no option --taks. Did you mean --tasks?'],
    ['serve --port 80', 'serve has no option --port: diwan help serve lists them'],
    ['serve now', 'serve takes no arguments, and "now" is one too many'],
    ['doctor --json=yes', '--json takes no value'],
    ['key create --access all', '--access must be one of read, write'],
    ['company create --name x', '--time-zone must be given: diwan help company create explains it'],
    ['company show', 'COMPANY must be given: The id of the company'],
    ['completion tcsh', 'SHELL must be one of bash, zsh, fish'],
    ['company list --url ftp://x', '--url must begin with http:// or https://'],
    ['api FETCH /me', 'METHOD must be one of GET, POST, PUT, PATCH, DELETE'],
    ['api GET me', 'PATH must begin with a slash, as in /projects'],
    ['api POST /projects name', 'FIELD must be name=text, name:=JSON or name@FILE, not "name"'],
    ['listen --forward-to 127.0.0.1:3000', '--forward-to must begin with http:// or https://'],
    ['listen', '--forward-to must be given: diwan help listen explains it'],
  ] as const)
    expect(await diwan({}, ...words.split(' '))).toEqual({ code: 2, stdout: '', stderr: `diwan: ${line}\n` })
})
