import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createTracer } from '../../src/adapters/traces/tracer.ts'
import { forbidden } from '../../src/domain/errors.ts'
import { say } from '../../src/domain/sentences/sentences.ts'
import type { Tracer } from '../../src/lib/tracing.ts'
import { type Collector, startCollector } from '../support/collector.ts'
import { refused, taken } from '../support/receiver.ts'
import { freePort, until } from '../support/servers.ts'

const open: Tracer[] = []
afterEach(async () => {
  for (const tracer of open.splice(0)) await tracer.close()
})

const told: (string | undefined)[] = []

function tracerFor(endpoint: string, ratio = 1): Tracer {
  told.length = 0
  const tracer = createTracer({
    url: `${endpoint}/v1/traces`,
    headers: { 'api-key': 'k' },
    resource: { 'service.name': 'diwan' },
    ratio,
    onStateChange: problem => told.push(problem),
  })
  open.push(tracer)
  return tracer
}

const span = (tracer: Tracer, name: string, traceparent?: string) =>
  tracer.begin({ name, kind: 'server' }, { traceparent, isWithin: false })
const namesIn = (collector: Collector) => collector.spans().map(({ name }) => name)
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('Spans', () => {
  it('are sent in batches, each below the one that it is a part of, with the headers of the collector', async () => {
    const collector = await startCollector()
    const tracer = tracerFor(collector.endpoint)
    const request = span(tracer, 'request', PARENT)
    await tracer.run(request, async () => {
      await sleep(1)
      await tracer.within({ name: 'gate' }, () => tracer.within({ name: 'select 1', kind: 'client' }, async () => {}))
    })
    request.end()
    request.end()
    await tracer.close()
    const [statement, gate, root] = collector.spans()
    expect([statement?.name, gate?.name, root?.name]).toEqual(['select 1', 'gate', 'request'])
    expect(root).toMatchObject({ traceId: PARENT.slice(3, 35), parentSpanId: PARENT.slice(36, 52), kind: 2 })
    expect(gate).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId, kind: 1 })
    expect(statement).toMatchObject({ traceId: root?.traceId, parentSpanId: gate?.spanId, kind: 3 })
    expect(collector.received.map(({ headers }) => headers['api-key'])).toEqual(['k'])
  })

  it('are no part of one that has ended: what goes on behind it is work of its own', async () => {
    const collector = await startCollector()
    const tracer = tracerFor(collector.endpoint)
    const request = span(tracer, 'request')
    request.end()
    await tracer.run(request, () => tracer.within({ name: 'later' }, async () => {}))
    await tracer.close()
    expect(namesIn(collector)).toEqual(['request'])
  })

  it('are bounded in number: a stream of changes lasts for days', async () => {
    const collector = await startCollector()
    const tracer = tracerFor(collector.endpoint)
    const request = span(tracer, 'request')
    await tracer.run(request, async () => {
      for (let n = 0; n < 1_500; n++) await tracer.within({ name: 'look' }, async () => {})
    })
    request.end()
    await tracer.close()
    expect(collector.spans()).toHaveLength(1_001)
  })

  it('say what kind of error ended them and never its words, and a refusal is no failure', async () => {
    const collector = await startCollector()
    const tracer = tracerFor(collector.endpoint)
    const request = span(tracer, 'request')
    const failing = (name: string, error: unknown) =>
      tracer.run(request, () => tracer.within({ name }, () => Promise.reject(error))).catch(() => {})
    await failing('insert', Object.assign(new Error('Key (title)=(خطة) exists'), { code: '23505' }))
    await failing('gate', forbidden(say('The key is not allowed {operation}.', { operation: 'tasks:write' })))
    await tracer.close()
    expect(collector.spans()).toMatchObject([
      { name: 'insert', isFailed: true, attributes: { 'error.type': '23505' } },
      { name: 'gate', isFailed: false, attributes: { 'error.type': 'forbidden' } },
    ])
    expect(collector.received[0]?.text).not.toMatch(/خطة|allowed/)
  })

  it('of work that another call began for all belong to the call that does it', async () => {
    const collector = await startCollector()
    const tracer = tracerFor(collector.endpoint)
    const [first, second] = [span(tracer, 'first'), span(tracer, 'second')]
    const later = tracer.run(second, () => tracer.bound(() => tracer.within({ name: 'shared' }, async () => {})))
    await tracer.run(first, later)
    await tracer.close()
    expect(collector.spans()).toMatchObject([{ name: 'shared', traceId: second.traceId }])
  })

  it.each([
    ['with the flag', PARENT, true],
    ['without the flag', PARENT.replace(/1$/, '0'), false],
    ['of a later version with more behind the flags', `01${PARENT.slice(2)}-more`, true],
  ])('of a caller that sends a traceparent %s are recorded as it decides', async (_, traceparent, isRecorded) => {
    const collector = await startCollector()
    const tracer = tracerFor(collector.endpoint, isRecorded ? 0 : 1)
    const request = span(tracer, 'request', traceparent)
    expect(request.traceId).toBe(PARENT.slice(3, 35))
    expect(tracer.run(request, tracer.traceparent) !== undefined).toBe(isRecorded)
    expect(tracer.run(request, tracer.traceId)).toBe(request.traceId)
    request.end()
    await tracer.close()
    expect(collector.spans()).toHaveLength(isRecorded ? 1 : 0)
  })

  it.each([
    '',
    'x',
    `${PARENT}-`,
    `${PARENT}0`,
    PARENT.toUpperCase(),
    `ff${PARENT.slice(2)}`,
    PARENT.replace(/b7ad6b7169203331/, '0'.repeat(16)),
    PARENT.replace(/0af7651916cd43dd8448eb211c80319c/, '0'.repeat(32)),
  ])('of a caller that sends the traceparent "%s" begin a trace of their own', traceparent => {
    const tracer = tracerFor('http://127.0.0.1:9')
    expect(span(tracer, 'request', traceparent).traceId).not.toBe(PARENT.slice(3, 35))
  })

  it('of half the traces are recorded when half is asked for, and nothing that follows from the others', async () => {
    const tracer = tracerFor('http://127.0.0.1:9', 0.5)
    const recorded = Array.from({ length: 2_000 }, () => tracer.run(span(tracer, 'request'), tracer.traceparent))
    expect(recorded.filter(Boolean).length).toBeGreaterThan(800)
    expect(recorded.filter(Boolean).length).toBeLessThan(1_200)
    await tracer.following(undefined, { name: 'job' }, async job => expect(job).toBeUndefined())
  })
})

