import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Calls that are sent when they are due, whether or not earlier ones have been answered, as strangers send them. */
export interface OpenLoad {
  port: number
  /** Sent in turn. */
  calls: { path: string; key: string }[]
  /** Each call comes from an address of its own, as a trusted proxy tells it. */
  isFromAnywhere?: boolean
  forMs: number
  /** How many are due in a second; without it, so many callers each send the next one when they have an answer. */
  perSecond?: number
  /** With a rate, there are never more than so many calls at a time. */
  callers?: number
  /** An answer that takes longer helps nobody. */
  deadlineMs: number
}

export interface Outcome {
  seconds: number
  sent: number
  /** Answered 200 within the deadline, while calls were sent. */
  good: number
  late: number
  refused: number
  /** By when half of those that were refused knew it, and by when nearly all did. */
  refusedP50Ms: number
  refusedP99Ms: number
  /** Anything else: another status, a connection that was cut. */
  others: Record<string, number>
}

const PROCESS = fileURLToPath(new URL('./open-load-process.ts', import.meta.url))
const run = promisify(execFile)

/** In a process of its own, so that what it does is not done on the thread that measures something else. */
export async function generate(load: OpenLoad): Promise<Outcome> {
  return JSON.parse((await run(process.execPath, ['--import', 'tsx', PROCESS, JSON.stringify(load)])).stdout)
}
