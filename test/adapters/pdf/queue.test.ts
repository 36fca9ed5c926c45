import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createTypstRenderer, type PdfLimits } from '../../../src/adapters/pdf/renderer.ts'
import { type PdfRenderer, PdfUnavailable } from '../../../src/domain/ports/pdf-renderer.ts'

/** Takes all the time that it is given. */
const SLOW = 'a\n\n'.repeat(87_000)

const BUSY = new PdfUnavailable('Too many PDFs are being made at the moment. Try again soon.')

let renderer: PdfRenderer
afterEach(() => renderer.close())

/** With every process started. */
async function opened(limits: Partial<PdfLimits>) {
  renderer = createTypstRenderer(limits)
  await Promise.all(Array.from({ length: limits.total ?? 2 }, (_, company) => render(company, 'warm')))
}
const render = (companyId: number, markdown: string, signal?: AbortSignal) =>
  renderer.render({ companyId, markdown, title: '', ...(signal && { signal }) })

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

describe('PDFs of several companies', () => {
  it('are set at once: a company with eight slow ones holds up nobody else', async () => {
    await opened({ seconds: 6, waitMs: 10_000 })
    const slow = statuses(Array.from({ length: 8 }, () => render(1, SLOW)))
    const quick = await timed(render(2, 'one line'))
    expect(quick.outcome.status).toBe('fulfilled')
    expect(quick.ms).toBeLessThan(6_000)
    // Two have used up their time, and for the others the wait was too long.
    const outcomes = await slow
    expect(outcomes.filter(status => status === 'refused')).toHaveLength(2)
    expect(outcomes.filter(status => status === 'unavailable')).toHaveLength(6)
  })

  it('take turns where more companies wait than there are processes', async () => {
    await opened({ total: 1, seconds: 100, waitMs: 150_000 })
    const done: number[] = []
    const first = render(1, SLOW.slice(0, 30_000)).then(() => done.push(0))
    const documents = [3, 3, 3, 4, 5].map(company => render(company, 'text').then(() => done.push(company)))
    await Promise.all([first, ...documents])
    expect(done).toEqual([0, 3, 4, 5, 3, 3])
  })
})

describe('The queue for PDFs', () => {
  it('is bounded for each company and in all, and says so at once', async () => {
    await opened({ total: 1, seconds: 6, waitMs: 150_000, waiting: 5, waitingPerKey: 3 })
    const running = render(1, SLOW)
    const waiting = [1, 1, 1, 2, 3].map(company => render(company, 'text'))
    for (const company of [1, 4]) {
      const { ms, outcome } = await timed(render(company, 'text'))
      expect(outcome).toMatchObject({ status: 'rejected', reason: BUSY })
      expect(ms).toBeLessThan(3_000)
    }
    expect(await statuses([running, ...waiting])).toEqual(['refused', 'pdf', 'pdf', 'pdf', 'pdf', 'pdf'])
  })

  it('keeps nobody longer than it says', async () => {
    await opened({ total: 1, seconds: 6, waitMs: 1_000 })
    const running = render(1, SLOW)
    const { ms, outcome } = await timed(render(2, 'text'))
    expect(outcome).toMatchObject({ status: 'rejected', reason: BUSY })
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(5_000)
    expect(await statuses([running])).toEqual(['refused'])
  })

  it('lets those who leave go, and ends what is set for them', async () => {
    await opened({ total: 1, seconds: 60, waitMs: 60_000, waiting: 1 })
    const [leavesWhileSet, leavesWaiting] = [new AbortController(), new AbortController()]
    const set = render(1, SLOW, leavesWhileSet.signal)
    const waiting = render(2, 'text', leavesWaiting.signal)
    leavesWaiting.abort()
    expect(await statuses([waiting])).toEqual(['unavailable'])
    const next = timed(render(3, 'text'))
    leavesWhileSet.abort()
    expect(await statuses([set])).toEqual(['unavailable'])
    const { ms, outcome } = await next
    expect(outcome.status).toBe('fulfilled')
    expect(ms).toBeLessThan(40_000)
    expect(await statuses([render(1, 'text', AbortSignal.abort())])).toEqual(['unavailable'])
  })
})

describe.skipIf(process.platform !== 'linux')('A process that sets PDFs', () => {
  it.each<[how: string, signal: NodeJS.Signals]>([
    ['was killed', 'SIGKILL'],
    ['stands still', 'SIGSTOP'],
  ])('is replaced when it %s: the next document is set by another', async (_, signal) => {
    await opened({ total: 1 })
    const [pid] = pids()
    process.kill(pid as number, signal)
    // Without a pause: the server has not heard of it yet.
    expect(await statuses([render(1, 'text')])).toEqual(['pdf'])
    expect(pids()).toHaveLength(1)
    expect(pids()).not.toContain(pid)
  })
})
