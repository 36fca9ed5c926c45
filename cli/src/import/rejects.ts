import { rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { BYTE_ORDER_MARK, exactCsvLine } from '../../../src/lib/csv.ts'
import { flush } from '../../../src/lib/flush.ts'
import type { Encoding } from './choices.ts'
import { REJECTED } from './columns.ts'
import type { Problem } from './drafts.ts'
import type { Entry } from './entry.ts'
import type { Source } from './records.ts'
import { openNew } from './without-links.ts'

/**
 * Bad rows as they are in FILE and in its form, with the reason: they can be corrected and imported separately. In UTF-8 they are
 * behind a byte order mark, whether FILE has one or not.
 */
export async function openRejects(file: string) {
  const path = `${file}.rejected.csv`
  const draft = `${path}.new`
  const handle = await openNew(draft)
  let waiting: Buffer[] = []
  let count = 0

  const drain = async () => {
    if (waiting.length === 0) return
    const bytes = Buffer.concat(waiting)
    waiting = []
    await handle.write(bytes)
  }
  return {
    path,
    add({ row, field, reason }: Problem, { cells, more = [] }: Entry, { columns: { names }, form }: Source): void {
      const write = (line: string[]) => waiting.push(encoded(exactCsvLine(line, form), form.encoding))
      if (count === 0 && form.encoding === 'utf-8') waiting.push(Buffer.from(BYTE_ORDER_MARK))
      if (count++ === 0) write([...names, ...REJECTED])
      const padded = names.map((_, n) => cells[n] ?? '')
      const beyond = [...cells.slice(names.length), ...more.map(pair => pair.join(': '))]
      write([...padded, String(row), `${field}: ${reason}`, ...beyond])
    },
    drain,
    /** The file gets its name once all of it is safe. Without bad rows there is none. */
    async keep(): Promise<void> {
      await drain()
      await handle.sync()
      await handle.close()
      if (count === 0) await rm(draft, { force: true })
      else {
        await rename(draft, path)
        await flush(dirname(resolve(path)))
      }
    },
    async discard(): Promise<void> {
      await handle.close()
      await rm(draft, { force: true })
    },
  }
}

export type Rejects = Awaited<ReturnType<typeof openRejects>>

/** Text that was read in an encoding, written in it again. */
function encoded(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  const bytes = byteOf(encoding)
  return Buffer.from(Array.from(text, character => bytes.get(character) ?? UNKNOWN))
}

const UNKNOWN = 0x3f

/** Every other encoding has one byte for a character. */
function byteOf(encoding: Encoding): Map<string, number> {
  const known = BYTES.get(encoding)
  if (known) return known
  const characters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  const bytes = new Map(Array.from(characters, (character, byte) => [character, byte]))
  BYTES.set(encoding, bytes)
  return bytes
}

const BYTES = new Map<Encoding, Map<string, number>>()
