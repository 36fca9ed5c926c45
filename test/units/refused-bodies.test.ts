import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { acceptBodies } from '../../src/http/requests/request-body.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'
import { until } from '../support/servers.ts'

const MB = 1024 * 1024

it('A client whose body finds no room is told so, although it is still sending', async () => {
  const app = Fastify()
  acceptBodies(app, { total: MB, perKey: MB, waiting: 100, waitingPerKey: 100, waitMs: 300 })
  app.addHook('onRequest', async request => {
    request.bodyLimitBytes = 100 * MB
  })
  app.setErrorHandler((_error, _request, reply) => reply.code(503).send())
  app.post('/', async () => 'stored')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const request = requestText('POST', '/', { host: 'diwan', 'content-length': String(20 * MB) }, 'x'.repeat(20 * MB))
  // They keep what they have taken, and one of them is the body that may go on when there is no room.
  const halves = [1, 2].map(() => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    socket.write(request.slice(0, 2 * MB))
    return socket
  })
  await new Promise(resolve => setTimeout(resolve, 100))
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendRaw(url, request)))
  for (const socket of halves) socket.destroy()
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(503))
})

it('The operator does not wait for strangers, however much they send', async () => {
  const app = Fastify()
  app.decorateRequest('who', null)
  acceptBodies(app, { total: 4 * MB, perKey: MB, waiting: 100, waitingPerKey: 100, waitMs: 300 })
  app.addHook('onRequest', async request => {
    request.bodyLimitBytes = 10 * MB
    const by = { kind: 'operator', id: null, name: 'operator' } as const
    if (request.headers.authorization) request.who = { company_id: null, by, credential: 'operator', actor: 'operator' }
  })
  app.setErrorHandler((_error, _request, reply) => reply.code(503).send())
  app.post('/', async () => 'stored')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const half = requestText('POST', '/', { 'content-length': String(2 * MB) }, 'x'.repeat(MB))
  const halves = [1, 2].map(() => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    socket.write(half)
    return socket
  })
  const body = 'x'.repeat(100_000)
  const send = async (headers: Record<string, string>) =>
    (await sendRaw(url, requestText('POST', '/', { 'content-length': String(body.length), ...headers }, body))).status
  await until(async () => (await send({})) === 503)
  expect(await send({ authorization: 'Bearer operator' })).toBe(200)
  for (const socket of halves) socket.destroy()
})
