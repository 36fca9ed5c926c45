import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCompiler } from '../../../src/adapters/pdf/compiler.ts'
import { loadFonts } from '../../../src/adapters/pdf/fonts.ts'
import { markdownToTypst } from '../../../src/adapters/pdf/markdown-to-typst.ts'
import { createTypstRenderer, type PdfLimits } from '../../../src/adapters/pdf/renderer.ts'
import { PdfRefused, type PdfRenderer, PdfUnavailable } from '../../../src/domain/ports/pdf-renderer.ts'
import { until } from '../../support/servers.ts'

const MAX_BYTES = 262_144
const MB = 1024 ** 2
const LONG = { tags: 'long' }
/** Takes all the time that it is given. */
const SLOW = 'a\n\n'.repeat(87_000)
const BUSY = new PdfUnavailable('Too many PDFs are being made at the moment. Try again soon.')
/** A busy machine takes longer than anybody would wait. */
const PATIENT = { seconds: 100, waitMs: 100_000 }

const filled = (piece: string) => piece.repeat(Math.floor(MAX_BYTES / Buffer.byteLength(piece)))

let renderer: PdfRenderer
/** With every process started, which a busy machine may not do in time at first. */
async function open(limits: Partial<PdfLimits>) {
  renderer = createTypstRenderer(limits)
  const warm = (_: unknown, company: number) => until(() => render('warm', company).then(isPdf, () => false))
  await Promise.all(Array.from({ length: limits.total ?? 2 }, warm))
}
let companies = 100
const render = (markdown: string, companyId = ++companies, signal?: AbortSignal) =>
  renderer.render({ companyId, markdown, title: 'A file', ...(signal && { signal }) })
const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString() === '%PDF-'

async function timed<T>(work: Promise<T>): Promise<{ ms: number; outcome: PromiseSettledResult<T> }> {
  const start = performance.now()
  const [outcome] = await Promise.allSettled([work])
  return { ms: performance.now() - start, outcome }
}
const statuses = async (documents: Promise<Buffer>[]) =>
  (await Promise.allSettled(documents)).map(outcome =>
    outcome.status === 'fulfilled' ? 'pdf' : outcome.reason instanceof PdfUnavailable ? 'unavailable' : 'refused',
  )
/** The processes that set documents now. */
const pids = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(pid => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('adapters/pdf/worker'))
    .map(Number)

const REPORT = `# تقرير المرحلة الأولى

يتضمن هذا التقرير ملخصًا للمهام **المنجزة** وخلاصة الأعمال.

| المرحلة | التكلفة |
|---|---:|
| التصميم | 8,000 |

1. Deploy the server
`

describe('The PDF renderer', () => {
  afterEach(() => renderer.close())

  it('makes one page of an empty document, and the same bytes of the same document', async () => {
    await open(PATIENT)
    const pdf = await render('')
    expect(isPdf(pdf)).toBe(true)
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
    const [one, other] = (await Promise.all([render(REPORT), render(REPORT)])) as [Buffer, Buffer]
    expect(one.equals(other)).toBe(true)
  })

  it('renders the largest ordinary document without holding up anything else', async () => {
    await open(PATIENT)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const startedAt = performance.now()
    delay.enable()
    expect((await render(filled(`${REPORT}\n\n${'An English text. '.repeat(30)}\n\n`))).length).toBeGreaterThan(100_000)
    delay.disable()
    // Work in this process, and not in another, blocks everything else.
    expect(delay.max / 1e6).toBeLessThan((performance.now() - startedAt) / 2)
  })

  it('ends a document that takes too long, not the ones that wait behind it', async () => {
    await open({ seconds: 6, waitMs: 150_000, memoryBytes: 4096 * MB, total: 1 })
    const slow = render(SLOW)
    const next = render('next')
    await expect(slow).rejects.toThrow('could not be rendered within 6 seconds')
    expect(isPdf(await next)).toBe(true)
  })

  it('ends a document that needs too much memory, and the next one works', async () => {
    await open({ ...PATIENT, memoryBytes: 300 * MB, total: 1 })
    await expect(render(SLOW)).rejects.toThrow('needs more than 300 MB to be rendered')
    expect(isPdf(await render('next'))).toBe(true)
  })

  it('leaves no process after it is closed, and no document waiting', async () => {
    await open({ total: 1 })
    const outcomes = statuses([render(SLOW), render('next')])
    await renderer.close()
    expect(await outcomes).not.toContain('pdf')
    expect(pids()).toEqual([])
  })

  it.each<[how: string, signal: NodeJS.Signals]>([
    ['was killed', 'SIGKILL'],
    ['stands still', 'SIGSTOP'],
  ])('replaces a process that %s: the next document is set by another', async (_, signal) => {
    await open({ total: 1 })
    const [pid] = pids()
    process.kill(pid as number, signal)
    // Without a pause: the server has not heard of it yet.
    expect(await statuses([render('text')])).toEqual(['pdf'])
    expect(pids()).toHaveLength(1)
    expect(pids()).not.toContain(pid)
  })
})