describe('A collector', () => {
  it('that is away costs no more than a bounded memory: the other spans are lost, and counted', async () => {
    const tracer = tracerFor(`http://127.0.0.1:${await freePort()}`)
    for (let n = 0; n < 10_000; n++) span(tracer, 'request').end()
    expect(tracer.dropped()).toBe(10_000 - 8_192)
    await until(async () => told.length > 0)
    expect(told).toEqual(['ECONNREFUSED'])
  })

  it('that says "later" gets them later, and one that fails loses them', async () => {
    const collector = await startCollector((response, message, received) =>
      (received.length === 1 ? refused(503) : taken)(response, message, received),
    )
    const tracer = tracerFor(collector.endpoint)
    span(tracer, 'one').end()
    await until(async () => collector.received.length === 2)
    expect(namesIn(collector)).toEqual(['one', 'one'])
    // It has the spans before the tracer has its answer.
    await until(async () => told.length === 2)
    expect(told).toEqual(['it answers 503', undefined])

    collector.answer(refused(500))
    span(tracer, 'two').end()
    await until(async () => tracer.dropped() === 1)
    expect(told).toEqual(['it answers 503', undefined, 'it answers 500'])
    await tracer.close()
    expect(namesIn(collector)).toEqual(['one', 'one', 'two'])
  })

  it('that never answers keeps nobody from stopping', async () => {
    const collector = await startCollector(() => {})
    const tracer = tracerFor(collector.endpoint)
    span(tracer, 'one').end()
    await until(async () => collector.received.length === 1)
    await tracer.close()
    expect(tracer.dropped()).toBe(0)
  })
})
