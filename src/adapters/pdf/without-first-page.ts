/**
 * A PDF without its first page. Only the list of pages changes, and its length stays the same, so that every object stays where
 * the table of the file says it is. For files with a classic table and a single list of pages, as Typst writes them.
 */
export function withoutFirstPage(pdf: Buffer): Buffer {
  const { at, text } = pageList(pdf)
  const [beforeCount = '', afterCount = ''] = split(text, '/Count ')
  const count = Number.parseInt(afterCount, 10)
  const [beforeKids = '', kids = ''] = split(afterCount.slice(String(count).length), '/Kids [')
  const [list = ''] = split(kids, ']')
  const [, others = ''] = split(list, ' 0 R')
  if (!Number.isInteger(count) || list === '') throw new Error('The list of pages was not found')
  const changed = `${beforeCount}${count - 1}${beforeKids}${others.trimStart()}`
  const end = text.indexOf(']', text.indexOf('/Kids [')) + 1
  const copy = Buffer.from(pdf)
  copy.write(changed.padEnd(end), at, 'latin1')
  return copy
}

/** Splits a text in two after the first mark. */
function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark) + mark.length
  return at < mark.length ? [] : [text.slice(0, at), text.slice(at)]
}

function pageList(pdf: Buffer): { at: number; text: string } {
  const tail = pdf.toString('latin1', pdf.lastIndexOf('trailer'))
  const table = Number(/startxref\s+(\d+)/.exec(tail)?.[1])
  const catalog = objectAt(pdf, table, Number(/\/Root (\d+) 0 R/.exec(tail)?.[1]))
  return objectAt(pdf, table, Number(/\/Pages (\d+) 0 R/.exec(catalog.text)?.[1]))
}

/** The table is `xref`, a line with the first number (0) and the count, and 20 bytes for each object. */
function objectAt(pdf: Buffer, table: number, number: number): { at: number; text: string } {
  const entries = pdf.indexOf('\n', table + 'xref\n'.length) + 1
  const entry = entries + 20 * number
  const at = Number(pdf.toString('latin1', entry, entry + 10))
  return { at, text: pdf.toString('latin1', at, pdf.indexOf('endobj', at)) }
}
