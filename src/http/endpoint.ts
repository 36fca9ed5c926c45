import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Db } from '../db/db.ts'
import type { AuditNote } from '../domain/audit.ts'
import type { Blobs } from '../domain/ports/blob-store.ts'
import type { CalendarServer } from '../domain/ports/calendar-server.ts'
import type { Encryption } from '../domain/ports/encryption.ts'
import type { Enqueue } from '../domain/ports/job-queue.ts'
import type { PdfRenderer } from '../domain/ports/pdf-renderer.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What an endpoint may need besides the database. */
export interface Services {
  enqueue: Enqueue
  blobs: Blobs
  pdf: PdfRenderer
  calendarServer: CalendarServer
  encryption: Encryption
  /** Whether notifications are mailed. */
  sendsMail: boolean
}

/**
 * What a call keeps others from changing until it commits: a read nothing, a write that adds below a record that this
 * stays as it is, and a write to a record the record itself.
 */
export type Holds = 'nothing' | 'parent' | 'record'

/** What every call carries, whichever surface it came through. */
export interface BaseCall extends Services {
  db: Db
  holds: Holds
  params: Record<string, string>
  headers: Record<string, string | undefined>
  /** Says what a write did, once for each thing that it changed. It is kept where the endpoint is audited, with the write. */
  audit: (note: AuditNote) => void
}

type Fields<S> = S extends TObject ? Static<S> : Record<never, never>

/**
 * An endpoint is one declaration: its addresses, what it asks of the caller, its schemas, how its record is found and
 * what it does. The route, the gate, validation, the shape of the answer and the description all come from it.
 */
export interface Declaration<Call extends BaseCall, Found, Query, Body, Returns extends TSchema, Prepared = undefined> {
  summary: string
  description?: string
  method: Method
  /** The nested address and, where there is one, the flat one. A flat address takes a ref only. */
  at: string[]
  /** The record, looked up within what the caller may see; throws not found. Its project's `archived` freezes it. */
  find?: (call: Call) => Promise<Found>
  /** Throws `forbidden` when the caller lacks a right that this record asks for. */
  policy?: (call: Call, found: Found) => void
  /** Archiving and unarchiving are the only writes that an archived project takes. */
  worksOnArchived?: boolean
  query?: Query
  /** A read that answers 422 to a query it cannot read; the others take a default. */
  refusesQuery?: boolean
  /** A read that answers `Accept: text/csv` too. */
  csv?: boolean
  body?: Body
  /** Bytes a body may have, where the ordinary bound is too narrow. */
  bodyLimitBytes?: number
  /** Slow work that a write needs, done before its transaction begins, when all but the write itself has been checked. */
  prepare?: (call: Call & { body: Fields<Body>; signal: AbortSignal }, found: Found) => Promise<Prepared>
  status?: 200 | 201
  returns: Returns
  run: (
    call: Call & { query: Fields<Query>; body: Fields<Body>; prepared: Prepared },
    found: Found,
  ) => Promise<Static<Returns> | Raw>
}

/** An answer that is not JSON. */
export class Raw {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: Readable | null,
  ) {}
}

/** A declaration with the types of its own record forgotten, so that all of them fit in one list. */
export interface Endpoint<Call extends BaseCall = BaseCall> {
  operation: string
  summary: string
  description?: string
  method: Method
  at: string[]
  find?: (call: Call) => Promise<unknown>
  policy?: (call: Call, found: never) => void
  worksOnArchived?: boolean
  query?: TObject
  refusesQuery?: boolean
  csv?: boolean
  body?: TObject
  bodyLimitBytes?: number
  prepare?: (call: never, found: never) => Promise<unknown>
  status: 200 | 201
  returns: TSchema
  run: (call: never, found: never) => Promise<unknown>
}
