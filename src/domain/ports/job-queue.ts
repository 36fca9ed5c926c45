import type { Db } from '../../db/db.ts'
import type { Condition } from './condition.ts'

/** Everything that is done after a write. The compiler requires a payload for each kind here, and a handler in the worker. */
export const JOB_KINDS = [
  'notify-people',
  'mail-notification',
  'scan-file',
  'remove-bytes',
  'remove-list',
  'remove-folder',
  'sync-calendar',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** The payload of each kind of job, besides its company. */
interface Payloads {
  /** Add a notification for each person who is to be told of a notice. */
  'notify-people': { notice_id: number }
  /** Deliver a stored notification by e-mail. */
  'mail-notification': { notification_id: number }
  /** Have the virus scanner check an upload. */
  'scan-file': { file_id: number }
  /** Remove the bytes of a deleted file, unless another file has the same. */
  'remove-bytes': { digest: string }
  /** Remove a deleted task list and its contents. */
  'remove-list': { task_list_id: number }
  /** Remove a deleted folder, those below it and their files. */
  'remove-folder': { folder_id: number }
  /** Update an event in a person's calendar to its current state. */
  'sync-calendar': { calendar_id: number; uid: string }
}

export type JobPayloads = { [K in JobKind]: { company_id: number } & Payloads[K] }

/** Adds jobs in the transaction of the write that asks for them: they exist if and only if it commits. */
export type Enqueue = <K extends JobKind>(
  tx: Db,
  kind: K,
  payloads: JobPayloads[K][],
  /** One per payload, for callers that want to find the job again. */
  ids?: string[],
) => Promise<void>

/** A job that cannot be done yet, through no fault of its own. */
export class NotYet {
  readonly afterSeconds: number
  constructor(afterSeconds: number) {
    this.afterSeconds = afterSeconds
  }
}

export interface Job<K extends JobKind = JobKind> {
  id: string
  payload: JobPayloads[K]
  isLastAttempt: boolean
  /** The worker that made the last attempt has died: all that is left is to give it up. */
  isOver: boolean
  /** The span that it follows from, where traces are recorded. */
  traceparent: string | null
}

export interface JobQueue {
  enqueue: Enqueue
  /**
   * Takes the job that has been due longest of the next company that has one. Companies come in the order of their ids,
   * beginning behind `after` and then from the first again, without those that have all their turns now (`having`). Jobs of a
   * worker that died become available again after a minute.
   */
  take<K extends JobKind>(kind: K, after: number, having: number[]): Promise<Job<K> | undefined>
  /** Calls `wake` whenever a job of this kind was added, by whichever process, until the function that it returns is called. */
  onNews(kind: JobKind, wake: () => void): () => void
  complete(kind: JobKind, id: string): Promise<void>
  /** The job is taken again later, and this does not count as an attempt. */
  putOff(kind: JobKind, id: string, notYet: NotYet): Promise<void>
  /** The job is retried later, each time after a longer pause, until it has failed for good. */
  fail(kind: JobKind, id: string, error: Error): Promise<void>
  /** How many jobs wait, by kind. */
  waiting(): Promise<Record<string, number>>
  /** How long ago the oldest job that nobody has taken became due. */
  lateSeconds(): Promise<number>
  /** Whether jobs are done soon after they become due, and how many have failed. */
  check(): Promise<Condition>
  /** Removes up to `limit` jobs that failed, or that nobody took, too long ago. Returns how many; jobs that are done leave nothing. */
  removeOld(limit: number): Promise<number>
  close(): Promise<void>
}
