import { inTime } from './in-time.ts'

interface Collected<Row> {
  everyMs: number
  /** How many rows one write takes at most. */
  atOnce: number
  /** Hands over everything that was collected, and begins anew. */
  take(): Row[]
  write(rows: Row[]): Promise<void>
  onError(error: unknown): void
}

const CLOSE_WITHIN_MS = 2_000

/**
 * Writes what calls collect in memory every few moments, so that no call waits for it. No write begins while another is running:
 * whatever comes meanwhile stays with the collector, whose own bound therefore holds however slow the writes are.
 */
export function writeInBulk<Row>({ everyMs, atOnce, take, write, onError }: Collected<Row>) {
  let writing: Promise<void> | undefined
  const timer = setInterval(() => {
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
  }, everyMs)
  timer.unref()

  async function writeAll(): Promise<void> {
    const taken = take()
    for (let at = 0; at < taken.length; at += atOnce) await write(taken.slice(at, at + atOnce)).catch(onError)
  }

  return {
    /** Writes what is left, if the database responds in time. */
    async close(): Promise<void> {
      clearInterval(timer)
      await inTime((writing ?? Promise.resolve()).then(writeAll), CLOSE_WITHIN_MS)
    },
  }
}
