import { DiwanError } from '../../client/src/index.ts'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { ConfigError } from '../../src/lib/settings.ts'
import { type Command, command, Failure, type Group, UsageError } from './frame/command.ts'
import { completionFor, SHELLS } from './frame/completion.ts'
import { helpOf, helpOfGroup, overview } from './frame/help.ts'
import { nearest } from './frame/nearest.ts'
import { readInput } from './frame/read.ts'
import { importTasks } from './import/command.ts'
import {
  acceptSecret,
  backup,
  doctor,
  exportCompany,
  generate,
  init,
  migrate,
  moveCompany,
  moveFiles,
  OPERATORS_FAULTS,
  openapi,
  restore,
  schema,
  serve,
  signInLink,
  verifyFiles,
  worker,
} from './local-commands.ts'
import { administered } from './remote/administered.ts'
import { api } from './remote/api.ts'
import { listen } from './remote/listen.ts'
import { requests } from './remote/requests.ts'
import { explainCall } from './remote/server.ts'
import { watch } from './remote/watch.ts'

const completion = command({
  name: 'completion',
  summary: 'Print a completion script for bash, zsh or fish.',
  arguments: [{ name: 'SHELL', help: 'The shell that the script is for', choices: SHELLS }],
  examples: ['completion fish | source', 'completion bash > /etc/bash_completion.d/diwan'],
  async run({ args: [shell] }) {
    process.stdout.write(completionFor(shell as (typeof SHELLS)[number], await everyCommand()))
  },
})

const version = command({
  name: 'version',
  summary: 'Print the version. So does --version.',
  async run() {
    process.stdout.write(`diwan ${CONTRACT_VERSION}\n`)
  },
})

/** In the order in which help lists them. */
const SECTIONS: { heading: string; entries: (Command | Group)[] }[] = [
  {
    heading: 'Running a server',
    entries: [
      serve,
      worker,
      init,
      signInLink,
      doctor,
      migrate,
      backup,
      restore,
      acceptSecret,
      exportCompany,
      verifyFiles,
      moveFiles,
    ],
  },
  {
    heading: 'On a running server',
    entries: [...administered(moveCompany), requests, api, watch, listen, importTasks],
  },
  { heading: 'For developers', entries: [generate, schema, openapi, completion, version] },
]
const ENTRIES = SECTIONS.flatMap(({ entries }) => entries)

async function everyCommand(): Promise<Command[]> {
  return (await Promise.all(ENTRIES.map(entry => ('load' in entry ? entry.load() : [entry])))).flat()
}

const ASKS_FOR_HELP = ['help', '--help', '-h']

async function run(words: string[]): Promise<void> {
  const [first, ...rest] = words
  if (first === undefined) process.stdout.write(overview(SECTIONS))
  else if (ASKS_FOR_HELP.includes(first)) await help(rest)
  else if (first === '--version') await version.run({ options: {}, args: [] })
  else await start(first, rest)
}

async function help([first, ...rest]: string[]): Promise<void> {
  if (first === undefined) process.stdout.write(overview(SECTIONS))
  else await start(first, [...rest.slice(0, 1), '--help'])
}

async function start(name: string, words: string[]): Promise<void> {
  const entry = find(name, ENTRIES, 'diwan help lists those there are')
  if ('load' in entry) await startInGroup(entry, words)
  else await carryOut(entry, words)
}

async function startInGroup(group: Group, [word, ...words]: string[]): Promise<void> {
  const commands = await group.load()
  if (word === undefined || ASKS_FOR_HELP.includes(word)) {
    process.stdout.write(helpOfGroup(group.name, group.summary, commands))
    if (word === undefined) process.exitCode = 2
  } else {
    const name = `${group.name} ${word}`
    await carryOut(find(name, commands, `diwan help ${group.name} lists those there are`), words)
  }
}

async function carryOut(chosen: Command, words: string[]): Promise<void> {
  const { wantsHelp, ...input } = readInput(chosen, words)
  if (wantsHelp) process.stdout.write(helpOf(chosen))
  else await chosen.run(input)
}

function find<T extends { name: string }>(name: string, entries: T[], where: string): T {
  const found = entries.find(entry => entry.name === name)
  if (found) return found
  // What begins with a dash was meant as an option, however similar to a command it looks.
  const names = name.startsWith('-') ? [] : entries.map(entry => entry.name)
  const meant = nearest(name, names)
  throw new UsageError(
    `There is no command ${JSON.stringify(name)}${meant ? `. Did you mean "${meant}"?` : `: ${where}`}`,
  )
}

const ONE_LINE = [ConfigError, UsageError, Failure, ...OPERATORS_FAULTS]

/** Errors that the operator can fix take one line; anything else is a fault of ours and shows the stack trace. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof DiwanError) return explainCall(error)
  const isOneLine = ONE_LINE.some(kind => error instanceof kind)
  const isOperators = isOneLine || /^[A-Z_]+[: ]/.test(error.message) || 'code' in error
  return isOperators ? error.message || String(error) : (error.stack ?? error.message)
}

/** Carries out what was typed, and explains what went wrong: then it gives the code to exit with at once. */
export async function runCommand(words: string[]): Promise<number | undefined> {
  try {
    await run(words)
    return undefined
  } catch (error) {
    process.stderr.write(`diwan: ${explain(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}
