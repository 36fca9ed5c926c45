import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { type JobPayloads, NotYet } from '../../src/domain/ports/job-queue.ts'
import { notifyPeople } from '../../src/jobs/notify-people.ts'
import { useOwnApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion } from '../support/factories.ts'
import { tellPeople } from '../support/worker.ts'

const app = useOwnApp()

/** A company with a public project and this many people besides its owner. */
async function companyOf(people: number) {
  const company = await app.diwan.company()
  await app.database.db.run(sql`
    insert into users (company_id, name, email, role)
    select ${company.id}, 'Person ' || n, 'person-' || n || '@example.com', 'member' from generate_series(1, ${people}::int) n`)
  return { company, project: await app.diwan.project(company) }
}

const told = async ({ id }: TestCompany) =>
  app.database.db.many<{ kind: string; people: number; different: number; mails: number }>(sql`
    select w.kind, count(*)::int as people, count(distinct n.user_id)::int as different, count(j.id)::int as mails
    from notices w join notifications n on n.company_id = w.company_id and n.notice_id = w.id
    left join pgboss.job j on j.name = 'mail-notification' and j.id = n.mail_id
    where w.company_id = ${id} group by w.id, w.kind order by w.id`)
/** Everyone who was told, and whoever opened the discussion. */
const followers = async ({ id }: TestCompany) =>
  (await app.database.db.many(sql`select from discussion_subscriptions where company_id = ${id}`)).length
const everyone = (kind: string, people: number) => ({ kind, people, different: people, mails: people })

/** The payloads of a company's jobs that tell people, the earliest first. */
const waitingFor = ({ id }: TestCompany) =>
  app.database.db.many<JobPayloads['notify-people']>(
    sql`select company_id, id as notice_id from notices where company_id = ${id} and told_at is null order by id`,
  )

describe('Telling people', () => {
  const parts = () => ({ db: app.database.db, jobs: app.jobs })

  it('goes on where a step failed: nobody is left out, and nobody is told twice', async () => {
    const { company, project } = await companyOf(450)
    await newDiscussion(company, project.id)
    const [payload] = await waitingFor(company)
    if (!payload) throw new Error('There is nothing to tell')
    const { enqueue } = app.jobs
    const failing = {
      ...parts(),
      jobs: {
        ...app.jobs,
        enqueue: (async (...job: Parameters<typeof enqueue>) => {
          await enqueue(...job)
          throw new Error('The worker is killed')
        }) as typeof enqueue,
      },
    }
    expect(await notifyPeople(parts(), payload)).toBeInstanceOf(NotYet)
    await expect(notifyPeople(failing, payload)).rejects.toThrow('killed')
    expect([await told(company), await followers(company)]).toEqual([[everyone('discussion_created', 200)], 200 + 1])
    // The same job is taken by two workers, as after a minute without an answer from the first.
    await Promise.all([notifyPeople(parts(), payload), notifyPeople(parts(), payload)])
    await tellPeople(app)
    expect([await told(company), await followers(company)]).toEqual([[everyone('discussion_created', 450)], 450 + 1])
    expect(await notifyPeople(parts(), payload)).toBeUndefined()
    expect(await told(company)).toEqual([everyone('discussion_created', 450)])
  })

  it('of a reply waits until everyone has been told of the discussion, and then reaches all of them', async () => {
    const { company, project } = await companyOf(250)
    const { id } = await newDiscussion(company, project.id)
    await newComment(company, `/discussions/${id}`)
    const [first, reply] = await waitingFor(company)
    if (!first || !reply) throw new Error('There is nothing to tell')
    expect(await notifyPeople(parts(), reply)).toBeInstanceOf(NotYet)
    await notifyPeople(parts(), first)
    expect(await notifyPeople(parts(), reply)).toBeInstanceOf(NotYet)
    expect(await told(company)).toEqual([everyone('discussion_created', 200)])
    await tellPeople(app)
    expect(await told(company)).toEqual(['discussion_created', 'discussion_replied'].map(kind => everyone(kind, 250)))
  })

  it('of a discussion that was deleted at once reaches nobody; restored, it has its followers', async () => {
    const { company, project } = await companyOf(5)
    const { id } = await newDiscussion(company, project.id)
    await company.api.delete(`/discussions/${id}`)
    await tellPeople(app)
    expect([await told(company), await followers(company)]).toEqual([[], 5 + 1])
    await company.admin.post(`/trash/${id}/restore`)
    await newComment(company, `/discussions/${id}`)
    await tellPeople(app)
    expect(await told(company)).toEqual([everyone('discussion_replied', 5)])
  })
})
