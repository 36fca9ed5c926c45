import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { waitForRoom } from '../../src/http/answers/untaken.ts'
import { QUEUES } from '../../src/queues.ts'
import { useApp } from '../support/app.ts'
import { newComment, newDiscussion } from '../support/factories.ts'

const app = useApp()

it('A page of the longest texts has every text as it was sent, and the ETag of its bytes', async () => {
  // Texts that take long to read or to write, and Arabic.
  const texts = ['&', '\n', '<&>"\r', '<b>', '\\', 'م', 'م', 'م'].map(text =>
    `x${text.repeat(65_535)}`.slice(0, 65_535),
  )
  const company = await app.diwan.company()
  const { id } = await newDiscussion(company, (await app.diwan.project(company)).id)
  for (const content of texts) await newComment(company, `/discussions/${id}`, { content })
  const path = `/discussions/${id}/comments`
  const response = await fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${company.key}` } })
  const bytes = Buffer.from(await response.arrayBuffer())
  const { data, meta } = JSON.parse(bytes.toString())
  expect(data.map(({ content }: { content: string }) => content)).toEqual(texts)
  expect(meta).toMatchObject({ total: texts.length, count: texts.length })
  const tag = response.headers.get('etag')?.replace(/^W\//, '')
  expect(tag).toBe(`"${createHash('sha1').update(bytes).digest('base64url')}"`)
  const again = await company.api.get(path, { 'if-none-match': tag as string })
  expect([again.status, again.body]).toEqual([304, ''])
})

it('A large answer waits while readers of its company leave no room; a small one and that of a write do not', async () => {
  const { perKey, waitingPerKey } = QUEUES.answers
  const removed: string[] = []
  function answer(company_id: number, bytes: number, method = 'GET') {
    const raw = Object.assign(new EventEmitter(), { destroyed: false })
    const reply = { raw, removeHeader: (header: string) => removed.push(header) } as unknown as FastifyReply
    const sent = waitForRoom({ method, who: { company_id } } as FastifyRequest, reply, Buffer.allocUnsafe(bytes))
    return { sent, close: () => raw.emit('close') }
  }
  const large = 64 * 1024
  const taken = answer(1, perKey)
  let settled = 0
  const waiting = Array.from({ length: waitingPerKey }, () => answer(1, large))
  for (const { sent } of waiting) void sent.then(() => settled++)
  const refused = answer(1, large)
  await expect(refused.sent).rejects.toThrow()
  expect(removed.toSorted()).toEqual(['content-encoding', 'content-length', 'etag', 'link'])
  const others = [answer(1, large - 1), answer(1, large, 'POST'), answer(2, large)]
  await Promise.all([taken, ...others].map(({ sent }) => sent))
  expect(settled).toBe(0)
  taken.close()
  await Promise.all(waiting.map(({ sent }) => sent))
  for (const { close } of [...waiting, ...others]) close()
})
