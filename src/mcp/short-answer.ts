import { excerpt } from '../lib/text.ts'
import { TOOLS } from './tools.ts'

/** What an agent can read at once without losing its context. */
const MOST_BYTES = 20_000
/** From generous to tight: the first one that makes the answer fit is used. */
const LONGEST_TEXTS = [12_000, 4_000, 1_000, 300, 100, 40]
const LONGEST_TITLES = [255, 100, 40, 10]
/** Values that are used again in other calls are useless unless they are complete. */
const NEVER_CUT = /(?:^|_)(?:id|ref|refs|slug|cursor|url|email)$/
/** What is left of a record when there is room for nothing else. */
const ESSENTIAL = ['type', 'id', 'folder_id', 'title', 'name', 'email', 'content']

/**
 * The texts of a tool's answer: the answer of the API as compact JSON that is short enough, and a note when records are not
 * whole. It always fits in the end: a write that has succeeded must not look as if it had failed.
 */
export function shortAnswer(answer: unknown, tool: string): string[] {
  const whole = JSON.stringify(answer)
  if (fits(whole)) return [whole]
  const rest = toolForTheRest(tool)
  const cut = firstThatFits(answer, LONGEST_TEXTS, length => cutTo(length, rest))
  if (cut !== undefined) return [cut]
  const titles = firstThatFits(answer, LONGEST_TITLES, onlyEssential) ?? JSON.stringify(answer, onlyEssential(0))
  return [titles, rest ? `Shortened: ${rest} shows one in full.` : 'Shortened: ask for less to see more of each.']
}

const fits = (text: string) => Buffer.byteLength(text) <= MOST_BYTES

type Replace = (key: string, value: unknown) => unknown

function firstThatFits(answer: unknown, lengths: number[], replace: (length: number) => Replace): string | undefined {
  for (const length of lengths) {
    const text = JSON.stringify(answer, replace(length))
    if (fits(text)) return text
  }
  return undefined
}

function cutTo(length: number, rest: string | undefined): Replace {
  return (key, value) => {
    if (typeof value !== 'string' || value.length <= length || NEVER_CUT.test(key)) return value
    const how = rest ? `${rest} shows all of it` : `${value.length} characters in all`
    return `${value.slice(0, length).toWellFormed()}… [cut: ${how}]`
  }
}

/** Ids and titles of the records in lists, and nothing else of them. */
function onlyEssential(length: number): Replace {
  return (key, value) => {
    if (typeof value === 'string') return NEVER_CUT.test(key) ? value : excerpt(value, length)
    return Array.isArray(value) ? value.map(essentialsOf) : value
  }
}

function essentialsOf(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(Object.entries(record).filter(([name]) => ESSENTIAL.includes(name)))
}

/** The tool that reads a single one of the records that this one lists. */
function toolForTheRest(name: string): string | undefined {
  const titles = titlesIn(name)
  const single = TOOLS.find(({ endpoint, shown }) => {
    const isSingle = endpoint.method === 'GET' && /:\w+$/.test(endpoint.at.at(-1) ?? '')
    return isSingle && shown.name !== name && titlesIn(shown.name).some(title => titles.includes(title))
  })
  return single?.shown.name
}

/** The titles of the records in an answer. `Project` and `ListedProject` are the same thing to readers. */
function titlesIn(name: string): string[] {
  const returns = JSON.stringify(TOOLS.find(({ shown }) => shown.name === name)?.endpoint.returns ?? {})
  return [...returns.matchAll(/"title":"(?:Listed)?(\w+)"/g)].map(([, title = '']) => title)
}