describe('The queue for PDFs', () => {
  afterEach(() => renderer.close())

  it('takes turns where more companies wait than there are processes', LONG, async () => {
    await open({ ...PATIENT, total: 1 })
    const done: number[] = []
    const documents = [3, 3, 3, 4, 5].map(company => render('text', company).then(() => done.push(company)))
    await Promise.all([render(SLOW.slice(0, 30_000), 1).then(() => done.push(0)), ...documents])
    expect(done.indexOf(5)).toBeLessThan(done.lastIndexOf(3))
    expect(done.toSorted()).toEqual([0, 3, 3, 3, 4, 5])
  })

  it('lets a company with eight slow documents hold up nobody else', LONG, async () => {
    await open({ seconds: 6, waitMs: 10_000 })
    const slow = statuses(Array.from({ length: 8 }, () => render(SLOW, 1)))
    const quick = await timed(render('one line', 2))
    expect(quick.outcome.status).toBe('fulfilled')
    expect(quick.ms).toBeLessThan(6_000)
    // Two have used up their time, and for the others the wait was too long.
    expect((await slow).toSorted()).toEqual([...Array(2).fill('refused'), ...Array(6).fill('unavailable')])
  })

  it('is bounded for each company and in all, and says so at once', LONG, async () => {
    await open({ total: 1, seconds: 6, waitMs: 150_000, waiting: 5, waitingPerKey: 3 })
    const running = render(SLOW, 1)
    const waiting = [1, 1, 1, 2, 3].map(company => render('text', company))
    for (const company of [1, 4]) {
      const { ms, outcome } = await timed(render('text', company))
      expect(outcome).toMatchObject({ status: 'rejected', reason: BUSY })
      expect(ms).toBeLessThan(3_000)
    }
    expect(await statuses([running, ...waiting])).toEqual(['refused', 'pdf', 'pdf', 'pdf', 'pdf', 'pdf'])
  })

  it('keeps nobody longer than it says', LONG, async () => {
    await open({ total: 1, seconds: 6, waitMs: 1_000 })
    const running = render(SLOW, 1)
    const { ms, outcome } = await timed(render('text', 2))
    expect(outcome).toMatchObject({ status: 'rejected', reason: BUSY })
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(5_000)
    expect(await statuses([running])).toEqual(['refused'])
  })

  it('lets those who leave go, and ends the work for them', async () => {
    await open({ total: 1, seconds: 60, waitMs: 60_000, waiting: 1 })
    const [leavesWhileSet, leavesWaiting] = [new AbortController(), new AbortController()]
    const set = render(SLOW, 1, leavesWhileSet.signal)
    const waiting = render('text', 2, leavesWaiting.signal)
    leavesWaiting.abort()
    expect(await statuses([waiting])).toEqual(['unavailable'])
    const next = timed(render('text', 3))
    leavesWhileSet.abort()
    expect(await statuses([set])).toEqual(['unavailable'])
    const { ms, outcome } = await next
    expect(outcome.status).toBe('fulfilled')
    expect(ms).toBeLessThan(40_000)
    expect(await statuses([render('text', 1, AbortSignal.abort())])).toEqual(['unavailable'])
  })
})

describe('A hostile document', () => {
  beforeAll(() => {
    // Long enough for a short document on a busy machine.
    renderer = createTypstRenderer({ seconds: 6, waitMs: 150_000 })
  })
  afterAll(() => renderer.close())

  it.concurrent.each<[name: string, markdown: string]>([
    ['brackets', filled('[')],
    ['emphasis in emphasis', filled('*a_b')],
    ['lists in quotes in lists', filled('> - ')],
    ['a table of 10,000 columns', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'b|'.repeat(10_000)}\n`],
    ['a word without end', filled('ب')],
    ['a family of emoji without end', filled('👨‍👩‍👧‍👦')],
    ['isolates that overflow the algorithm', filled('\u2067a')],
    ['marks upon marks', `a${filled('\u0301')}`],
    ['footnotes that name themselves', '[^1]\n\n[^1]: [^1] [^2]\n[^2]: [^1]'],
    ['a footnote on every word', filled('a^[b] ')],
  ])('of %s becomes a PDF or is refused, and the next one works', LONG, async (_, markdown) => {
    const [outcome] = await Promise.allSettled([render(markdown)])
    if (outcome.status === 'fulfilled') expect(isPdf(outcome.value)).toBe(true)
    else expect(outcome.reason).toBeInstanceOf(PdfRefused)
    expect(await render('next')).toBeInstanceOf(Buffer)
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

  it('would read nothing even if it were asked to', () => {
    for (const source of [
      'read("/etc/passwd")',
      'read("../../etc/passwd")',
      'include "/etc/passwd"',
      'image("/etc/passwd")',
    ])
      expect(() => compile(`#${source}`), source).toThrow(/not found|access denied/)
  })

  it('takes whatever markdown becomes, one document after the other', () => {
    const marks =
      '# |\n|\n\n|- |1. |> |    |`|**|*|~~|---\n|[x](|)|](http://a.b)|![|[^1]|\n\n[^1]: |^[|]|"|\\|$|<b>|- [x] |&quot;|a '
    const words = 'شكرًا|مُحَمَّد |😀|👍🏽|👨‍👩‍👧|🇪🇬|❤️|你好|हिन्दी|שָׁלוֹם|ߒߞߏ|e\u0301|\u200d|\u200f|\u2067|\u2069|۞|\u2028|\t|ٍ'
    const piece = fc.constantFrom('|a|b|\n|-|:-:|\n', '|', '```\n', ...marks.split('|'), ...words.split('|'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 50 }), pieces => {
        expect(isPdf(compile(markdownToTypst(pieces.join(''), { title: '', fonts: fonts.choose })))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
