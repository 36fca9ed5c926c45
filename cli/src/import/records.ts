import { type CsvForm, RFC_4180 } from '../../../src/lib/csv.ts'
import { Failure } from '../frame/command.ts'
import { ASANA_NAMES, asanaRecords } from './asana-json.ts'
import type { Encoding } from './choices.ts'
import { type Columns, findColumns, type Wishes } from './columns.ts'
import { type CsvRow, createCsvReader, UnreadableRow } from './csv-reader.ts'
import { createDecoder } from './decoding.ts'
import type { Entry } from './entry.ts'
import { createJsonRecords } from './json-records.ts'
import { createParentSections } from './parent-sections.ts'
import { REDMINE_NAMES, redmineRecord } from './redmine-json.ts'
import { openPlain } from './without-links.ts'

/** How FILE is written. JSON is taken for CSV of the usual form: rejected records are written as rows too. */
interface Form extends CsvForm {
  encoding: Encoding
}

/** What is known of FILE besides its entries. */
export interface Source {
  columns: Columns
  form: Form
}

interface Portion extends Source {
  entries: Entry[]
}

export interface Reading extends Wishes {
  file: string
  encoding: Encoding
}

/** A file of JSON besides FILE. */
export function jsonTextOf(file: string): AsyncGenerator<string> {
  return textOf({ file, encoding: 'utf-8' }, () => {})
}

/** FILE from beginning to end, a portion at a time. `onBytes` sees all of it. */
export async function* portionsOf(reading: Reading, onBytes: (bytes: Buffer) => void): AsyncGenerator<Portion> {
  let reader: ReturnType<typeof readerOf> | undefined
  for await (const text of textOf(reading, onBytes)) {
    if (reader === undefined && text.trim() === '') continue
    reader ??= readerOf(reading, text)
    yield* reader.push(text)
  }
  if (reader === undefined) throw new Failure(`${reading.file} is empty`)
  yield* reader.end()
}

async function* textOf(
  { file, encoding }: Pick<Reading, 'file' | 'encoding'>,
  onBytes: (bytes: Buffer) => void,
): AsyncGenerator<string> {
  const { decode } = createDecoder(file, encoding)
  let isFirst = true
  const handle = await openPlain(file)
  for await (const bytes of handle.createReadStream({ highWaterMark: 256 * 1024 })) {
    if (isFirst && hasWideMark(bytes)) throw new Failure(`${file} is UTF-16. Save it as UTF-8`)
    isFirst = false
    onBytes(bytes)
    yield decode(bytes)
  }
  yield decode()
}

function hasWideMark([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** Redmine and Asana export JSON too: it begins like none of their rows. */
function readerOf(reading: Reading, beginning: string) {
  const writtenAs = { encoding: reading.encoding }
  const isJson = /^[[{]/.test(beginning.trimStart())
  if (isJson && reading.format === 'redmine')
    return jsonReader(reading, writtenAs, 'issues', REDMINE_NAMES, redmineRecord)
  if (isJson && reading.format === 'asana') return jsonReader(reading, writtenAs, 'data', ASANA_NAMES, asanaRecords)
  return csvReader(reading, writtenAs)
}

type WrittenAs = Omit<Form, keyof CsvForm>

function csvReader(reading: Reading, writtenAs: WrittenAs) {
  const csv = createCsvReader()
  let header: { columns: Columns; inherit?: (row: Entry) => void } | undefined
  const portions = (rows: CsvRow[]): Portion[] => {
    if (header === undefined) {
      const [first] = rows.splice(0, 1)
      if (first === undefined) return []
      header = readHeader(first, reading)
    }
    const { columns, inherit = () => {} } = header
    // Spreadsheets also write rows that have become empty.
    const entries: Entry[] = rows.filter(({ cells }) => cells.some(cell => cell !== ''))
    for (const entry of entries) {
      entry.problem ??= problemOf(entry.cells.length, columns.names.length)
      inherit(entry)
    }
    return entries.length > 0 ? [{ columns, form: { ...csv.form(), ...writtenAs }, entries }] : []
  }
  return { push: (text: string) => portions(csv.push(text)), end: () => portions(csv.end()) }
}

function readHeader({ number, cells, problem }: CsvRow, reading: Reading) {
  if (problem !== undefined) throw new UnreadableRow(number, problem)
  const columns = findColumns(cells, reading)
  return { columns, ...(reading.format === 'asana' && { inherit: createParentSections(columns) }) }
}

function problemOf(cells: number, names: number): string | undefined {
  return cells === names ? undefined : `has ${cells} cells, but the header has ${names}. Is a quote missing?`
}

function jsonReader(
  reading: Reading,
  writtenAs: WrittenAs,
  list: string,
  names: string[],
  spread: (record: unknown) => Omit<Entry, 'number'>[],
) {
  const json = createJsonRecords(list)
  const columns = findColumns(names, reading)
  let number = 0
  return {
    push(text: string): Portion[] {
      const entries = json.push(text).flatMap(record => {
        number++
        return spread(record).map(entry => ({ ...entry, number }))
      })
      return entries.length > 0 ? [{ columns, form: { ...RFC_4180, ...writtenAs }, entries }] : []
    },
    end(): Portion[] {
      json.end()
      return []
    },
  }
}
