import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCompiler } from '../../../src/adapters/pdf/compiler.ts'
import { loadFonts } from '../../../src/adapters/pdf/fonts.ts'
import { markdownToTypst } from '../../../src/adapters/pdf/markdown-to-typst.ts'
import { withReadableArabic } from '../../../src/adapters/pdf/readable-arabic.ts'
import { hasPoppler, pdfjsText, popplerText, wordsOf } from '../../support/pdf-text.ts'

const MARKS = /[\u064b-\u0652\u0670]/g
const stems = wordsOf(readFileSync(new URL('../../fixtures/arabic-stems.txt', import.meta.url), 'utf8'))

/** Frequent words as they are mostly written, with their articles, prepositions and endings. */
const bareWords = (): string[] => {
  const [before, after] = [
    ['', 'ال', 'و', 'وال', 'بال', 'لل', 'ك'],
    ['', 'ها', 'هم', 'نا', 'ات', 'ين', 'ه', 'ي'],
  ]
  const words = stems.flatMap((stem, index) => {
    const bare = stem.replaceAll(MARKS, '')
    const forms = before.flatMap(first => after.map(last => first + (last ? bare.replace(/ة$/, 'ت') : bare) + last))
    // Some for each, in turn: together they have every beginning with every ending.
    return forms.filter((_, form) => form === 0 || (form + index) % 7 === 0)
  })
  return [...new Set(words)]
}

/** The same words with their vowels. */
const vowelledWords = (): string[] => {
  const words = stems.flatMap(stem => {
    const open = stem.replace(/[\u064b-\u0652\u0670]$/, '')
    return [stem, `الْ${stem}`, `وَ${stem}`, `بِ${open}ِ`, `${open}ُهَا`, `${open}َاتٌ`, `${open}ٍ`]
  })
  return [...new Set(words)]
}

let folder: string
let compile: (source: string) => Buffer
const fonts = loadFonts()
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'diwan-text-'))
  compile = createCompiler(folder, fonts.files)
})
afterAll(() => rmSync(folder, { recursive: true }))

const render = (markdown: string) => compile(markdownToTypst(markdown, { title: '', fonts: fonts.choose }))
const inParagraphs = (words: string[]) =>
  Array.from({ length: Math.ceil(words.length / 100) }, (_, index) =>
    words.slice(100 * index, 100 * (index + 1)).join(' '),
  ).join('\n\n')
/** Pages are numbered. */
const withoutNumbers = (words: string[]) => words.filter(word => !/^\d+$/.test(word))

