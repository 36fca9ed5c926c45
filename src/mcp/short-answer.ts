import { TOOLS } from './tools.ts'

/** What an agent can read at once without losing its context. */
const MOST_BYTES = 20_000
/** From generous to tight: the first one that makes the answer fit is used. */
const LONGEST_TEXTS = [12_000, 4_000, 1_000, 300, 100, 40]
/** Values that are used again in other calls are useless unless they are complete. */
const NEVER_CUT = /(?:^|_)(?:id|ref|refs|slug|cursor|url|email)$/

/** An answer of the API as compact JSON that is short enough. Long texts are cut, and name the tool that shows them in full. */
export function shortAnswer(answer: unknown, tool: string): string {
  const whole = JSON.stringify(answer)
  if (fits(whole)) return whole
  const rest = toolForTheRest(tool)
  const attempts = LONGEST_TEXTS.map(length => () => JSON.stringify(answer, cutTo(length, rest)))
  for (const attempt of attempts) {
    const text = attempt()
    if (fits(text)) return text
  }
  return JSON.stringify({ error: 'The answer is too long. Ask for less.' })
}

const fits = (text: string) => Buffer.byteLength(text) <= MOST_BYTES

function cutTo(length: number, rest: string | undefined) {
  return (key: string, value: unknown) => {
    if (typeof value !== 'string' || value.length <= length || NEVER_CUT.test(key)) return value
    const how = rest ? `${rest} shows all of it` : `${value.length} characters in all`
    return `${value.slice(0, length).toWellFormed()}… [cut: ${how}]`
  }
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
