import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createTracer } from '../../src/adapters/traces/tracer.ts'
import { forbidden } from '../../src/domain/errors.ts'
import { say } from '../../src/domain/sentences/sentences.ts'
import type { Tracer } from '../../src/lib/tracing.ts'
import { startCollector } from '../support/collector.ts'
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

  it('of a caller that sends a traceparent are recorded as it decides, and only if it is one', async () => {
    const later = `01${PARENT.slice(2)}-more`
    for (const [traceparent, isRecorded] of [
      [PARENT, true],
      [PARENT.replace(/1$/, '0'), false],
      [later, true],
    ] as const) {
      const collector = await startCollector()
      const tracer = tracerFor(collector.endpoint, isRecorded ? 0 : 1)
      const request = span(tracer, 'request', traceparent)
      expect(request.traceId).toBe(PARENT.slice(3, 35))
      expect(tracer.run(request, tracer.traceparent) !== undefined).toBe(isRecorded)
      request.end()
      await tracer.close()
      expect(collector.spans()).toHaveLength(isRecorded ? 1 : 0)
    }
    const zeros = PARENT.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32))
    for (const traceparent of ['', `${PARENT}-`, `${PARENT}0`, PARENT.toUpperCase(), `ff${PARENT.slice(2)}`, zeros])
      expect(span(tracerFor('http://127.0.0.1:9'), 'x', traceparent).traceId, traceparent).not.toBe(PARENT.slice(3, 35))
  })
})

it('A collector that is away costs no more than a bounded memory: the other spans are lost, and counted', async () => {
  const tracer = tracerFor(`http://127.0.0.1:${await freePort()}`)
  for (let n = 0; n < 10_000; n++) span(tracer, 'request').end()
  expect(tracer.dropped()).toBe(10_000 - 8_192)
  await until(async () => told.length > 0)
  expect(told).toEqual(['ECONNREFUSED'])
})

it('A collector that says "later" gets spans later, and one that fails loses them', async () => {
  const collector = await startCollector((response, message, received) =>
    (received.length === 1 ? refused(503) : taken)(response, message, received),
  )
  const tracer = tracerFor(collector.endpoint)
  span(tracer, 'one').end()
  // It has the spans before the tracer has its answer.
  await until(async () => told.length === 2)
  expect(told).toEqual(['it answers 503', undefined])
  collector.answer(refused(500))
  span(tracer, 'two').end()
  await until(async () => tracer.dropped() === 1)
  expect(told.at(-1)).toBe('it answers 500')
  await tracer.close()
  expect(collector.spans().map(({ name }) => name)).toEqual(['one', 'one', 'two'])
})
