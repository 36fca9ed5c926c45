// @module-tag long

import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { until } from '../support/servers.ts'

/** Long enough that, even on a busy machine, documents that need not wait for the slow ones are done before them. */
const SECONDS = 6
const app = useOwnApp({ pdfLimits: { seconds: SECONDS, waitMs: 5_000, waitingPerKey: 8 } })
/** Takes all the time that is allowed. */
const SLOW = 'a\n\n'.repeat(87_000)

async function uploader() {
  const company: TestCompany = await app.diwan.company()
  const base = `/projects/${(await app.diwan.project(company)).id}`
  return (content: string, name = 'report.pdf') => company.api.post(`${base}/files`, { name, content })
}

describe('A PDF', () => {
  it('is made at once for one company while another has sent eight slow ones', async () => {
    const [busy, other] = [await uploader(), await uploader()]
    await Promise.all([busy('warm'), other('warm')])
    const slow = Array.from({ length: 8 }, () => busy(SLOW))
    const start = performance.now()
    expect((await other('one line')).status).toBe(201)
    expect(performance.now() - start).toBeLessThan(SECONDS * 1_000)
    const answers = await Promise.all(slow)
    expect(performance.now() - start).toBeLessThan(40_000)
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused.map(({ body }) => body.error.message)).toContain(
      `content could not be rendered within ${SECONDS} seconds`,
    )
    const turnedAway = answers.filter(({ status }) => status === 503)
    expect(turnedAway.length).toBe(answers.length - refused.length)
    for (const { body } of turnedAway)
      expect(body).toEqual({
        error: { code: 'unavailable', message: 'Too many PDFs are being made at the moment. Try again soon.' },
      })
    expect((await busy('again')).status).toBe(201)
  })

  it('that nobody waits for any longer leaves the queue, which is open again at once', async () => {
    const company = await app.diwan.company()
    const files = `/projects/${(await app.diwan.project(company)).id}/files`
    // More than there is room for: the first answer is that of a client who was turned away.
    const clients = Array.from({ length: 20 }, () => {
      const headers = { authorization: `Bearer ${company.key}`, 'content-type': 'application/json' }
      const client = request(`${app.url}/api/v1${files}`, { method: 'POST', headers, agent: false })
      return client.on('error', () => {}).end(JSON.stringify({ name: 'slow.pdf', content: SLOW }))
    })
    const [turnedAway] = await Promise.race(clients.map(client => once(client, 'response')))
    expect(turnedAway.statusCode).toBe(503)
    for (const client of clients) client.destroy()
    // The server notices a moment later, long before the documents would have been finished.
    const quick = () => company.api.post(files, { name: 'a.pdf', content: 'quick' })
    await until(async () => (await quick()).status === 201)
    const again = Array.from({ length: 5 }, quick)
    for (const { status } of await Promise.all(again)) expect(status).toBe(201)
  })
})