describe.skipIf(!hasPoppler).each([
  ['pdf.js', pdfjsText],
  ['poppler', popplerText],
] as const)('Arabic in a PDF, as %s reads it,', (_, textOf) => {
  const read = async (markdown: string) => withoutNumbers(wordsOf(await textOf(render(markdown))))

  it.each([
    ['as they are mostly written', bareWords],
    ['with their vowels', vowelledWords],
  ])('is every one of some 3,000 frequent words, in order: %s', async (_, list) => {
    const words = list()
    expect(words.length).toBeGreaterThan(3000)
    expect(await read(inParagraphs(words))).toEqual(wordsOf(words.join(' ')))
  })

  it('is any letters with any marks', async () => {
    const letter = fc.constantFrom(...'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئءپچگڤ')
    const mark = fc.constantFrom('', '', '', ...'ًٌٍَُِّْٰٕٓٔ', 'َّ', 'ِّ', ...'ۭۖۗۚۛۜۢ')
    const word = fc
      .array(fc.tuple(letter, mark), { minLength: 1, maxLength: 9 })
      .map(letters => letters.flat().join(''))
    const documents = fc.array(word, { minLength: 1, maxLength: 150 })
    await fc.assert(
      fc.asyncProperty(documents, async words => {
        expect(await read(inParagraphs(words))).toEqual(wordsOf(words.join(' ')))
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    'البريد الإلكتروني في المملكة',
    'عام 1448 هـ، وهـ وحدها، ولا لا لألا',
    'محـمد ومحـــمد والـمدير والــمـديـر ولـكن ولكن وبِـي وفـي',
    'قال الله: بِسْمِ اللَّهِ الرَّحْمَٰنِ الرَّحِيمِ',
    'ذَٰلِكَ ٱلْكِتَـٰبُ لَا رَيْبَ ۛ فِيهِ ۛ هُدًۭى لِّلْمُتَّقِينَ ۞ ءَامَنُوا۟ أُو۟لَـٰٓئِكَ',
    'أهلًا «بكم» (جميعًا)، كيف الحال؟ 50% من ١٢٣٤ و 1.5',
  ])('is each word of a line as it was written: %s', async line => {
    expect(await read(line)).toEqual(withoutNumbers(wordsOf(line)))
  })

  it('is every word of a report with a table, lists, quotes and bold type', async () => {
    const report = `# تَقْرِيرُ المرحلةِ الأولى

أُعِدَّ هذا التقريرُ لمجلسِ الإدارة، وفيه **ملخصٌ مهمٌّ** عن المملكة.

| المرحلة | المسؤول | التكلفة |
|---|---|---:|
| التصميمُ | سَلْمَى | 8,000 |
| الاختبار | محمَّد | 5,000 |

- البريدُ الإلكترونيُّ
- الكلماتُ المتشابكةُ

> اقتباسٌ من كلامِ المديرِ

## خلاصةُ العملِ
`
    const words = new Set(await read(report))
    for (const word of withoutNumbers(wordsOf(report))) expect(words).toContain(word)
  })

  it('is what stands beside Latin words and code', async () => {
    const words = new Set(await read('تثبيت Visual Studio Code ثم تشغيل `npm start` في المملكة'))
    for (const word of 'تثبيت Visual Studio Code ثم تشغيل npm start في المملكة'.split(' '))
      expect(words).toContain(word.normalize())
  })
})

describe.skipIf(!hasPoppler)('The look of a page', () => {
  /** What Typst draws. */
  const drawn = (markdown: string): Buffer => {
    const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontBlobs: fonts.files }] })
    const path = join(folder, 'drawn.typ')
    compiler.addSource(path, markdownToTypst(markdown, { title: '', fonts: fonts.choose }))
    const { result } = compiler.compile({ mainFilePath: path })
    if (!result) throw new Error('It does not compile')
    return compiler.pdf(result)
  }

  /** How dark each square of 10 by 10 points is in a picture of the first page, from 0 to 1. */
  const squaresOf = (pdf: Buffer): number[] => {
    const options = ['-r', '150', '-gray', '-singlefile', '-']
    const picture = execFileSync('pdftoppm', options, { input: pdf, maxBuffer: 2 ** 28 })
    // Its header is P5, the width, the height and 255.
    const [, width = 0, height = 0] = picture.toString('latin1', 0, 30).split(/\s/).map(Number)
    const start = picture.length - width * height
    const columns = Math.ceil(width / 10)
    const squares: number[] = Array(columns * Math.ceil(height / 10)).fill(0)
    for (let at = start; at < picture.length; at++) {
      const [x, y] = [(at - start) % width, Math.floor((at - start) / width)]
      const square = Math.floor(y / 10) * columns + Math.floor(x / 10)
      squares[square] = (squares[square] as number) + (255 - (picture[at] as number)) / 25_500
    }
    return squares
  }

  it.each([
    ['vowels', () => inParagraphs(vowelledWords().slice(0, 250))],
    [
      'stretched letters and brackets',
      () => inParagraphs(bareWords().slice(1000, 1300).concat('(المملكة) «الإلكترونية» هـ')),
    ],
    ['marks of the Quran', () => '**ذَٰلِكَ ٱلْكِتَـٰبُ** لَا رَيْبَ ۛ فِيهِ ۛ هُدًۭى *لِّلْمُتَّقِينَ* ۞ أُو۟لَـٰٓئِكَ\n\n'.repeat(20)],
  ])('does not change: %s', (_, markdown) => {
    const before = drawn(markdown())
    const [squares, others] = [squaresOf(before), squaresOf(withReadableArabic(before))]
    expect(Math.max(...squares)).toBeGreaterThan(0.3)
    // Poppler puts a glyph on the nearest quarter of a dot.
    const farthest = Math.max(...squares.map((square, index) => Math.abs(square - (others[index] as number))))
    expect(farthest).toBeLessThan(0.12)
  })
})
