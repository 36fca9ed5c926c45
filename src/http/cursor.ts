import { createHmac, hkdfSync } from 'node:crypto'
import { unprocessable } from '../domain/errors.ts'
import type { Order, Values } from './order.ts'

/** Where a page of a query begins, and how the next one is asked for. */
export interface Cursor {
  /** The values of the record that the page comes after; undefined when it begins somewhere else. */
  after(order: Order): Values | undefined
  /** The text of a cursor for what comes after a record. */
  next(order: Order, values: Values): string
}

/** Whose a cursor is: an endpoint, its parameters in the path, and those in the query that say which records are meant. */
interface CursorOwner {
  name: string
  params: object
  query: object
}

/** Makes the cursor of a query from what was sent. One that is not the query's own is refused, or else passed over. */
export type ReadCursor = (owner: CursorOwner, sent: string | undefined, isRefused: boolean) => Cursor

/** A name of 255 characters, escaped and encoded, is shorter. */
const LONGEST = 8_192
const DIGEST_BYTES = 16

/**
 * A cursor is the values of the last record of a page, and a digest of them and of the query. Under a key, so that whatever
 * reaches a statement was written here, for the same query and the same order. It is the same each time, as an ETag needs it.
 */
export function createCursors(serverSecret: string): ReadCursor {
  const key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'diwan cursors v1', 32))

  function digest(owner: CursorOwner, order: Order, values: Values): string {
    const columns = order.map(({ type, isDescending }) => [type, isDescending])
    const signed = JSON.stringify([owner.name, owner.params, owner.query, columns, values])
    return createHmac('sha256', key).update(signed).digest().subarray(0, DIGEST_BYTES).toString('base64url')
  }

  function read(owner: CursorOwner, order: Order, text: string): Values | undefined {
    const [sent, ...values] = decode(text) ?? []
    return values.length === order.length && sent === digest(owner, order, values) ? values : undefined
  }

  return (owner, sent, isRefused) => ({
    after(order) {
      if (sent === undefined) return undefined
      const values = read(owner, order, sent)
      if (!values && isRefused)
        throw unprocessable('cursor', 'must be the `next_cursor` of the same query; leave it out to begin again')
      return values
    },
    next: (order, values) =>
      Buffer.from(JSON.stringify([digest(owner, order, values), ...values])).toString('base64url'),
  })
}

function decode(text: string): Values | undefined {
  if (text.length > LONGEST) return undefined
  try {
    const written: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(written) && written.every(isValue) ? written : undefined
  } catch {
    return undefined
  }
}

function isValue(value: unknown): value is string | null {
  return typeof value === 'string' || value === null
}
