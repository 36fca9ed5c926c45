import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { refusalFor } from '../../src/domain/failures.ts'
import { answerOf } from '../../src/lib/thread.ts'

const running = (code: string) => () => new Worker(code, { eval: true })

it('A thread gives its answer', async () => {
  const code = "require('node:worker_threads').parentPort.postMessage('read')"
  expect(await answerOf(running(code), 30_000)).toBe('read')
})

it.each([
  ['ends', 'process.exit(3)', 30_000],
  ['throws', "throw new Error('broken')", 30_000],
  ['is late', 'setInterval(() => {}, 1_000)', 100],
])('A thread that %s instead of answering is a reason to try again soon', async (_, code, withinMs) => {
  const failure = await answerOf(running(code), withinMs).catch(error => error)
  expect(refusalFor(failure)?.status).toBe(503)
})
