import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCompiler } from '../../../src/adapters/pdf/compiler.ts'
import { loadFonts } from '../../../src/adapters/pdf/fonts.ts'
import { markdownToTypst } from '../../../src/adapters/pdf/markdown-to-typst.ts'
import { withReadableArabic } from '../../../src/adapters/pdf/readable-arabic.ts'
import { describeWith } from '../../support/describe-with.ts'
import { pdfjsText, popplerText, wordsOf } from '../../support/pdf-text.ts'

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

const render = (markdown: string, title = '') => compile(markdownToTypst(markdown, { title, fonts: fonts.choose }))
const inParagraphs = (words: string[]) =>
  Array.from({ length: Math.ceil(words.length / 100) }, (_, index) =>
    words.slice(100 * index, 100 * (index + 1)).join(' '),
  ).join('\n\n')
/** Pages are numbered. */
const withoutNumbers = (words: string[]) => words.filter(word => !/^\d+$/.test(word))

const LINES = [
  'البريد الإلكتروني في المملكة',
  'عام 1448 هـ، وهـ وحدها، ولا لا لألا',
  'محـمد ومحـــمد والـمدير والــمـديـر ولـكن ولكن وبِـي وفـي',
  'قال الله: بِسْمِ اللَّهِ الرَّحْمَٰنِ الرَّحِيمِ',
  'ذَٰلِكَ ٱلْكِتَـٰبُ لَا رَيْبَ ۛ فِيهِ ۛ هُدًۭى لِّلْمُتَّقِينَ ۞ ءَامَنُوا۟ أُو۟لَـٰٓئِكَ',
  'أهلًا «بكم» (جميعًا)، كيف الحال؟ 50% من ١٢٣٤ و 1.5',
]
const REPORT = `# تَقْرِيرُ المرحلةِ الأولى

أُعِدَّ هذا التقريرُ لمجلسِ الإدارة، وفيه **ملخصٌ مهمٌّ** عن المملكة، و *سُرور* و ***دُرَر***.

| المرحلة | المسؤول | التكلفة |
|---|---|---:|
| التصميمُ | سَلْمَى | 8,000 |

- البريدُ الإلكترونيُّ

> اقتباسٌ من كلامِ المديرِ

تثبيت Visual Studio Code ثم تشغيل \`npm start\` في المملكة
`

/** The text as each reader of PDFs extracts it. */
function readsAsWritten(textOf: (pdf: Buffer) => Promise<string>) {
  const read = async (markdown: string) => withoutNumbers(wordsOf(await textOf(render(markdown))))

  it('is every one of some 3,000 frequent words, in order, with their vowels and without', async () => {
    for (const words of [bareWords(), vowelledWords()]) {
      expect(words.length).toBeGreaterThan(3000)
      expect(await read(inParagraphs(words))).toEqual(wordsOf(words.join(' ')))
    }
  })

  it('is any letters with any marks', async () => {
    const letter = fc.constantFrom(...'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئءپچگڤ')
    const mark = fc.constantFrom('', '', '', ...'ًٌٍَُِّْٰٕٓٔ', 'َّ', 'ِّ', ...'ۭۖۗۚۛۜۢ')
    const letters = fc.array(fc.tuple(letter, mark), { minLength: 1, maxLength: 9 })
    const word = letters.map(chosen => chosen.flat().join(''))
    const same = fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 150 }), async words => {
      expect(await read(inParagraphs(words))).toEqual(wordsOf(words.join(' ')))
    })
    await fc.assert(same, { numRuns: 30 })
  })

  it('is each word of a line, and of a report with a table, lists, quotes, bold type and code', async () => {
    for (const line of LINES) expect(await read(line)).toEqual(withoutNumbers(wordsOf(line)))
    const words = await read(REPORT)
    expect(words).toEqual(expect.arrayContaining(withoutNumbers(wordsOf(REPORT))))
  })
}

describe('Arabic in a PDF, as pdf.js reads it,', () => readsAsWritten(pdfjsText))
describeWith('poppler', 'Arabic in a PDF, as poppler reads it,', () => readsAsWritten(popplerText))

