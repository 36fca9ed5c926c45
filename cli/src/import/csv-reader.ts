import { type CsvForm, RFC_4180 } from '../../../src/lib/csv.ts'

export interface CsvRow {
  /** Counted as in a spreadsheet: the first row is 1, and empty rows count. */
  number: number
  cells: string[]
  /** Why the cells cannot be trusted; the rows after this one can. */
  problem?: string
}

/** Nothing after this row can be parsed. */
export class UnreadableRow extends Error {
  constructor(
    readonly row: number,
    reason: string,
  ) {
    super(`row ${row} ${reason}`)
  }
}

const LONGEST_ROW = 1024 * 1024
const MOST_CELLS = 1_000
const DELIMITERS = [',', ';', '\t'] as const

/**
 * Reads CSV (RFC 4180) as it arrives, in pieces of any size. Rows end with LF, CR LF or CR; the delimiter is the one that is
 * most frequent in the first row; empty rows are left out. A quote inside a cell that does not begin with one is a plain quote.
 */
export function createCsvReader() {
  let delimiter: string | undefined
  let held = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let cell = ''
  let cells: string[] = []
  let problem: string | undefined
  let number = 1
  let length = 0
  let isAfterReturn = false
  let lineEnd: string | undefined
  let done: CsvRow[] = []

  function push(text: string, isLast = false): CsvRow[] {
    done = []
    if (delimiter === undefined) {
      held += text
      if (held.length > LONGEST_ROW && !isLast) isLast = true
      delimiter = delimiterOf(held, isLast)
      if (delimiter === undefined) return []
      read(held)
      held = ''
    } else read(text)
    return done
  }

  function end(): CsvRow[] {
    const rows = push('', true)
    if (state === 'quoted') throw new UnreadableRow(number, 'has a quote that is never closed')
    if (state !== 'start' || cells.length > 0) endRow()
    return rows
  }

  function read(text: string): void {
    for (let at = 0; at < text.length; ) at = state === 'quoted' ? readQuoted(text, at) : readSign(text, at)
  }

  function readQuoted(text: string, at: number): number {
    const quote = text.indexOf('"', at)
    if (quote < 0) {
      add(text.slice(at))
      return text.length
    }
    add(text.slice(at, quote))
    state = 'closed'
    return quote + 1
  }

  function readSign(text: string, at: number): number {
    const sign = text[at]
    const endsReturn = isAfterReturn && sign === '\n'
    isAfterReturn = sign === '\r'
    if (endsReturn) {
      lineEnd = '\r\n'
      return at + 1
    }
    if (sign === '\n' || sign === '\r') lineEnd ??= sign
    if (sign === delimiter) endCell()
    else if (sign === '\n' || sign === '\r') endRow()
    else if (sign === '"' && state === 'start') state = 'quoted'
    else if (sign === '"' && state === 'closed') {
      add('"')
      state = 'quoted'
    } else return readPlain(text, at)
    return at + 1
  }

  function readPlain(text: string, at: number): number {
    if (state === 'closed') problem ??= 'has text after a closing quote'
    let end = at + 1
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++
    add(text.slice(at, end))
    state = 'plain'
    return end
  }

  function add(text: string): void {
    length += text.length
    if (length > LONGEST_ROW)
      throw new UnreadableRow(number, `is longer than ${LONGEST_ROW / 1024 / 1024} MB. Is a quote missing?`)
    cell += text
  }

  function endCell(): void {
    cells.push(cell)
    if (cells.length > MOST_CELLS) throw new UnreadableRow(number, `has more than ${MOST_CELLS} cells`)
    cell = ''
    state = 'start'
  }

  function endRow(): void {
    const isEmpty = state === 'start' && cells.length === 0
    endCell()
    if (!isEmpty) done.push({ number, cells, ...(problem !== undefined && { problem }) })
    number++
    cells = []
    problem = undefined
    length = 0
  }

  /** As far as it was seen in what has been read. */
  function form(): CsvForm {
    return { delimiter: delimiter ?? RFC_4180.delimiter, lineEnd: lineEnd ?? RFC_4180.lineEnd }
  }

  return { push, end, form }
}

/** Undefined while the first non-empty row may be incomplete. */
function delimiterOf(text: string, isAll: boolean): string | undefined {
  const counts = new Map<string, number>(DELIMITERS.map(each => [each, 0]))
  let isQuoted = false
  let isEmpty = true
  let hasEnded = isAll
  for (const sign of text) {
    const endsLine = sign === '\n' || sign === '\r'
    if (endsLine && !isQuoted && !isEmpty) {
      hasEnded = true
      break
    }
    if (!endsLine) isEmpty = false
    if (sign === '"') isQuoted = !isQuoted
    const count = counts.get(sign)
    if (count !== undefined && !isQuoted) counts.set(sign, count + 1)
  }
  if (!hasEnded) return undefined
  return DELIMITERS.reduce<string>(
    (best, each) => ((counts.get(each) ?? 0) > (counts.get(best) ?? 0) ? each : best),
    ',',
  )
}
