import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { Answer } from '../support/diwan.ts'
import { serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const MARK = 'ZqMarkedSecretZq'

it('The log has a line for each request, and never a key, a token, a header, a query or the text of a body', async () => {
  const server = await serve({
    ...withoutJobs(),
    LOG_LEVEL: 'trace',
    OPERATOR_TOKEN: `the-operator-token-${MARK}`,
    SERVER_SECRET: `the-server-secret-${MARK}`,
  })
  const { api, admin, id, key, ownerToken } = await server.diwan.company()
  // Without the last line, which may not be complete yet.
  const lines = (): Record<string, unknown>[] =>
    server
      .stderr()
      .split('\n')
      .slice(0, -1)
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  const lineOf = (requestId: string) => lines().find(line => line.request_id === requestId && line.msg === 'request')
  await api.get('/projects', { 'x-request-id': 'request-that-is-served' })
  await server.diwan.api().get('/projects/prj-x', { 'x-request-id': 'request-that-is-refused' })
  await server.diwan.api().get('/nothing', { 'x-request-id': 'request-that-is-lost' })
  await until(async () => lineOf('request-that-is-lost') !== undefined)
  expect(lineOf('request-that-is-served')).toMatchObject({
    company: id,
    key: expect.any(Number),
    operation: 'projects:read',
    method: 'GET',
    path: '/api/v1/projects',
    status: 200,
    ms: expect.any(Number),
  })
  expect(lineOf('request-that-is-refused')).toMatchObject({ operation: 'projects:read', status: 401 })
  expect(lineOf('request-that-is-lost')).toMatchObject({ path: '/api/v1/nothing', status: 404 })

  const bad = server.diwan.api(`svc_api_${MARK}`)
  const statuses = [
    await api.post('/projects', { name: MARK, description: MARK, [MARK]: MARK }),
    await api.post('/projects', { title: MARK }),
    await api.get(`/projects?limit=${MARK}&${MARK}=1`),
    await api.send('POST', '/projects', { body: `{"name": "${MARK}`, headers: { 'content-type': MARK } }),
    await api.send('POST', '/projects', { body: MARK.repeat(100_000) }),
    await bad.get('/me', { cookie: MARK, 'user-agent': MARK, referer: MARK, 'idempotency-key': MARK }),
    await server.diwan.client('/api/v1').get('/me', { authorization: `Basic ${MARK}` }),
    await server.diwan.admin(id, `svc_${MARK}`).get('/users'),
    await admin.post('/users', { name: MARK, email: `${MARK}@example.com`, password: MARK }),
    await admin.post('/keys', { name: MARK, access: 'read' }),
    await api.delete('/projects/prj-0000000000'),
  ].map((answer: Answer) => answer.status)
  expect(statuses).toEqual([201, 422, 200, 422, 422, 401, 401, 401, 201, 201, 404])
  // Bytes that no client would send, over connections that end early.
  const raw = (text: string) =>
    new Promise<void>(resolve => {
      const socket = connect(server.port, '127.0.0.1', () => socket.end(text))
      socket.resume().on('error', () => resolve())
      socket.on('close', () => resolve())
    })
  const head = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
  await raw(`GET /api/v1/me HTTP/1.1\r\n${head}Bad header ${MARK}\r\n\r\n`)
  await raw(`GET /api/v1/%zz?${MARK} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
  await raw(`POST /api/v1/projects HTTP/1.1\r\n${head}Content-Length: 99\r\n\r\n${MARK}`)

  await server.end('SIGTERM')
  const printed = server.stdout() + server.stderr()
  expect(lines().length).toBeGreaterThan(statuses.length)
  expect(printed.toLowerCase()).not.toContain(MARK.toLowerCase())
  for (const secret of [key, ownerToken]) expect(printed).not.toContain(secret)
  expect(printed).not.toMatch(/bearer|authorization/i)
})
