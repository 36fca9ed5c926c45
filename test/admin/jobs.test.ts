import { beforeEach, describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { INSTANT, newDiscussion } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'
import { doStep } from '../support/upkeep.ts'
import { tellPeople } from '../support/worker.ts'

const app = useOwnApp()
let company: TestCompany
beforeEach(async () => {
  await app.database.db.raw('delete from pgboss.job', [])
  company = await app.diwan.company()
  await app.diwan.person(company.id)
})

/** The job that mails the news of a new discussion, as it stands after its last attempt. */
async function failedJob(message = 'connect ECONNREFUSED 127.0.0.1:25'): Promise<string> {
  await newDiscussion(company, (await app.diwan.project(company)).id)
  await tellPeople(app)
  const [job] = await app.database.db.raw<{ id: string }>(
    `update pgboss.job set state = 'failed', retry_count = retry_limit, completed_on = clock_timestamp(), output = $1
     where state = 'created' returning id`,
    [JSON.stringify({ message })],
  )
  return job?.id as string
}

const stateOf = async (id: string) =>
  (await app.database.db.raw('select state, retry_count from pgboss.job where id = $1', [id]))[0]

describe('GET /jobs/failed', () => {
  it('shows what failed for good: the kind, what it was told, how often it was tried and what was said', async () => {
    const id = await failedJob()
    await newDiscussion(company, (await app.diwan.project(company)).id)
    const { status, body } = await app.diwan.operator.get('/jobs/failed')
    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            id,
            kind: 'mail-notification',
            company: { id: company.id, name: expect.stringMatching(/^Company /) },
            payload: { company_id: company.id, notification_id: expect.any(Number) },
            attempts: 15,
            reason: 'A notification could not be mailed: the connection was refused.',
            error: 'connect ECONNREFUSED 127.0.0.1:25',
            created_at: INSTANT,
            failed_at: INSTANT,
          },
        ],
        meta: { total: 1, limit: 50, offset: 0, count: 1, next_cursor: null },
      },
    ])
  })

  it('shows the last failed first', async () => {
    const ids = [await failedJob(), await failedJob(), await failedJob()]
    const { data, meta } = (await app.diwan.operator.get('/jobs/failed?limit=2')).body
    expect([data.map(({ id }: { id: string }) => id), meta.total]).toEqual([[ids[2], ids[1]], 3])
  })

  it('says in Arabic what did not happen', async () => {
    await failedJob('Mailbox full')
    const { headers, body } = await app.diwan.operator.get('/jobs/failed', { 'accept-language': 'ar' })
    const reason = 'تعذّر إرسال إشعار بالبريد: \u2068Mailbox full\u2069.'
    expect([headers.get('content-language'), body.data]).toMatchObject(['ar', [{ reason, error: 'Mailbox full' }]])
  })
})

describe('POST /jobs/failed/{job}/retry', () => {
  it('puts the job back in line with all its attempts, once, and keeps it for as long as a new one', async () => {
    const id = await failedJob()
    await app.database.db.raw(
      `update pgboss.job set created_on = created_on - interval '30 days', keep_until = keep_until - interval '30 days' where id = $1`,
      [id],
    )
    const { status, body } = await app.diwan.operator.post(`/jobs/failed/${id}/retry`)
    expect([status, body.data.id]).toEqual([200, id])
    expect(await stateOf(id)).toEqual({ state: 'retry', retry_count: 0 })
    expect((await app.diwan.operator.get('/jobs/failed')).body.meta.total).toBe(0)
    expectRefusal(await app.diwan.operator.post(`/jobs/failed/${id}/retry`), 404, 'not_found')
    await doStep(app, 'jobs')
    expect(await stateOf(id)).toMatchObject({ state: 'retry' })
    // Nor can it be given up while it is still to be done.
    expectRefusal(await app.diwan.operator.delete(`/jobs/failed/${id}`), 404, 'not_found')
    expect(await stateOf(id)).toMatchObject({ state: 'retry' })
  })

  it('finds nothing that is not a failed job', async () => {
    const id = await failedJob()
    for (const handle of [id.replace(/.$/, last => (last === '0' ? '1' : '0')), 'x', '1', '%00', `${id}x`])
      expectRefusal(await app.diwan.operator.post(`/jobs/failed/${handle}/retry`), 404, 'not_found')
  })
})

it('DELETE /jobs/failed/{job} gives the job up, once and for good', async () => {
  const id = await failedJob()
  const { status, body } = await app.diwan.operator.delete(`/jobs/failed/${id}`)
  expect([status, body.data]).toMatchObject([200, { deleted: true, job: { id, kind: 'mail-notification' } }])
  expect(await stateOf(id)).toBeUndefined()
  expectRefusal(await app.diwan.operator.delete(`/jobs/failed/${id}`), 404, 'not_found')
})
