import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCompiler } from '../../../src/adapters/pdf/compiler.ts'
import { loadFonts } from '../../../src/adapters/pdf/fonts.ts'
import { markdownToTypst } from '../../../src/adapters/pdf/markdown-to-typst.ts'
import { createTypstRenderer } from '../../../src/adapters/pdf/renderer.ts'
import { PdfRefused, type PdfRenderer } from '../../../src/domain/ports/pdf-renderer.ts'

const MAX_BYTES = 262_144
const MB = 1024 ** 2
const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined

const filled = (piece: string) => {
  const count = Math.floor(MAX_BYTES / Buffer.byteLength(piece))
  return piece.repeat(count)
}
const textOf = (pdf: Buffer) => execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
/** Its words in the order of reading, without vowel marks. */
const wordsOf = (pdf: Buffer) =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' })
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}]+/u)
const infoOf = (pdf: Buffer) => execFileSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8' })

let companies = 0
/** As the only document of its company. */
const render = (renderer: PdfRenderer, markdown: string) =>
  renderer.render({ markdown, title: 'A file', companyId: ++companies })

const REPORT = `# تقرير المرحلة الأولى

أُعِدَّ هذا التقرير لعرض حالة المشروع على مجلس الإدارة، ويتضمن ملخصًا للمهام المنجزة[^1] وخلاصة الأعمال.

| المرحلة | التكلفة |
|---|---:|
| التصميم | 8,000 |
| الاختبار | 5,000 |

1. Deploy the server
2. مراجعة العقود مع فريق المبيعات

[^1]: حتى نهاية العام.
`

