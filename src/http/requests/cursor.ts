import { createHmac, hkdfSync } from 'node:crypto'
import { unprocessable } from '../../domain/errors.ts'
import type { Order, Values } from './order.ts'

/** Where a page of a query begins, and how to ask for the next page. */
export interface Cursor {
  /** The values of the record after which the page begins; undefined when there is none. */
  after(order: Order): Values | undefined
  /** The total that the page before was given with, if its cursor carries it. */
  total(order: Order): number | undefined
  /** The text of a cursor for the records after this one. It may carry the total, where counting again would take long. */
  next(order: Order, values: Values, total?: number): string
}

/** What a cursor belongs to: an endpoint, its path parameters, and the query parameters that say which records are meant. */
interface CursorOwner {
  name: string
  params: object
  query: object
}

/** Makes the cursor of a query from what was sent. A cursor of another query is refused or, if not `isRefused`, ignored. */
export type ReadCursor = (owner: CursorOwner, sent: string | undefined, isRefused: boolean) => Cursor

/** Longer than a name of 255 characters, escaped and encoded. */
const LONGEST = 8_192
const DIGEST_BYTES = 16

/**
 * A cursor holds the values of the last record of a page, and a keyed digest of them and of the query. So all values that reach
 * a statement were written here, for the same query and the same order. It is deterministic, because the ETag depends on it.
 */
export function createCursors(serverSecret: string): ReadCursor {
  const key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'diwan cursors v1', 32))

  function digest(owner: CursorOwner, order: Order, values: Values): string {
    const columns = order.map(({ type, isDescending }) => [type, isDescending])
    const signed = JSON.stringify([owner.name, owner.params, owner.query, columns, values])
    return createHmac('sha256', key).update(signed).digest().subarray(0, DIGEST_BYTES).toString('base64url')
  }

  function write(owner: CursorOwner, order: Order, values: Values): string {
    return Buffer.from(JSON.stringify([digest(owner, order, values), ...values])).toString('base64url')
  }

  /** The values, and behind them the total if the cursor carries it. Only the very text that was written counts as the cursor. */
  function read(owner: CursorOwner, order: Order, text: string): Values | undefined {
    const [, ...values] = decode(text) ?? []
    const isComplete = values.length === order.length || values.length === order.length + 1
    return isComplete && text === write(owner, order, values) ? values : undefined
  }

  return (owner, sent, isRefused) => ({
    after(order) {
      if (sent === undefined) return undefined
      const values = read(owner, order, sent)
      if (!values && isRefused)
        throw unprocessable('cursor', 'must be the `next_cursor` of the same query; leave it out to begin again')
      return values?.slice(0, order.length)
    },
    total(order) {
      const total = sent === undefined ? undefined : read(owner, order, sent)?.[order.length]
      return total === undefined ? undefined : Number(total)
    },
    next(order, values, total) {
      return write(owner, order, total === undefined ? values : [...values, String(total)])
    },
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
