import { unprocessable } from '../errors.ts'
import { say } from '../sentences/sentences.ts'

/** What other systems remember about a record: texts, under keys of their own. */
export type Metadata = Record<string, string>

/** What is sent to change it: null removes a key and, instead of an object, all of them. */
export type SentMetadata = Record<string, string | null> | null

export const MOST_KEYS = 50

/** Marks are parts of letters: many scripts cannot be written without them. */
const KEY = /^[\p{L}\p{M}\p{Nd}_.-]{1,40}$/u

export function isMetadataKey(key: string): boolean {
  return KEY.test(key)
}

export const LONGEST_VALUE = 500

/** The column after what was sent is merged into what is stored, as JSON; undefined if nothing was sent. */
export function mergedMetadata(sent: SentMetadata | undefined, stored: Metadata = {}): string | undefined {
  if (sent === undefined) return undefined
  const merged = new Map<string, string>(Object.entries(sent === null ? {} : stored))
  for (const [key, value] of Object.entries(sent ?? {})) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  if (merged.size > MOST_KEYS)
    throw unprocessable(
      'metadata',
      say('must have at most {most} keys, and would have {count}', { most: MOST_KEYS, count: merged.size }),
    )
  // As entries: a key such as `__proto__` is a key like any other.
  return JSON.stringify(Object.fromEntries(merged))
}
