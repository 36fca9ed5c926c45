import { parseArgs } from 'node:util'
import { type Command, type Input, type Option, UsageError } from './command.ts'
import { nearest } from './nearest.ts'

/** What was typed after the name of a command, checked against its declaration. */
export function readInput(command: Command, words: string[]): Input & { wantsHelp: boolean } {
  const { tokens } = parseArgs({
    args: words,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(command.options).map(([name, { type }]) => [
        name,
        { type: type === 'flag' ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  })
  const given = new Map<string, unknown>()
  const args: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    else if (token.kind === 'option') {
      if (token.name === 'help' || token.rawName === '-h') return { options: {}, args: [], wantsHelp: true }
      readOption(command, token, given)
    }
  }
  return { options: withDefaults(command, given), args: checkArguments(command, args), wantsHelp: false }
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

function readOption({ options, name: commandName }: Command, token: OptionToken, given: Map<string, unknown>): void {
  const { name, rawName, value, inlineValue } = token
  const negated = name.startsWith('no-') ? options[name.slice(3)] : undefined
  if (negated?.type === 'flag' && negated.isSwitch) {
    given.set(name.slice(3), false)
    return
  }
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (!option) {
    const meant = nearest(name, Object.keys(options))
    throw new UsageError(
      `${commandName} has no option ${rawName}${meant ? `. Did you mean --${meant}?` : `: diwan help ${commandName} lists them`}`,
    )
  }
  if (option.type === 'flag') {
    if (inlineValue) throw new UsageError(`--${name} takes no value`)
    given.set(name, true)
  } else if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    throw new UsageError(`--${name} must be followed by a value`)
  } else {
    const read = readValue(`--${name}`, option, value)
    const before = given.get(name)
    given.set(name, Array.isArray(read) && Array.isArray(before) ? [...before, ...read] : read)
  }
}

function readValue(name: string, option: Exclude<Option, { type: 'flag' }>, text: string): unknown {
  if (option.type === 'list') {
    const parts = text.split(',').map(part => part.trim())
    for (const part of parts) requireChoice(name, option.choices, part)
    return parts
  }
  if (option.isNullable && text === 'none') return null
  if (option.type === 'number') return readNumber(name, option, text)
  requireChoice(name, option.choices, text)
  return text
}

/** With more choices than these, the explanation is left to the server. */
const MOST_CHOICES_SHOWN = 30

function requireChoice(name: string, choices: readonly string[] | undefined, text: string): void {
  if (!choices || choices.includes(text)) return
  const meant = nearest(text, choices)
  const which =
    choices.length > MOST_CHOICES_SHOWN ? `a known value, not ${JSON.stringify(text)}` : `one of ${choices.join(', ')}`
  throw new UsageError(`${name} must be ${which}${meant ? `. Did you mean ${meant}?` : ''}`)
}

function readNumber(name: string, { minimum, maximum }: { minimum?: number; maximum?: number }, text: string): number {
  if (!/^-?\d{1,16}$/.test(text)) throw new UsageError(`${name} must be a whole number, not ${JSON.stringify(text)}`)
  const value = Number(text)
  const from = minimum ?? Number.MIN_SAFE_INTEGER
  const to = maximum ?? Number.MAX_SAFE_INTEGER
  if (value >= from && value <= to) return value
  throw new UsageError(
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? `${name} must be at least ${from}`
      : `${name} must be a whole number from ${from} to ${to}`,
  )
}

function withDefaults({ name: commandName, options }: Command, given: Map<string, unknown>): Record<string, unknown> {
  const missing = Object.entries(options).find(
    ([name, option]) => 'isRequired' in option && option.isRequired && !given.has(name),
  )
  if (missing) throw new UsageError(`--${missing[0]} must be given: diwan help ${commandName} explains it`)
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, option]) => {
      if (given.has(name)) return [[name, given.get(name)]]
      return 'default' in option ? [[name, option.default]] : []
    }),
  )
}

function checkArguments({ name, arguments: declared = [] }: Command, given: string[]): string[] {
  const missing = declared.find((argument, n) => !argument.isOptional && given[n] === undefined)
  if (missing) throw new UsageError(`${missing.name} must be given: ${missing.help}`)
  for (const [n, { name: argument, choices }] of declared.entries())
    if (given[n] !== undefined) requireChoice(argument, choices, given[n])
  if (given.length > declared.length && !declared.at(-1)?.isRest)
    throw new UsageError(
      `${name} takes ${countOf(declared.length)}, and ${JSON.stringify(given[declared.length])} is one too many`,
    )
  return given
}

function countOf(count: number): string {
  if (count === 0) return 'no arguments'
  return count === 1 ? 'one argument' : `${count} arguments`
}
