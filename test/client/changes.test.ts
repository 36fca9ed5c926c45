import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventsIn } from '../../client/src/event-stream.ts'
import { type Change, createDiwan, type Diwan } from '../../client/src/index.ts'
import { watchFor } from '../../client/src/waiting.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, newTask, type Work } from '../support/factories.ts'
import { type PlannedProxy, startPlannedProxy } from '../support/planned-proxy.ts'
import { until } from '../support/servers.ts'

const app = useApp()
let work: Work
let proxy: PlannedProxy
let diwan: Diwan
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  proxy = await startPlannedProxy(app.url)
  diwan = createDiwan({ url: proxy.url, key: work.company.key, wait: async () => {} })
})
beforeEach(() => {
  proxy.seen.length = 0
  proxy.answered = 0
  proxy.fates = []
})

const streams = () => proxy.seen.filter(({ headers }) => headers.accept === 'text/event-stream')
const cursorOfNow = async () => (await diwan.company.changes()).meta.next_cursor

/** Reads changes until there are so many. */
async function take(changes: AsyncIterable<Change>, count: number): Promise<Change[]> {
  const taken: Change[] = []
  for await (const change of changes) {
    taken.push(change)
    if (taken.length === count) break
  }
  return taken
}

describe('The changes', () => {
  it('come as they happen, from now on or after a cursor', async () => {
    const after = await cursorOfNow()
    const first = await newTask(work.company, work.list.id)
    const reading = take(diwan.changes({ after }), 2)
    const live = take(diwan.changes(), 1)
    await until(async () => proxy.answered === 3)
    await diwan.tasks.complete(first.id)
    expect(await reading).toMatchObject([
      { kind: 'task', change: 'created', id: first.id, parent_id: work.list.id },
      { kind: 'task', change: 'completed', id: first.id },
    ])
    expect(await live).toMatchObject([{ change: 'completed', id: first.id }])
  })

  it('go on where they were when the connection breaks: nothing is missed, nothing comes twice', async () => {
    const after = await cursorOfNow()
    const [made, seen]: [string[], unknown[]] = [[], []]
    const reading = (async () => {
      for await (const { id } of diwan.changes({ after })) if (seen.push(id) === 6) break
    })()
    for (let n = 0; n < 6; n++) {
      made.push((await newTask(work.company, work.list.id)).id)
      if (n % 2 === 1) {
        await until(async () => seen.length >= made.length)
        proxy.fates = ['cut before', response => response.writeHead(500).end()]
        proxy.cut()
      }
    }
    await reading
    expect(seen).toEqual(made)
    const continued = streams().map(({ headers }) => headers['last-event-id'])
    expect(new Set(continued.filter(id => id !== undefined && id !== after)).size).toBeGreaterThan(1)
    const [first] = await take(diwan.changes({ after }), 1)
    expect(await take(diwan.changes({ after: first?.cursor }), 1)).toMatchObject([{ id: made[1] }])
  })

  it('throw when the cursor is too old, with one that is fresh', async () => {
    const refusal = await take(diwan.changes({ after: 'long-ago' }), 1).catch(error => error)
    expect(refusal).toMatchObject({ status: 410, code: 'cursor_expired', cursor: expect.any(String) })
    const task = await newTask(work.company, work.list.id)
    expect(await take(diwan.changes({ after: refusal.cursor }), 1)).toMatchObject([{ id: task.id }])
  })

  it('throw when the key is no longer good, and do not ask again and again', async () => {
    const { id, key } = (await work.company.admin.post('/keys', { name: 'Short', access: 'read' })).body.data
    const reading = take(createDiwan({ url: proxy.url, key }).changes(), 1).catch(error => error)
    await until(async () => proxy.answered === 1)
    await work.company.admin.delete(`/keys/${id}`)
    expect(await reading).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(proxy.seen).toHaveLength(2)
  })

  it('end with the reason of the signal, in the middle of the silence and before the first word', async () => {
    const aborting = new AbortController()
    const reading = take(diwan.changes({ signal: aborting.signal }), 1).catch(error => error)
    await until(async () => proxy.answered === 1)
    aborting.abort(new Error('Closing'))
    expect(await reading).toMatchObject({ message: 'Closing' })
    await expect(take(diwan.changes({ signal: aborting.signal }), 1)).rejects.toThrow('Closing')
  })

  it('leave no connection behind when nobody reads on: a key may have five', async () => {
    const after = await cursorOfNow()
    await newTask(work.company, work.list.id)
    for (let n = 0; n < 8; n++) await take(diwan.changes({ after }), 1)
    expect(streams()).toHaveLength(8)
  })

  it('are given up when the server stays away for longer than the caller has patience', async () => {
    const away = createDiwan({ url: 'http://127.0.0.1:9', key: work.company.key })
    await expect(take(away.changes({ giveUpAfterMs: 100 }), 1)).rejects.toMatchObject({ code: 'network_error' })
  })
})

describe('A stream of events', () => {
  /** What the events of such a stream are, which stays open as long as nobody leaves it. */
  async function eventsOf(chunks: Uint8Array[], { count = Number.POSITIVE_INFINITY, silenceMs = 1_000 } = {}) {
    const watch = watchFor(undefined)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        watch.signal.addEventListener('abort', () => controller.error(watch.signal.reason))
      },
    })
    const events: unknown[] = []
    for await (const event of eventsIn(body, watch, silenceMs)) if (events.push(event) === count) break
    return events
  }

  it('is read byte by byte as well as at once, with comments, and lines that end in either way', async () => {
    const text = ': still here\nid: a\n\nid: b\r\ndata: {"title":"شراء"}\r\n\r\ndata: one\ndata: two\n\n'
    const bytes = new TextEncoder().encode(text)
    for (const chunks of [[bytes], Array.from(bytes, byte => Uint8Array.of(byte))])
      expect(await eventsOf(chunks, { count: 3 })).toEqual([
        { id: 'a', data: '' },
        { id: 'b', data: '{"title":"شراء"}' },
        { id: 'b', data: 'one\ntwo' },
      ])
  })

  it('is left when nothing comes for too long, or a line has no end', async () => {
    const [spoken, endless] = ['id: a\n\n', 'x'.repeat(1_000_001)].map(text => [new TextEncoder().encode(text)])
    await expect(eventsOf(spoken as Uint8Array[], { silenceMs: 50 })).rejects.toMatchObject({ code: 'time_out' })
    await expect(eventsOf(endless as Uint8Array[])).rejects.toMatchObject({ code: 'unexpected_answer' })
  })
})
