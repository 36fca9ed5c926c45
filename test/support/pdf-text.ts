import { execFileSync } from 'node:child_process'

/** Where the direction changes, pdftotext adds a mark of direction, at times in the place of a space. */
const ADDED = /[\u200e\u200f\u202a-\u202e\f]/g

/** The text of a PDF as poppler reads it. */
export async function popplerText(pdf: Buffer): Promise<string> {
  const text = execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return text.replaceAll(ADDED, ' ')
}

/** The text of a PDF as pdf.js reads it, which is what Firefox has. */
export async function pdfjsText(pdf: Buffer): Promise<string> {
  // It wants this for drawing, which nobody asks of it here.
  if (!('DOMMatrix' in globalThis)) Object.assign(globalThis, { DOMMatrix: class {} })
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const loading = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  const document = await loading.promise
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    pages.push(items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
  }
  await loading.destroy()
  return pages.join('\n')
}

/** Words and numbers in the order of reading, without what stands beside them, in one of the spellings that Unicode calls equal. */
export function wordsOf(text: string): string[] {
  return text.normalize().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
