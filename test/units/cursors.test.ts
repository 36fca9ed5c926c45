import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from '../../src/domain/feed/cursor.ts'
import { createCursors } from '../../src/http/requests/cursor.ts'
import { ascending } from '../../src/http/requests/order.ts'

const CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .é\u0000']

/** The text with each of its characters replaced by each other one, left out, doubled, or preceded by each. */
function* altered(text: string): Generator<string> {
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)]
    for (const character of CHARACTERS) {
      yield before + character + after
      if (after !== '' && character !== after[0]) yield before + character + after.slice(1)
    }
    if (after !== '') yield before + after.slice(1)
  }
}

describe('A cursor of the feed that was altered by one character', () => {
  const epoch = '6ffb0123456789ab'
  const now = Date.parse('2026-11-15T08:30:00Z')
  it.each([
    { tx: '731', id: 12 },
    { tx: '0', id: 0 },
    { tx: '18446744073709551615', id: 9_007_199_254_740_991 },
  ])('is nonsense, whichever it was: $tx.$id', place => {
    const position = { ...place, atMs: now }
    const cursor = writeCursor({ epoch, ...position })
    expect(readCursor(cursor, epoch, now)).toEqual(position)
    const taken = [...altered(cursor)].filter(text => readCursor(text, epoch, now) !== undefined)
    expect(taken).toEqual([])
  })
})

describe('A cursor of a collection that was altered by one character', () => {
  const order = [ascending(sql`name`), ascending(sql`id`)]
  const owner = { name: 'list_things', params: {}, query: {} }
  const cursorFrom = (sent?: string) => createCursors('a secret of the tests')(owner, sent, false)
  it.each([
    ['Plan', '12'],
    ['خطة "المكتب" \\ \u000b\ufffd', '9007199254740991'],
    [null, '1'],
  ])('is nonsense, whichever it was: %j', (...values) => {
    for (const total of [undefined, 7]) {
      const cursor = cursorFrom().next(order, values, total)
      expect(cursorFrom(cursor).after(order)).toEqual(values)
      const taken = [...altered(cursor)].filter(text => cursorFrom(text).after(order) !== undefined)
      expect(taken).toEqual([])
    }
  })
})