describe('The PDF renderer', () => {
  let renderer: PdfRenderer
  beforeAll(() => {
    // A busy machine takes longer than anybody would wait.
    renderer = createTypstRenderer({ seconds: 100, waitMs: 100_000 })
  })
  afterAll(() => renderer.close())

  it('makes one page of an empty document', async () => {
    const pdf = await render(renderer, '')
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  })

  it('makes the same bytes of the same document', async () => {
    const [one, other] = await Promise.all([render(renderer, REPORT), render(renderer, REPORT)])
    expect(one.equals(other)).toBe(true)
  })

  describe.skipIf(!hasPoppler)('as poppler reads it', () => {
    it('writes on A4, with the first heading as title, and numbers the pages', async () => {
      const pdf = await render(renderer, `${REPORT}\n\n${'text text text\n\n'.repeat(60)}`)
      expect(infoOf(pdf)).toMatch(/Title:\s+تقرير المرحلة الأولى\n/)
      expect(infoOf(pdf)).toMatch(/Page size:.*\(A4\)/)
      expect(infoOf(pdf)).toMatch(/Pages:\s+3\n/)
      const pages = textOf(pdf).split('\f')
      expect(pages.slice(0, 3).map(page => page.trimEnd().split('\n').at(-1)?.trim())).toEqual(['1', '2', '3'])
    })

    it('embeds its fonts, the Arabic one too', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'diwan-fonts-'))
      writeFileSync(join(folder, 'a.pdf'), await render(renderer, REPORT))
      const fonts = execFileSync('pdffonts', [join(folder, 'a.pdf')], { encoding: 'utf8' })
      rmSync(folder, { recursive: true })
      expect(fonts).toMatch(/Amiri-Regular/)
      for (const font of fonts.trim().split('\n').slice(2)) expect(font).toMatch(/yes yes yes/)
    })

    it('gives Arabic words back as they were written, after words with vowel marks too', async () => {
      const words = wordsOf(await render(renderer, REPORT))
      const written =
        'تقرير المرحلة الأولى هذا التقرير لعرض حالة المشروع على مجلس الإدارة ويتضمن للمهام المنجزة وخلاصة الأعمال التكلفة التصميم الاختبار مراجعة العقود مع فريق المبيعات حتى نهاية العام'
      for (const word of written.split(' ')) expect(words).toContain(word)
    })

    it('runs the columns of an Arabic table from the right, and those of an English one from the left', async () => {
      const rtl = await render(renderer, '|الاسم|1111|\n|-|-|\n|قلم|2222|')
      expect(textOf(rtl)).toMatch(/2222.*قلم/)
      const ltr = await render(renderer, '|name|1111|\n|-|-|\n|pen|2222|')
      expect(textOf(ltr)).toMatch(/pen.*2222/)
    })

    it.each(['(۞)', '۞ ۩ ﷽', '50 ٪ ٪ ٪', 'x \u0615 \u0615 \u0615', '؀؀؀'])(
      'sets %s, Arabic without a letter, in an English sentence',
      async symbols => {
        const set = textOf(await render(renderer, `A sign ${symbols} is here`))
        expect(set).toMatch(/A sign/)
        for (const symbol of symbols.replaceAll(/[ ()]/g, '')) expect(set).toContain(symbol)
      },
    )

    it('leaves them where they are', async () => {
      const set = textOf(await render(renderer, 'Between 12 ۞ 34 it stays'))
      expect(set.replaceAll(/[^\d۞]/g, '')).toContain('12۞34')
    })

    it('shows any text as it stands', async () => {
      const lines = fc.sample(fc.stringMatching(/^[!-~]{1,60}$/), 150).filter(line => !line.startsWith('```'))
      const text = textOf(await render(renderer, `\`\`\`\n${lines.join('\n')}\n\`\`\``)).replaceAll(/\s/g, '')
      for (const line of lines) expect(text).toContain(line)
    })

    it.each([
      '#read("/etc/passwd")',
      '#import "@preview/example:0.1.0": add',
      '#include "/etc/passwd"',
      '$ x^2 $ @ref <label> // comment /* comment */',
      '"); read("/etc/passwd"); ("',
    ])('shows %s and does nothing of it', async source => {
      expect(textOf(await render(renderer, `- ${source}`)).replaceAll(/\s+/g, ' ')).toContain(source)
    })

    it.each([
      '![](file:///etc/passwd)',
      '![](/etc/passwd)',
      '![](https://example.com/x.png)',
      '[a](file:///etc/passwd)',
    ])('reads nothing for %s', async source => {
      const text = textOf(await render(renderer, `before ${source} after`))
      expect(text.replaceAll(/\s+/g, ' ')).toMatch(/before (a )?after/)
    })

    it('renders five documents at once, each with its own text', async () => {
      const numbers = [1, 2, 3, 4, 5]
      const pdfs = await Promise.all(numbers.map(number => render(renderer, `document number${number}`)))
      for (const number of numbers) expect(textOf(pdfs[number - 1] as Buffer)).toContain(`number${number}`)
    })
  })

  it('renders the largest ordinary document in seconds without holding up anything else', async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const startedAt = performance.now()
    delay.enable()
    const pdf = await render(
      renderer,
      filled(`${REPORT.replaceAll(/\[\^1\].?/g, '')}\n\n${'An English text. '.repeat(30)}\n\n`),
    )
    delay.disable()
    expect(pdf.length).toBeGreaterThan(100_000)
    // What is done here and not in another process holds up everything for as long as it takes.
    expect(delay.max / 1e6).toBeLessThan((performance.now() - startedAt) / 2)
  })
})

describe('A PDF renderer in a hurry survives', () => {
  let renderer: PdfRenderer
  beforeAll(() => {
    // Long enough for a short document on a busy machine.
    renderer = createTypstRenderer({ seconds: 6, waitMs: 150_000 })
  })
  afterAll(() => renderer.close())

  const nestedList = () => {
    let list = ''
    for (let depth = 0; list.length < MAX_BYTES - 1000; depth++) list += `${' '.repeat(depth)}- a\n`
    return list
  }
  const anything = () =>
    fc
      .sample(fc.string({ unit: 'binary', minLength: 400, maxLength: 400 }), { numRuns: 100, seed: 7 })
      .join('')
      .replaceAll('\0', '')
  it.concurrent.each<[name: string, markdown: string]>([
    ['brackets', filled('[')],
    ['images that never end', filled('![')],
    ['stars', filled('*')],
    ['emphasis in emphasis', filled('*a_b')],
    ['quotes in quotes', filled('> ')],
    ['lists in lists', nestedList()],
    ['lists in quotes in lists', filled('> - ')],
    ['a table of 10,000 columns', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'b|'.repeat(10_000)}\n`],
    ['a word without end', filled('a')],
    ['an Arabic word without end', filled('ب')],
    ['backticks', filled('`')],
    ['pipes', filled('|')],
    ['emoji', filled('😀')],
    ['a family of emoji without end', filled('👨‍👩‍👧‍👦')],
    ['any characters at all', anything()],
    ['controls of direction', filled('\u202e\u2067\u2069\u202c')],
    ['isolates that overflow the algorithm', filled('\u2067a')],
    ['marks upon marks', `a${filled('\u0301')}`],
    ['footnotes that name themselves', '[^1]\n\n[^1]: [^1] [^2]\n[^2]: [^1]'],
    ['a footnote on every word', filled('a^[b] ')],
  ])('%s: it is a PDF or refused, and the next one works', { tags: 'long' }, async (_, markdown) => {
    const [outcome] = await Promise.allSettled([render(renderer, markdown)])
    if (outcome.status === 'fulfilled') expect(outcome.value.subarray(0, 5).toString()).toBe('%PDF-')
    else expect(outcome.reason).toBeInstanceOf(PdfRefused)
    expect(await render(renderer, 'next')).toBeInstanceOf(Buffer)
  })
})

