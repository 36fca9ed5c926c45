import type { Draft } from './drafts.ts'

/** What is sent in one call: tasks of one list, in order. */
export interface Batch {
  index: number
  list: string
  drafts: Draft[]
}

/** The server accepts bodies of up to 1 MiB. */
const MOST_BYTES = 768 * 1024
/** How many may wait for their batches to fill up, when rows of many lists alternate. */
const MOST_WAITING = 5_000
const MOST_WAITING_BYTES = 32 * 1024 * 1024

interface Waiting {
  drafts: Draft[]
  bytes: number
}

/** The same tasks always give the same batches: one that may have been sent can be sent again. */
export async function* batchesOf(source: AsyncIterable<Draft[]>, size: number): AsyncGenerator<Batch> {
  const waiting = new Map<string, Waiting>()
  let [count, bytes, index] = [0, 0, 0]

  function take(list: string): Batch {
    const { drafts, bytes: taken } = waiting.get(list) as Waiting
    waiting.delete(list)
    count -= drafts.length
    bytes -= taken
    return { index: index++, list, drafts }
  }

  for await (const drafts of source) {
    for (const draft of drafts) {
      const own = Buffer.byteLength(JSON.stringify(draft.task))
      const before = waiting.get(draft.list)
      if (before && before.bytes + own > MOST_BYTES) yield take(draft.list)
      const queue = waiting.get(draft.list) ?? { drafts: [], bytes: 0 }
      waiting.set(draft.list, queue)
      queue.drafts.push(draft)
      queue.bytes += own
      count++
      bytes += own
      if (queue.drafts.length === size) yield take(draft.list)
      else if (count > MOST_WAITING || bytes > MOST_WAITING_BYTES) yield take(fullest(waiting))
    }
  }
  for (const list of [...waiting.keys()]) yield take(list)
}

function fullest(waiting: Map<string, Waiting>): string {
  return [...waiting].reduce((best, each) => (each[1].bytes > best[1].bytes ? each : best))[0]
}
