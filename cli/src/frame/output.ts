import { styleText } from 'node:util'

export type Row = Record<string, unknown>

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints for people on standard error, because a program may read standard output. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Indented for people, on one line for programs. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined))
}

const GAP = '  '

/** `fields` are the columns: `owner.name` reads from a nested record. */
export function printTable(rows: Row[], fields: readonly string[]): void {
  const cells = rows.map(row => fields.map(field => cellOf(valueAt(row, field))))
  const headings = fields.map(field => field.replaceAll(/[._]/g, ' ').toUpperCase())
  const widths = headings.map((heading, n) => Math.max(heading.length, ...cells.map(row => widthOf(row[n] ?? ''))))
  const line = (texts: string[]) =>
    texts
      .map((text, n) => padded(text, widths[n] ?? 0))
      .join(GAP)
      .trimEnd()
  print(styleText('bold', line(headings)))
  for (const row of cells) print(line(row))
}

/** One field per line. */
export function recordLines(record: Row): string[] {
  const names = Object.keys(record)
  const width = Math.max(...names.map(name => name.length))
  return names.map(name => `${styleText('bold', name.padEnd(width))}${GAP}${cellOf(record[name])}`)
}

function valueAt(row: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), row)
}

export function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(', ')
  if (!isRecord(value)) return harmless(String(value))
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${cellOf(inner)}`)
    .join(', ')
}

const [FSI, PDI] = ['\u2068', '\u2069']

/**
 * Text from people must not control the terminal: what moves its cursor, colours it or reverses the line is removed, and
 * right-to-left text does not affect the columns next to it.
 */
export function harmless(text: string): string {
  const plain = text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  return process.stdout.isTTY && /[\u0590-\u08ff\ufb1d-\ufefc]/.test(plain) ? FSI + plain + PDI : plain
}

/** Marks above and below letters, and invisible characters, take no space. */
function widthOf(text: string): number {
  return [...text.replaceAll(/[\p{M}\p{Cf}]/gu, '')].length
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}
