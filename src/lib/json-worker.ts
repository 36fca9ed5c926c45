import { parentPort, workerData } from 'node:worker_threads'
import { JsonFault, parseJsonObject, RepeatedKey } from './json.ts'

/** What the thread tells of the text that it was started with. */
type Reading =
  | { fields: [string, unknown][]; numbers: Map<string, string>; repeated: (string | number)[][] }
  | { problem: JsonFault['problem'] }
  | { repeatedKey: string }

export interface Answer {
  reading: Reading
  bytes: Uint8Array<ArrayBuffer>
}

function read(bytes: Uint8Array): Reading {
  try {
    const { fields, ...rest } = parseJsonObject(bytes)
    return { fields: Object.entries(fields).map(([name, value]) => [name, bounded(value, KEPT_LEVELS)]), ...rest }
  } catch (error) {
    if (error instanceof JsonFault) return { problem: error.problem }
    if (error instanceof RepeatedKey) return { repeatedKey: error.key }
    throw error
  }
}

/** More than any field of ours may have: 5 MB take fewer characters in base64. To hand over the rest would take as long as to read it. */
const KEPT_LEVELS = 20
const KEPT_CHARACTERS = 7_000_000

/** What is below so many levels is left out; of lists and objects there, only the kind is told. Of a text, its beginning is kept. */
function bounded(value: unknown, levels: number): unknown {
  if (typeof value === 'string' && value.length > KEPT_CHARACTERS) return beginningOf(value)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return Array.isArray(value) ? [] : {}
  if (Array.isArray(value)) return value.map(each => bounded(each, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bounded(each, levels - 1)]))
}

/** Does not end with half of a surrogate pair that the text has whole. */
function beginningOf(text: string): string {
  const last = text.charCodeAt(KEPT_CHARACTERS - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? KEPT_CHARACTERS - 1 : KEPT_CHARACTERS)
}

const bytes = workerData as Uint8Array<ArrayBuffer>
parentPort?.postMessage({ reading: read(bytes), bytes } satisfies Answer, [bytes.buffer])
