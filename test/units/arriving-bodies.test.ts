import type { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { acceptBodies } from '../../src/http/requests/request-body.ts'
import { requestText } from '../support/raw-http.ts'

const MB = 1024 * 1024
const BODIES = 4
const SENDER = `
const { connect } = require('node:net')
const { port, text, times } = require('node:worker_threads').workerData
for (let n = 0; n < times; n++) connect(port, '127.0.0.1').resume().end(text)`

it('Large bodies that arrive as fast as they are read let others have their turn in between', async () => {
  const app = Fastify()
  acceptBodies(app)
  app.addHook('onRequest', async request => {
    request.bodyLimitBytes = 10 * MB
  })
  let arrived = 0
  app.post('/', async () => {
    arrived++
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const sockets: Socket[] = []
  app.server.on('connection', socket => sockets.push(socket))
  const received = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  const text = requestText('POST', '/', { 'content-length': String(5 * MB) }, 'x'.repeat(5 * MB))
  const sender = new Worker(SENDER, {
    eval: true,
    workerData: { port: Number(new URL(url).port), text, times: BODIES },
  })
  onTestFinished(async () => void (await sender.terminate()))
  let most = 0
  while (arrived < BODIES) {
    const before = received()
    await new Promise(resolve => setImmediate(resolve))
    most = Math.max(most, received() - before)
  }
  expect(received()).toBeGreaterThan(BODIES * 5 * MB)
  // Node.js would take 2 MB of one of them at once.
  expect(most).toBeLessThan(1.5 * MB)
})
