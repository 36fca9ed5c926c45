import { Agent, request as httpRequest, validateHeaderValue } from 'node:http'
import type { Answer, Diwan } from './diwan.ts'
import { furnishEveryRecord } from './every-record.ts'
import { type DescribedOperation, type Slot, withValueAt } from './operation-slots.ts'
import { requestText, sendRaw } from './raw-http.ts'

const agent = new Agent({ keepAlive: true })
const PLACE = '⟦here⟧'

/** What is put at a place: a text, one that is long by repetition, or JSON or a part of an address as it is written. */
export type Evil =
  | { text: string }
  | { repeated: string; times: number; last: string }
  | { json: string }
  | { part: string }

/** One of everything, and whoever may ask for it. */
export type Furnished = Awaited<ReturnType<typeof furnishEveryRecord>>

export const furnishForEvil = (diwan: Diwan): Promise<Furnished> => furnishEveryRecord(diwan)

/** What is sent when this is put there, and everything else is as it should be. */
export function evilRequest(
  operation: DescribedOperation,
  slot: Slot,
  evil: Evil,
  prefix: string,
  { fill }: Furnished,
) {
  const { method, example } = operation
  const written = 'part' in evil ? evil.part : encodeURIComponent(textOf(evil).toWellFormed())
  const address = slot.in === 'path' ? operation.path.replace(`{${slot.name}}`, PLACE) : operation.path
  const query = slot.in === 'query' ? `?${slot.name}=${written}` : ''
  const headers: Record<string, string> = example ? { 'content-type': 'application/json' } : {}
  if (slot.in === 'header') headers[slot.name.toLowerCase()] = textOf(evil)
  // Filled in first: in `ext:constructor` there is nothing to fill in.
  const path = prefix + fill(address.replace(/\{(\w+)\}/g, ':$1')).replace(PLACE, () => written || '%20') + query
  return { method, path, headers, body: example && bodyWith(example, slot, evil) }
}

export function textOf(evil: Evil): string {
  if ('repeated' in evil) return evil.repeated.repeat(evil.times) + evil.last
  return 'text' in evil ? evil.text : 'json' in evil ? evil.json : evil.part
}

function bodyWith(example: Record<string, unknown>, slot: Slot, evil: Evil): string {
  if (slot.in !== 'body') return JSON.stringify(example)
  const written = 'json' in evil ? evil.json : JSON.stringify(textOf(evil))
  return JSON.stringify(withValueAt(example, slot.at, PLACE)).replace(`"${PLACE}"`, () => written)
}

type Request = Omit<ReturnType<typeof evilRequest>, 'body'> & { body: string | undefined }

/** Sends a request as it is, even where no client would: the address is not tidied up, nor are headers refused. */
export async function sendAsItIs(
  url: string,
  { method, path, headers, body }: Request,
  token: string,
): Promise<Answer> {
  const all = { authorization: `Bearer ${token}`, ...headers }
  if (UNSENDABLE_IN_PATH.test(path) || !Object.entries(all).every(([name, value]) => isSendable(name, value))) {
    const length: Record<string, string> = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    return sendRaw(url, requestText(method, path, { ...all, ...length }, body))
  }
  return new Promise((resolve, reject) => {
    const asking = httpRequest(url, { agent, method, path, headers: all }, async answer => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      const isJson = answer.headers['content-type']?.startsWith('application/json') && text !== ''
      const read = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
      resolve({ status: answer.statusCode as number, headers: read, body: isJson ? JSON.parse(text) : text })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

/** What Node would not send in an address. */
const UNSENDABLE_IN_PATH = /[^\u0021-\u00ff]/

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
