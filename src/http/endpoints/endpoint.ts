import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Sql } from 'sql-template-tag'
import type { Static, TObject, TSchema } from 'typebox'
import type { Db } from '../../db/db.ts'
import type { AuditNote } from '../../domain/audit.ts'
import type { Feed } from '../../domain/feed/streams.ts'
import type { Encryption } from '../../domain/installation/encryption.ts'
import type { Health } from '../../domain/installation/health.ts'
import type { Blobs } from '../../domain/ports/blob-store.ts'
import type { CalendarServer } from '../../domain/ports/calendar-server.ts'
import type { IdentityProvider } from '../../domain/ports/identity-provider.ts'
import type { Enqueue } from '../../domain/ports/job-queue.ts'
import type { PdfRenderer } from '../../domain/ports/pdf-renderer.ts'
import type { WebhookSender } from '../../domain/ports/webhook-sender.ts'
import type { SampledKinds } from '../../domain/records/search-samples.ts'
import type { Kept } from '../../lib/kept.ts'
import type { About } from '../operation/about.ts'
import type { Figures } from '../operation/figures.ts'
import type { ReadCursor } from '../requests/cursor.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an endpoint may need besides the database. */
export interface Services {
  enqueue: Enqueue
  blobs: Blobs
  pdf: PdfRenderer
  calendarServer: CalendarServer
  webhookSender: WebhookSender
  encryption: Encryption
  feed: Feed
  readCursor: ReadCursor
  /** Samples of the names in a company. A search uses them only to decide where to look, so they may be a little old. */
  samples: Kept<number, SampledKinds>
  about: About
  health: Health
  figures: Figures
  /** Whether notifications are sent by mail. */
  sendsMail: boolean
  /** With which people sign in to the console, if there is one. */
  identityProvider: IdentityProvider | undefined
  /** The number of our own cell; null where there are none. */
  cell: number | null
}

/**
 * What a call locks against changes by others until it commits: a read locks nothing, a write that adds below a record locks
 * that record as the parent, and a write to a record locks the record itself.
 */
export type Holds = 'nothing' | 'parent' | 'record'

/** What every call carries, whichever surface it came through. */
export interface BaseCall extends Services {
  db: Db
  holds: Holds
  /** True while the company's subscription does not allow any writes. */
  isReadOnly: boolean
  params: Record<string, string>
  headers: IncomingHttpHeaders
  /** Reports what a write did, once for each thing it changed. Stored together with the write if the endpoint is audited. */
  audit: (note: AuditNote) => void
}

/** What a declaration says about an endpoint. Routes and the API description are made from it. */
export interface EndpointFacts {
  /**
   * In snake_case, verb first: `complete_task`. Clients use it to name the operation, so it does not change when the summary is
   * reworded.
   */
  name: string
  /** The contract version that introduced it. */
  since: `${number}.${number}.0`
  operation: string
  summary: string
  description?: string
  /** The name of the tool for agents. Without one they do not see the endpoint. */
  tool?: string
  method: Method
  /** The nested address and, where there is one, the flat one. A flat address takes no slug. */
  at: string[]
  query?: TObject
  /** True for a read that answers 422 to a query it cannot read; the others use a default. */
  refusesQuery?: boolean
  /** Another media type in which a read can answer when `Accept` asks for it. */
  alsoAs?: 'text/csv' | 'text/event-stream'
  /** True for a read that a replica may answer. Pages are such reads without saying so. */
  onReplica?: true
  /** An error status besides those that every endpoint of its method can return. */
  failsWith?: 410 | 416
  body?: TObject
  /** The maximum size of the body, where the usual limit is too small. */
  bodyLimitBytes?: number
  status?: 200 | 201
  returns: TSchema
}

/** The statuses of a success. A PUT answers 201 when it has created the record. */
export function statusesOf({ method, status = 200 }: Pick<EndpointFacts, 'method' | 'status'>): number[] {
  return method === 'PUT' ? [200, 201] : [status]
}

