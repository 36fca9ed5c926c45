import { JsonFault, type JsonObject, RepeatedKey } from './json.ts'
import type { Answer } from './json-worker.ts'
import { answerOf, startThread } from './thread.ts'

/** Twice what any text needs that is read: Node.js may end the whole process when a thread reaches its limit. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 }
const READ_WITHIN_MS = 30_000

export interface ReadApart {
  parsed: JsonObject | JsonFault | RepeatedKey
  /** Those that were read: the bytes are handed over and come back, because to copy them would take as long as to read a page. */
  bytes: Buffer
}

/**
 * Reads a large JSON object as `parseJsonObject` does, in a thread of its own, which ends with it: reading 30 MB takes a
 * tenth of a second, in which nobody else would be answered. What no field of ours may have does not come back: of lists and
 * objects that are nested more deeply only the kind, `[]` or `{}`, and of a text that is too long its beginning.
 */
export async function parseJsonApart(sent: Uint8Array): Promise<ReadApart> {
  // Small buffers share their memory with others.
  const own = sent.buffer.byteLength === sent.length ? sent : Uint8Array.from(sent)
  const thread = () => startThread('json-worker', import.meta.url, own, MEMORY, [own.buffer as ArrayBuffer])
  const { reading, bytes } = await answerOf<Answer>(thread, READ_WITHIN_MS)
  return { parsed: parsedFrom(reading), bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) }
}

function parsedFrom(reading: Answer['reading']): ReadApart['parsed'] {
  if ('problem' in reading) return new JsonFault(reading.problem)
  if ('repeatedKey' in reading) return new RepeatedKey(reading.repeatedKey)
  const { fields, ...rest } = reading
  return { fields: Object.fromEntries(fields), ...rest }
}
