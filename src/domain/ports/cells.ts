import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** A cell does not answer. Other cells are not affected. */
export class CellAway extends Error {}

/** What is looked for: a company, or whatever has a credential with this digest. */
export type Sought = { company: number } | { digest: Buffer }

/** Which cell serves it. What belongs to no company, such as a session of the operator, has none. */
export interface Place {
  cell: number
  company: number | null
  /** It is a session of the operator, which that cell vouches for. */
  operator?: true
}

/** A request that is passed on: unread, unless its body had to be read to know where it belongs. */
export interface PassedRequest {
  method: string
  path: string
  headers: Record<string, string | string[]>
  /** A buffer where it was read, or is empty. */
  body: Readable | Buffer
  /** The caller has left. */
  signal: AbortSignal
}

/** The other cells of the installation. */
export interface OtherCells {
  numbers: number[]
  /** What each of them answers. Throws `CellAway` when none has it and one has not answered: it may be there. */
  where(sought: Sought): Promise<Place | undefined>
  /** Resolves when the head of the answer has arrived. Throws `CellAway` when that cell cannot be reached. */
  send(cell: number, request: PassedRequest): Promise<IncomingMessage>
  close(): void
}