describe('The limits of the PDF renderer', () => {
  const PARAGRAPHS = filled('a\n\n')

  it('end a document that takes too long, not the ones that wait behind it', async () => {
    const renderer = createTypstRenderer({ seconds: 6, waitMs: 150_000, memoryBytes: 4096 * MB, total: 1 })
    await render(renderer, 'warm')
    const slow = render(renderer, PARAGRAPHS)
    const next = render(renderer, 'next')
    await expect(slow).rejects.toThrow('could not be rendered within 6 seconds')
    expect(await next).toBeInstanceOf(Buffer)
    await renderer.close()
  })

  it('end a document that needs too much memory', async () => {
    const renderer = createTypstRenderer({ seconds: 100, waitMs: 100_000, memoryBytes: 300 * MB, total: 1 })
    await expect(render(renderer, PARAGRAPHS)).rejects.toThrow('needs more than 300 MB to be rendered')
    expect(await render(renderer, 'next')).toBeInstanceOf(Buffer)
    await renderer.close()
  })

  it('leave no process after it is closed, and no document waiting', async () => {
    const renderer = createTypstRenderer({ total: 1 })
    await render(renderer, 'warm')
    const documents = [render(renderer, PARAGRAPHS), render(renderer, 'next')]
    const outcomes = Promise.allSettled(documents)
    await renderer.close()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('The compiler', () => {
  let folder: string
  let compile: (source: string) => Buffer
  const fonts = loadFonts()
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'diwan-empty-'))
    compile = createCompiler(folder, fonts.files)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(['#read("/etc/passwd")', '#read("../../etc/passwd")', '#include "/etc/passwd"', '#image("/etc/passwd")'])(
    'would read nothing even for %s',
    source => {
      expect(() => compile(source)).toThrow(/not found|access denied/)
    },
  )

  it('takes whatever markdown becomes, one document after the other', () => {
    const piece = fc.constantFrom(
      ...[
        '# ',
        '\n',
        '\n\n',
        '- ',
        '1. ',
        '> ',
        '    ',
        '|a|b|\n|-|:-:|\n',
        '|',
        '```\n',
        '`',
        '**',
        '*',
        '~~',
        '---\n',
      ],
      ...[
        '[x](',
        ')',
        '](http://a.b)',
        '![',
        '[^1]',
        '\n\n[^1]: ',
        '^[',
        ']',
        '"',
        '\\',
        '$',
        '<b>',
        '- [x] ',
        '&quot;',
        'a ',
      ],
      ...[
        'شكرًا',
        'مُحَمَّد ',
        '😀',
        '🚀',
        '👍🏽',
        '👨‍👩‍👧',
        '🇪🇬',
        '❤️',
        '你好',
        'हिन्दी',
        'שָׁלוֹם',
        'ߒߞߏ',
        'e\u0301',
        '\u200d',
        '\u200f',
        '\u2067',
        '\u2069',
        '۞',
        '\u2028',
        '\t',
        'ٍ',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 50 }), pieces => {
        expect(
          compile(markdownToTypst(pieces.join(''), { title: '', fonts: fonts.choose }))
            .subarray(0, 5)
            .toString(),
        ).toBe('%PDF-')
      }),
      { numRuns: 300 },
    )
  })
})
