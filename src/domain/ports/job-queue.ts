import type { Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { Condition } from './condition.ts'

/** Everything that is done after a write. The compiler asks for the payload of each kind here, and for its handler in the worker. */
export const JOB_KINDS = ['mail-notification', 'scan-file', 'remove-bytes', 'remove-list', 'sync-calendar'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** What a job of each kind is told, besides its company. */
interface Payloads {
  /** Deliver a stored notification by e-mail. */
  'mail-notification': { notification_id: number }
  /** Ask the virus scanner about an upload. */
  'scan-file': { file_id: number }
  /** Remove the bytes of a file that is gone, unless another file has the same. */
  'remove-bytes': { digest: string }
  /** Remove a deleted task list and what is in it. */
  'remove-list': { task_list_id: number }
  /** Bring an event in a person's calendar to what it should be now. */
  'sync-calendar': { calendar_id: number; uid: string }
}

export type JobPayloads = { [K in JobKind]: { company_id: number } & Payloads[K] }

/** Puts jobs into the transaction of the write that asks for them: they exist if and only if it committed. */
export type Enqueue = <K extends JobKind>(
  tx: Db,
  kind: K,
  payloads: JobPayloads[K][],
  /** One a payload, for whoever wants to find the job again. */
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
}

export interface JobQueue {
  enqueue: Enqueue
  /** Takes up to `limit` jobs that are due. Those of a worker that died come back after a minute. */
  take<K extends JobKind>(kind: K, limit: number): Promise<Job<K>[]>
  /**
   * Takes one job that is due, of another company than those that have their turn. The company whose last turn is longest
   * past comes first: `served` lists those of late, the longest past first.
   */
  takeInTurn<K extends JobKind>(kind: K, having: number[], served: number[]): Promise<Job<K> | undefined>
  complete(kind: JobKind, id: string): Promise<void>
  /** Taken again later, as if it had not been taken now. */
  putOff(kind: JobKind, id: string, notYet: NotYet): Promise<void>
  /** Tried again later, each time after a longer pause, until it has failed for good. */
  fail(kind: JobKind, id: string, error: Error): Promise<void>
  /** How many wait, by kind. */
  waiting(): Promise<Record<string, number>>
  /** For how long the oldest that nobody has taken has been due. */
  lateSeconds(): Promise<number>
  /** A condition for a statement: a job with this payload (a jsonb expression) is still to be done. */
  isToBeDone(kind: JobKind, payload: Sql): Sql
  /** An expression for a statement: the seconds until the job with this id is due, or null when none is to be done. */
  secondsUntilDue(kind: JobKind, id: Sql): Sql
  failed: FailedJobs
  /** Whether jobs are done soon after they are due, and how many have failed. */
  check(): Promise<Condition>
  close(): Promise<void>
}

/** The jobs that were tried as often as they may be. */
export interface FailedJobs {
  /** For a statement: a table of id, kind, payload, attempts, error, created_at and failed_at. */
  table: Sql
  /** Puts one of them back in line, with all its attempts. */
  retry(tx: Db, id: string): Promise<void>
  /** Gives one of them up for good. */
  remove(tx: Db, id: string): Promise<void>
}
