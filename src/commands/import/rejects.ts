import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { exactCsvLine } from '../../lib/csv.ts'
import { flush } from '../../lib/flush.ts'
import { type Columns, REJECTED } from './columns.ts'
import type { Problem } from './drafts.ts'
import type { Entry } from './entry.ts'

/** Bad rows as they are in FILE, with the reason: they can be corrected and imported separately. */
export async function openRejects(file: string) {
  const path = `${file}.rejected.csv`
  const draft = `${path}.new`
  const handle = await open(draft, 'w')
  let waiting = ''
  let count = 0

  const drain = async () => {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    await handle.write(text)
  }
  return {
    path,
    add({ row, field, reason }: Problem, { cells, more = [] }: Entry, { names }: Columns): void {
      if (count++ === 0) waiting += exactCsvLine([...names, ...REJECTED])
      const padded = names.map((_, n) => cells[n] ?? '')
      const beyond = [...cells.slice(names.length), ...more.map(pair => pair.join(': '))]
      waiting += exactCsvLine([...padded, String(row), `${field}: ${reason}`, ...beyond])
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
