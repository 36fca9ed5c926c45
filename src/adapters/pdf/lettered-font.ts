import { forEachCharacter } from './font-characters.ts'
import { type Substitution, substitutionsOf } from './font-substitutions.ts'
import { putTogether, takeApart } from './font-tables.ts'
import { withText } from './text-in-outline.ts'

const ONLY_TATWEEL = /^\u0640+$/

/**
 * The font with each glyph's text in its outline, where it is not seen: a PDF has only some of the glyphs, under
 * other numbers, and this tells which they are.
 *
 * The glyph of a tatweel may also stretch a letter without being written, as in المملكة. There it is another one of the
 * same look, whose text is empty.
 */
export function lettered(font: Buffer): Buffer {
  const apart = takeApart(font)
  const { glyphs, metrics, tables } = apart
  const gsub = Buffer.from(tables.get('GSUB') as Buffer)
  const substitutions = substitutionsOf(gsub)
  const texts = textsOf(font, glyphs.length, substitutions)
  const silent = new Map<number, number>()
  for (const { from, to, at } of substitutions) {
    if (to.length < 2 || ONLY_TATWEEL.test(texts[from[0] as number] ?? '')) continue
    for (const [index, glyph] of to.entries()) {
      if (index === 0 || !ONLY_TATWEEL.test(texts[glyph] ?? '')) continue
      const twin = silent.get(glyph) ?? glyphs.length + silent.size
      silent.set(glyph, twin)
      gsub.writeUInt16BE(twin, (at as number) + 2 * index)
    }
  }
  const twins = [...silent.keys()]
  const blank = glyphs.findIndex(({ length }) => length === 0)
  return putTogether({
    tables: new Map([...tables, ['GSUB', gsub]]),
    glyphs: [
      ...glyphs.map((glyph, index) => withText(glyph, texts[index] ?? '', blank)),
      ...twins.map(twin => withText(glyphs[twin] as Buffer, '', blank)),
    ],
    metrics: [...metrics, ...twins.map(twin => metrics[twin] as (typeof metrics)[number])],
  })
}

/** What each glyph stands for: its character, or what the glyphs stand for that it is drawn instead of. */
function textsOf(font: Buffer, count: number, substitutions: Substitution[]): (string | undefined)[] {
  const texts: (string | undefined)[] = Array(count).fill(undefined)
  forEachCharacter(font, (code, glyph) => {
    const character = String.fromCodePoint(code)
    // A letter comes before its presentation forms.
    if (character < (texts[glyph] ?? '\uffff')) texts[glyph] = character
  })
  const hasCharacter = texts.map(text => text !== undefined)
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const { from, to } of substitutions) {
      const [glyph] = to
      const parts = from.map(part => texts[part])
      if (glyph === undefined || hasCharacter[glyph] || parts.includes(undefined)) continue
      const text = parts.join('')
      if (text >= (texts[glyph] ?? '\uffff')) continue
      texts[glyph] = text
      hasChanged = true
    }
  }
  return texts
}
