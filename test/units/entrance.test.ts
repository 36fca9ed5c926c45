import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { guardEntrance } from '../../src/http/requests/entrance.ts'
import { acceptBodies } from '../../src/http/requests/request-body.ts'
import { requestText } from '../support/raw-http.ts'
import { until } from '../support/servers.ts'

/** A server whose calls to `/slow` are answered when `answer` is called. */
async function guarded() {
  const lines: string[] = []
  const app = Fastify()
  acceptBodies(app)
  guardEntrance(app, pino({}, { write: line => void lines.push(JSON.parse(line).msg) }), () => 'an-id')
  let [answer, arrived] = [() => {}, 0]
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  app.addHook('onRequest', async () => {
    arrived++
  })
  app.get('/slow', () => answered.then(() => 'at last'))
  app.post('/body', async () => 'stored')
  app.get('/health', async () => 'ok')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const call = (path: string, key: string, headers = {}) =>
    fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
  const many = (count: number, key: string) => {
    const calls = Array.from({ length: count }, () => call('/slow', key).then(({ status }) => status))
    return Promise.all(calls)
  }
  return { app, url, call, many, answer, arrived: () => arrived, lines }
}

it('A burst waits, however long its calls take', async () => {
  const { many, answer, arrived } = await guarded()
  const burst = many(450, 'one')
  await until(async () => arrived() === 450)
  answer()
  expect(new Set(await burst)).toEqual(new Set([200]))
})

it('A crowd that does not go away is refused at once, whoever has few calls is not, and the probes answer', async () => {
  const { app, call, many, answer, arrived, lines } = await guarded()
  const crowd = many(250, 'one')
  await until(async () => arrived() === 250)
  await sleep(1_100)
  const refused = await call('/slow', 'one', { 'accept-language': 'ar' })
  expect(refused.status).toBe(503)
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'x-request-id': 'an-id',
    'content-language': 'ar',
    'cache-control': 'private, no-cache',
  })
  expect(await refused.json()).toEqual({
    error: { code: 'unavailable', message: 'تصل الآن طلبات أكثر مما يمكن الرد عليه. يُرجى إعادة المحاولة قريبًا.' },
  })
  expect((await call('/health', 'one')).status).toBe(200)
  const other = many(5, 'other')
  await until(async () => arrived() === 256)
  expect((await call('/slow', 'one')).status).toBe(503)
  expect(app.entrance.refused()).toBe(2)
  answer()
  expect(new Set([...(await crowd), ...(await other)])).toEqual(new Set([200]))
  await sleep(1_100)
  expect((await call('/slow', 'one')).status).toBe(200)
  expect(lines).toEqual(['More calls come than can be answered: some are refused', 'Calls are no longer refused'])
})

it('Whoever has few calls gets in while one caller has as many as are let in, and not beyond twice as many', {
  timeout: 300_000,
}, async () => {
  const { app, call, many, answer, arrived } = await guarded()
  const most = many(500, 'one')
  await until(async () => arrived() === 500)
  expect((await call('/slow', 'one')).status).toBe(503)
  const others = [many(9, 'other')]
  await until(async () => arrived() === 509)
  others.push(...Array.from({ length: 491 }, (_, n) => many(1, `other-${n}`)))
  await until(async () => arrived() === 1_000)
  expect((await call('/slow', 'another')).status).toBe(503)
  expect(app.entrance.refused()).toBe(2)
  answer()
  expect(new Set([...(await most), ...(await Promise.all(others)).flat()])).toEqual(new Set([200]))
})

it.each<[string, (n: number) => Record<string, string>]>([
  ['key', n => ({ authorization: `${n % 2 ? 'Bearer' : 'bEaRer'}${' '.repeat(1 + n)}one` })],
  ['session', n => ({ cookie: `other=${n}; diwan_session=one` })],
  ['address, with nothing that anybody could know,', n => ({ authorization: `Basic ${n}` })],
])('One %s is one caller, however it is written', async (_, headersOf) => {
  const { url, answer, arrived } = await guarded()
  const call = async (n: number) => (await fetch(`${url}/slow`, { headers: headersOf(n) })).status
  const calls = Array.from({ length: 500 }, (_, n) => call(n))
  await until(async () => arrived() === 500)
  expect(await call(500)).toBe(503)
  answer()
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
})

it('Bodies that are still arriving are no crowd', async () => {
  const { call, url, answer, arrived } = await guarded()
  const half = requestText('POST', '/body', { authorization: 'Bearer one', 'content-length': '10' }, 'half')
  const sockets = Array.from({ length: 250 }, () =>
    connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}),
  )
  for (const socket of sockets) socket.write(half)
  await until(async () => arrived() === 250)
  await sleep(1_100)
  answer()
  expect((await call('/slow', 'one')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})
