import type { Worker } from 'node:worker_threads'
import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import { FairQueue } from '../../../lib/fair-queue.ts'
import { QUEUES } from '../../../queues.ts'
import type { RuleSource } from './engine.ts'
import { ask, startScanThread } from './thread.ts'

/** The thread gives up by itself before it is ended: what takes too long today takes too long tomorrow. */
const OWN_SHARE_OF_LIMIT = 0.7

interface Options {
  timeLimitMs: number
  restAfterMs: number
  renewAfterScans: number
  onThread(id: number): void
}

interface Seat {
  thread: Promise<Worker> | undefined
  isBusy: boolean
  isRenewing: boolean
  /** Ready to replace the thread whose memory has grown. */
  successor: Worker | undefined
  resting: NodeJS.Timeout | undefined
}

export interface Threads {
  /** Compiles the rules now instead of with the first question. Throws when they cannot be used. */
  start(): Promise<void>
  /** True when no thread runs and none has failed: the next question starts one. */
  isAtRest(): boolean
  ask(bytes: Buffer, name: string): Promise<{ finding: string | null; obstacle: Obstacle | null }>
  /** True when another question would have to wait. */
  isBusy(): boolean
  close(): Promise<void>
}

/**
 * Threads that scan, each one file at a time. The engine never gives back some of its memory, so a thread that was used long
 * enough is replaced: its successor compiles the rules while the old one goes on, and takes over between two scans. For the
 * same reason, a thread that has been idle for a while is ended.
 */
export function openThreads(rules: RuleSource[], options: Options): Threads {
  const { timeLimitMs, restAfterMs, renewAfterScans, onThread } = options
  // Each thread is started when it is first needed.
  const seats: Seat[] = Array.from({ length: QUEUES.scans.total }, () => ({
    thread: undefined,
    isBusy: false,
    isRenewing: false,
    successor: undefined,
    resting: undefined,
  }))
  const queue = new FairQueue<'scans'>('scans', QUEUES.scans)
  let isClosed = false
  let hasFailed = false

  function seatThread(seat: Seat, starting = startScanThread(rules)): Promise<Worker> {
    const leave = () => {
      if (seat.thread === starting) seat.thread = undefined
    }
    seat.thread = starting
    starting.then(
      worker => {
        hasFailed = false
        onThread(worker.threadId)
        worker.once('exit', leave)
      },
      () => {
        hasFailed = true
        leave()
      },
    )
    return starting
  }

  async function inSeat<T>(work: (seat: Seat) => Promise<T>): Promise<T> {
    // The queue lets in as many as there are.
    const seat = seats.find(each => !each.isBusy) as Seat
    clearTimeout(seat.resting)
    seat.isBusy = true
    try {
      return await work(seat)
    } finally {
      takeOver(seat)
      seat.isBusy = false
      restLater(seat)
    }
  }

  function restLater(seat: Seat): void {
    seat.resting = setTimeout(() => {
      const { thread } = seat
      seat.thread = undefined
      thread?.then(worker => worker.terminate()).catch(() => {})
    }, restAfterMs)
    seat.resting.unref()
  }

  /** If it fails, the old thread continues, and the next scan tries again. */
  async function renew(seat: Seat): Promise<void> {
    if (seat.isRenewing || isClosed) return
    seat.isRenewing = true
    seat.successor = await startScanThread(rules).catch(() => undefined)
    seat.isRenewing = false
    if (isClosed) await seat.successor?.terminate()
    else if (!seat.isBusy) takeOver(seat)
  }

  function takeOver(seat: Seat): void {
    const { thread: old, successor } = seat
    if (!successor) return
    seat.successor = undefined
    seatThread(seat, Promise.resolve(successor))
    old?.then(worker => worker.terminate()).catch(() => {})
  }

  async function scan(seat: Seat, bytes: Buffer, name: string) {
    if (isClosed) throw new Error('The scanner is closed')
    const worker = await (seat.thread ?? seatThread(seat))
    try {
      const answer = await ask(worker, { bytes, name, timeLimitMs: timeLimitMs * OWN_SHARE_OF_LIMIT }, timeLimitMs)
      if (!('finding' in answer)) throw new Error('The scanner gave no verdict')
      if (answer.engineScans >= renewAfterScans) void renew(seat)
      return answer
    } catch (error) {
      await worker.terminate()
      throw error
    }
  }

  return {
    async start() {
      const seat = seats[0] as Seat
      await seatThread(seat)
      restLater(seat)
    },
    isAtRest: () => !isClosed && !hasFailed && seats.every(({ thread }) => thread === undefined),
    ask: (bytes, name) => queue.run('scans', () => inSeat(seat => scan(seat, bytes, name))),
    isBusy: () => seats.every(({ isBusy }) => isBusy),
    async close() {
      isClosed = true
      const ending = seats.map(async ({ thread, successor }) => {
        await successor?.terminate()
        await (await thread?.catch(() => undefined))?.terminate()
      })
      await Promise.all(ending)
    },
  }
}
