/** One line of CSV (RFC 4180). Null becomes an empty cell. */
export function csvLine(cells: unknown[]): string {
  return `${cells.map(cell => quoted(harmless(textOf(cell)))).join(',')}\r\n`
}

/** The same with every cell unchanged: for people's own cells, which go back to where they came from. */
export function exactCsvLine(cells: string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** A spreadsheet takes text that begins like this for a formula. The apostrophe makes it text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
