/** How a file of CSV is written. */
export interface CsvForm {
  delimiter: string
  lineEnd: string
}

export const RFC_4180: CsvForm = { delimiter: ',', lineEnd: '\r\n' }

/** What a file of CSV in UTF-8 begins with: without it, Excel reads Arabic letters as those of another encoding. */
export const BYTE_ORDER_MARK = '\ufeff'

/** One line of CSV (RFC 4180) for spreadsheets. Null becomes an empty cell. */
export function csvLine(cells: unknown[]): string {
  return exactCsvLine(
    cells.map(cell => harmless(textOf(cell))),
    RFC_4180,
  )
}

/** The same with every cell unchanged: for people's own cells, which go back to where they came from. */
export function exactCsvLine(cells: string[], { delimiter, lineEnd }: CsvForm): string {
  return cells.map(cell => quoted(cell, delimiter)).join(delimiter) + lineEnd
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  return text.replaceAll(ISOLATES, '')
}

/** They order a sentence on a screen. In a file they would be found in the middle of names. */
const ISOLATES = /[\u2066-\u2069]/g

/** A spreadsheet takes text that begins like this for a formula, also behind blanks. The apostrophe makes it text. */
function harmless(text: string): string {
  return /^\s*[=+\-@＝＋－＠]|^[\t\r]/.test(text) ? `'${text}` : text
}

function quoted(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
