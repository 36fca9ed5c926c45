/** A property of an event as another program would read it: unfolded and unescaped, with its parameters separated. */
interface IcsProperty {
  value: string
  parameters: Record<string, string>
}

export type IcsEvent = Record<string, IcsProperty[]>

/** Parses RFC 5545 independently of the library that writes it. Throws if the text is not well formed. */
export function readIcs(text: string): { calendar: IcsEvent; event: IcsEvent } {
  if (/[^\r]\n|\r[^\n]/.test(text)) throw new Error('Lines end in CR LF')
  for (const line of text.split('\r\n'))
    if (Buffer.byteLength(line) > 75) throw new Error(`A line of ${Buffer.byteLength(line)} bytes: ${line}`)
  const lines = text
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
    .filter(line => line !== '')
    .map(readLine)
  const open: string[] = []
  const [calendar, event]: [IcsEvent, IcsEvent] = [{}, {}]
  for (const { name, ...property } of lines) {
    if (name === 'BEGIN') open.push(property.value)
    else if (name !== 'END') {
      const holder = open.at(-1) === 'VEVENT' ? event : calendar
      holder[name] = [...(holder[name] ?? []), property]
    } else if (open.pop() !== property.value) throw new Error(`${property.value} ends where it did not begin`)
  }
  if (open.length > 0) throw new Error(`${open} does not end`)
  return { calendar, event }
}

const LINE = /^([A-Z-]+)((?:;[A-Z-]+=(?:"[^"]*"|[^";:,]*))*):(.*)$/s
const IS_TEXT = new Set(['SUMMARY', 'DESCRIPTION', 'LOCATION', 'UID', 'STATUS'])

function readLine(line: string): IcsProperty & { name: string } {
  const [, name, parameters, value] = line.match(LINE) ?? []
  if (name === undefined) throw new Error(`Not a line of iCalendar: ${JSON.stringify(line)}`)
  const pairs = [...(parameters ?? '').matchAll(/;([A-Z-]+)=("[^"]*"|[^";:,]*)/g)]
  return {
    name,
    value: IS_TEXT.has(name) ? unescapeText(value as string) : (value as string),
    parameters: Object.fromEntries(pairs.map(([, key, text]) => [key, text?.replace(/^"(.*)"$/s, '$1')])),
  }
}

function unescapeText(text: string): string {
  return text.replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))
}

/** The first value of a property, or undefined. */
export function firstValue(event: IcsEvent, name: string): string | undefined {
  return event[name]?.[0]?.value
}