describeWith('poppler', 'A page', () => {
  const poppler = (program: string, pdf: Buffer, ...options: string[]) => {
    const path = join(folder, 'document.pdf')
    writeFileSync(path, pdf)
    return execFileSync(program, [...options, path, ...(program === 'pdftotext' ? ['-'] : [])], { encoding: 'utf8' })
  }
  const laidOut = (markdown: string) => poppler('pdftotext', render(markdown), '-layout')
  const infoOf = (markdown: string, title?: string) => poppler('pdfinfo', render(markdown, title))
  const fontsOf = (pdf: Buffer) => poppler('pdffonts', pdf).trim().split('\n').slice(2)
  const namesOf = (pdf: Buffer) => fontsOf(pdf).map(line => /\+([A-Za-z0-9]+)/.exec(line)?.[1])
  /** Each piece of text with the place of its left edge, also what is not on the page, and the width of the page. */
  const placesOf = (pdf: Buffer) => {
    const xml = poppler('pdftohtml', pdf, '-xml', '-i', '-stdout')
    const lefts = [...xml.matchAll(/<text [^>]*left="(-?\d+)"/g)].map(([, left]) => Number(left))
    return { width: Number(/<page [^>]*width="(\d+)"/.exec(xml)?.[1]), lefts }
  }

  it('is A4, has its number, and the first heading or else the name as title, without controls of direction', () => {
    const info = infoOf(`${REPORT}\n\n${'text text text\n\n'.repeat(60)}`)
    expect(info).toMatch(/Page size:.*\(A4\)/)
    expect(info).toMatch(/Pages:\s+3\n/)
    const pages = laidOut(`${REPORT}\n\n${'text text text\n\n'.repeat(60)}`).split('\f')
    expect(pages.slice(0, 3).map(page => page.trimEnd().split('\n').at(-1)?.trim())).toEqual(['1', '2', '3'])
    for (const [markdown, name, title] of [
      ['text', 'خطة 2026', 'خطة 2026'],
      ['# Heading\n\ntext', 'name', 'Heading'],
      ['# \n\ntext', 'name', 'name'],
      ['# Invoice \u202efdp.exe', 'name', 'Invoice fdp.exe'],
    ] as const)
      expect(infoOf(markdown, name)).toMatch(new RegExp(`Title: +${title}\n`))
  })

  it('has each word once, in the order of reading', async () => {
    // One by one: pdftotext reads all of a page in the direction of most of it.
    for (const line of [
      'تقرير عن مشروع Diwan',
      'Diwan هو برنامج لإدارة المشاريع تستخدمه شركة Acme منذ عام 2024 في بلدان كثيرة',
      'The word مرحبا appears in an English sentence',
      'قالت سارة إن الهاتف +966 50 123 4567 صحيح',
      '你好世界 日本語テスト 한국어 문서',
      'Emoji 😀 🚀 and → ≥ ✓',
    ])
      expect((await popplerText(render(line))).split(/\s+/).filter(Boolean)).toEqual([...line.split(' '), '1'])
    const { width, lefts } = placesOf(render('# مُحَمَّد\n\nكُتب **بُشرى** *سُرور* كتب بشرى سرور'))
    expect(lefts.length).toBeGreaterThan(1)
    for (const left of lefts) expect(left >= 0 && left < width).toBe(true)
  })

  it('runs from the right or from the left, as its text does, in paragraphs and in tables', () => {
    for (const [markdown, side] of [
      ['Diwan هو برنامج لإدارة المشاريع', 'right'],
      ['تثبيت Visual Studio Code Insiders', 'right'],
      ['Visual Studio Code على الحاسوب', 'left'],
    ] as const) {
      const { width, lefts } = placesOf(render(markdown))
      expect([markdown, (lefts[0] as number) > width / 3]).toEqual([markdown, side === 'right'])
    }
    expect(laidOut('|الاسم|1111|\n|-|-|\n|قلم|2222|')).toMatch(/2222.*قلم/)
    expect(laidOut('|name|1111|\n|-|-|\n|pen|2222|')).toMatch(/pen.*2222/)
  })

  it('shows any text as it stands, does nothing of it, and reads nothing for it', () => {
    for (const symbols of ['(۞)', '50 ٪ ٪ ٪', 'x \u0615 \u0615', '؀؀؀']) {
      const set = laidOut(`A sign ${symbols} is here`)
      for (const symbol of symbols.replaceAll(/[ ()]/g, '')) expect(set).toContain(symbol)
    }
    expect(laidOut('Between 12 ۞ 34 it stays').replaceAll(/[^\d۞]/g, '')).toContain('12۞34')
    const lines = fc.sample(fc.stringMatching(/^[!-~]{1,60}$/), 150).filter(line => !line.startsWith('```'))
    const text = laidOut(`\`\`\`\n${lines.join('\n')}\n\`\`\``).replaceAll(/\s/g, '')
    for (const line of lines) expect(text).toContain(line)
    for (const source of [
      '#read("/etc/passwd")',
      '$ x^2 $ @ref <label> // comment /* comment */',
      '"); read("/x"); ("',
    ])
      expect(laidOut(`- ${source}`).replaceAll(/\s+/g, ' ')).toContain(source)
    for (const source of ['![](file:///etc/passwd)', '![](https://example.com/x.png)', '[a](file:///etc/passwd)'])
      expect(laidOut(`before ${source} after`).replaceAll(/\s+/g, ' ')).toMatch(/before (a )?after/)
  })

  it('has our fonts and no others, embedded: a character that they lack is replaced, whoever else has it', async () => {
    const pdf = render('😀 ⠁ → 你好 テスト 한국어 مرحبا `code`')
    const ours =
      'Amiri ChocolateClassicalSans NanumGothicCoding NotoEmoji NotoSans NotoSansMath NotoSansMono NotoSansSymbols2'
    expect(namesOf(pdf).sort()).toEqual(ours.split(' '))
    for (const font of fontsOf(pdf)) expect(font).toMatch(/yes yes yes/)
    expect(await popplerText(pdf)).toContain('😀 ⠁ → 你好 テスト 한국어')
    // Typst itself carries fonts with Hebrew; most machines have one with Georgian.
    const foreign = render('Hebrew שלום, Georgian გამარჯობა, Thai ไทย')
    expect(await popplerText(foreign)).toContain('Hebrew ����, Georgian ���������, Thai ���')
    expect(namesOf(foreign)).toEqual(['NotoSans'])
  })

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

  it('looks as Typst draws it: that Arabic can be read changes nothing', () => {
    for (const markdown of [
      inParagraphs(vowelledWords().slice(0, 250)),
      inParagraphs(bareWords().slice(1000, 1300).concat('(المملكة) «الإلكترونية» هـ')),
      '**ذَٰلِكَ ٱلْكِتَـٰبُ** لَا رَيْبَ ۛ فِيهِ ۛ هُدًۭى *لِّلْمُتَّقِينَ* ۞ أُو۟لَـٰٓئِكَ\n\n'.repeat(20),
    ]) {
      const before = drawn(markdown)
      const [squares, others] = [squaresOf(before), squaresOf(withReadableArabic(before))]
      expect(Math.max(...squares)).toBeGreaterThan(0.3)
      // Poppler puts a glyph on the nearest quarter of a dot.
      const farthest = Math.max(...squares.map((square, index) => Math.abs(square - (others[index] as number))))
      expect(farthest).toBeLessThan(0.12)
    }
  })
})

describeWith('strace', 'The fonts of a PDF', () => {
  it('are read from our packages, and none from the machine', () => {
    const trace = join(folder, 'trace')
    const source = new URL('../../../src/adapters/pdf/renderer.ts', import.meta.url).href
    const script = `
      const { createTypstRenderer } = await import('${source}')
      const renderer = createTypstRenderer({ seconds: 100, waitMs: 100_000 })
      await renderer.render({ markdown: 'გამარჯობა', title: '', companyId: 1 })
      await renderer.close()`
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script]
    execFileSync('strace', ['-f', '--seccomp-bpf', '-e', 'trace=open,openat', '-o', trace, ...node])
    const opened = readFileSync(trace, 'utf8').split('\n')
    const read = opened.filter(line => /fonts|\.(?:ttf|otf|ttc)"/.test(line))
    expect(read.length).toBeGreaterThan(10)
    expect(read.filter(line => !/node_modules|diwan-pdf-|adapters\/pdf\/fonts/.test(line))).toEqual([])
  })
})
