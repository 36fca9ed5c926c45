import { styleText } from 'node:util'
import type { Argument, Command, Option } from './command.ts'

const WIDTH = 80

/** Colours only on a terminal, and not if NO_COLOR is set: styleText handles both. */
const bold = (text: string) => styleText('bold', text)

export interface Section {
  heading: string
  entries: { name: string; summary: string }[]
}

/** All commands at a glance. */
export function overview(sections: Section[]): string {
  return [
    'Usage: diwan COMMAND [ARGUMENTS] [--OPTIONS]',
    '',
    ...sections.flatMap(({ heading, entries }) => [bold(heading), ...columns(entriesOf(entries))]),
    '',
    'diwan help COMMAND explains one. Settings are environment variables: see the README.',
    '',
  ].join('\n')
}

export function helpOfGroup(name: string, summary: string, commands: Command[]): string {
  return [
    `Usage: diwan ${name} COMMAND`,
    '',
    summary,
    '',
    ...columns(entriesOf(commands)),
    '',
    `diwan help ${name} COMMAND explains one.`,
    '',
  ].join('\n')
}

function entriesOf(entries: { name: string; summary: string }[]): [string, string][] {
  return entries.map(({ name, summary }) => [name, summary])
}

export function helpOf({ name, summary, description, arguments: args = [], options, examples = [] }: Command): string {
  const usage = ['diwan', name, ...args.map(usageOf), ...(Object.keys(options).length > 0 ? ['[OPTIONS]'] : [])]
  const paragraphs = [
    [`Usage: ${usage.join(' ')}`],
    wrap([summary, description].filter(Boolean).join(' '), WIDTH),
    args.length > 0 && columns(args.map(argument => [argument.name, argument.help])),
    Object.keys(options).length > 0 && [
      bold('Options'),
      ...columns(Object.entries(options).map(([option, facts]) => [optionUsage(option, facts), optionHelp(facts)])),
    ],
    examples.length > 0 && [
      bold('Examples'),
      ...examples.map(example => `  diwan ${example.replaceAll('\n', '\n      ')}`),
    ],
  ]
  return `${paragraphs
    .filter(lines => lines !== false)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`
}

function usageOf({ name, isOptional, isRest }: Argument): string {
  const text = isRest ? `${name} …` : name
  return isOptional ? `[${text}]` : text
}

function optionUsage(name: string, option: Option): string {
  if (option.type === 'flag') return option.isSwitch ? `--[no-]${name}` : `--${name}`
  return `--${name} ${option.value ?? { text: 'TEXT', number: 'NUMBER', list: 'LIST' }[option.type]}`
}

/** More than these would fill the screen. */
const MOST_CHOICES = 8

function optionHelp(option: Option): string {
  if (option.type === 'flag') return option.help
  const notes = [
    'choices' in option && option.choices && option.choices.length <= MOST_CHOICES && option.choices.join(', '),
    'isNullable' in option && option.isNullable && '"none" for null',
    'default' in option && `default ${option.default}`,
    option.isRequired && 'required',
  ].filter(note => typeof note === 'string')
  return [option.help, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter(Boolean).join(' ')
}

/** The left column is as wide as its widest entry, but leaves room for the right one. */
function columns(rows: [string, string][]): string[] {
  const left = Math.min(Math.max(...rows.map(([name]) => name.length)), 28) + 4
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, WIDTH - left)
    const head = `  ${name}`
    const [first = '', ...rest] = lines
    const indented = rest.map(line => ' '.repeat(left) + line)
    if (head.length > left - 2) return [head, ...lines.map(line => ' '.repeat(left) + line)]
    return [head.padEnd(left) + first, ...indented]
  })
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