/** The type of a query or a body that a declaration leaves out. */
export type NoFields = TObject<Record<never, never>>

/** How the record of an endpoint is found, and who may use it. */
interface Lookup<Call extends BaseCall, Found> {
  /** The record, looked up among what the caller may see; throws not found. If its project is `archived`, it is frozen. */
  find?: (call: Call) => Promise<Found>
  /** Throws `forbidden` when the caller lacks a right that this record requires. */
  policy?: (call: Call, found: Found) => void
}

export interface ReadDeclaration<Call extends BaseCall, Found, Query extends TObject, Returns extends TSchema>
  extends EndpointFacts,
    Lookup<Call, Found> {
  method: 'GET'
  query?: Query
  /** Throws not found when the parent of the listed records is missing. Called when the query is refused: 404 comes first. */
  requireParent?: (call: Call) => Promise<unknown>
  body?: undefined
  returns: Returns
  run: (call: Call & { query: Static<Query> }, found: Found) => Promise<Static<Returns> | Raw>
}

/**
 * A write as one row of a statement, which finds its record by itself. Calls at the same time whose statements have the same
 * name share one.
 */
export interface OneStatement<Answer, Row = unknown, Written = unknown> {
  name: string
  row: Row
  /** Returns, for each row that it wrote, the number `n` of that row (from 1) and what was written. Selects from `signed`. */
  statement(rows: Row[], signed: Sql): Sql
  answer(written: Written): Answer
  /** For a write that may create its record: whether it did. */
  isNew?(written: Written): boolean
}

export interface WriteDeclaration<Call extends BaseCall, Found, Body extends TObject, Returns extends TSchema, Prepared>
  extends EndpointFacts,
    Lookup<Call, Found> {
  method: Exclude<Method, 'GET'>
  query?: undefined
  body?: Body
  /**
   * For a PUT, which changes the record that it names or creates it: the parameters with which the GET names the record that was
   * found, or undefined if there is none yet. Then the answer is 201.
   */
  recordIn?: (found: Found) => Call['params'] | undefined
  /** The schema of the body where no record was found, if it requires more than `body`. */
  bodyToCreate?: TObject
  /** True for archiving and unarchiving, the only writes that an archived project allows. */
  worksOnArchived?: boolean
  /** Slow work that a write needs, done before its transaction begins and after everything but the write itself was checked. */
  prepare?: (call: Call & { body: Static<Body>; signal: AbortSignal }, found: Found) => Promise<Prepared>
  /** A list in the body whose entries cost a call each. The first is spent as usual, the others when the body is read. */
  spendsPer?: Extract<keyof Static<Body>, string>
  returns: Returns
  /**
   * The same write in one statement, where the call needs nothing else. It does nothing if `find` or an archived project would
   * refuse the call, or `run` would act differently: then the call is processed step by step. Not for a write with a `policy`,
   * which needs the record first.
   */
  atOnce?: (call: Call & { body: Static<Body> }) => OneStatement<Static<Returns>> | undefined
  run: (call: Call & { body: Static<Body>; prepared: Prepared }, found: Found) => Promise<Static<Returns> & Placed>
}

/** What the answer of a write that creates says besides what it shows. It is not sent: no schema of an answer declares it. */
export interface Placed {
  /** The ref of the record that the new one is on, where its flat address needs that: the caller may have sent a slug. */
  parent_ref?: string
}

/**
 * An endpoint is one declaration: its addresses, what it requires of the caller, its schemas, how its record is found and what
 * it does. The route, the gate, validation, the shape of the answer and the description all come from it.
 */
export type Declaration<
  Call extends BaseCall,
  Found,
  Query extends TObject,
  Body extends TObject,
  Returns extends TSchema,
  Prepared,
> = ReadDeclaration<Call, Found, Query, Returns> | WriteDeclaration<Call, Found, Body, Returns, Prepared>

/** An answer that is not JSON. */
export class Raw {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: Readable | null,
  ) {}
}
