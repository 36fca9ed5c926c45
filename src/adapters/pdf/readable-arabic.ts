import { readShownText, type ShownText, writeShownText } from './content-text.ts'
import { EmbeddedFont } from './embedded-font.ts'
import { inLetters, isInLetters } from './letters.ts'
import { between, PdfObjects } from './pdf-objects.ts'

/**
 * A PDF from Typst in which Arabic is found by a search and copied as it was written, with the same look.
 *
 * Programs that read a PDF put its glyphs together to words by their places. Typst draws a vowel mark where it belongs, above or
 * beside the pen, and a stretched letter as two glyphs; there these programs see a gap, another line, or a letter that nobody
 * wrote. So each letter becomes one glyph that draws it with all that is attached to it, and each mark one that draws nothing
 * and only tells what it is.
 */
export function withReadableArabic(pdf: Buffer): Buffer {
  const objects = new PdfObjects(pdf)
  const list = objects.dictionary(objects.follow(objects.follow('trailer', 'Root'), 'Pages'))
  const kids = between(list, '/Kids [', ']')
  const pages = [...kids.matchAll(/(\d{1,9}) 0 R/g)].map(([, number]) => Number(number))
  if (pages.length === 0) throw new Error('The PDF has no pages')
  // All pages share them.
  const fonts = arabicFonts(objects, objects.follow(pages[0] as number, 'Resources'))
  if (fonts.size === 0) return pdf
  for (const page of pages) {
    const contents = objects.follow(page, 'Contents')
    const lines = objects.stream(contents).toString('latin1').split('\n')
    objects.setStream(contents, Buffer.from(rewritten(lines, fonts).join('\n'), 'latin1'))
  }
  for (const font of fonts.values()) font.save()
  return objects.toBuffer()
}

/** Those whose glyphs have their text behind them, by the name that the pages call them. */
function arabicFonts(objects: PdfObjects, resources: number): Map<string, EmbeddedFont> {
  const named = between(objects.dictionary(resources), '/Font <<', '>>')
  const fonts = [...named.matchAll(/\/(\w{1,9}) (\d{1,9}) 0 R/g)].map(
    ([, name = '', number]) => [name, Number(number)] as const,
  )
  return new Map(
    fonts
      .filter(([, number]) => /\/BaseFont \/\w{6}\+Amiri/.test(objects.dictionary(number)))
      .map(([name, number]) => [name, new EmbeddedFont(objects, number)]),
  )
}

interface Setting {
  font?: EmbeddedFont | undefined
  size: number
}

function rewritten(lines: string[], fonts: Map<string, EmbeddedFont>): string[] {
  const written: string[] = []
  const outer: Setting[] = []
  let setting: Setting = { size: 0 }
  let waiting: ShownText[] = []
  for (let at = 0; at < lines.length; ) {
    const shown = setting.font && readShownText(lines, at)
    if (shown) {
      waiting.push(shown)
      at += 4
      continue
    }
    flush()
    const line = lines[at++] as string
    written.push(line)
    if (line === 'q') outer.push(setting)
    else if (line === 'Q') setting = outer.pop() ?? { size: 0 }
    else if (line.endsWith(' Tf')) {
      const [name = '', size] = line.slice(1).split(' ')
      setting = { font: fonts.get(name), size: Number(size) }
    }
  }
  flush()
  return written

  function flush(): void {
    const { font, size } = setting
    if (waiting.length === 0 || !font) return
    const isFine = waiting.every(shown => isInLetters(shown, font))
    const shown = isFine ? waiting.flatMap(writeShownText) : inLetters(waiting, font, size)
    for (const line of shown) written.push(line)
    waiting = []
  }
}
