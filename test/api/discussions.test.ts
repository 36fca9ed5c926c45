import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import {
  audit,
  expectNothingAt,
  furnishWork,
  INSTANT,
  newComment,
  newDiscussion,
  ON_DISCUSSION,
  SLUGS,
  type Work,
} from '../support/factories.ts'
import { inPagesOfTwo } from '../support/furnished.ts'
import { refusal, unprocessable } from '../support/refusal.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
})

/** Who was notified of each discussion and who follows it, as `[subject, e-mail]`; and the timeline. */
async function activity(own: TestCompany) {
  await tellPeople(app)
  const read = async (path: string) => (await own.admin.get(`/${path}?limit=100`)).body.data
  const pairs = (rows: { subject: { id: string }; user: { email: string } }[]) =>
    rows.map(({ subject, user }) => [subject.id, user.email]).sort()
  const timeline = (await read('timeline')).map((entry: { kind: string; subject: { id: string } }) => [
    entry.kind,
    entry.subject.id,
  ])
  return { notified: pairs(await read('notifications')), subscribed: pairs(await read('subscriptions')), timeline }
}

describe('A discussion', () => {
  it('is created with 201, and shown whole when it is read', async () => {
    const sent = { title: 'موعد الانتقال؟ ', body: 'Which weekend?\n\n<3 & more' }
    const { status, body } = await company.api.post(`/projects/${SLUGS.project}/discussions`, sent)
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^mjl-[0-9a-hjkmnp-tv-z]{10}$/),
        ...sent,
        category: null,
        author: company.owner.name,
        replies_count: 0,
        external_id: null,
        metadata: {},
        created_at: INSTANT,
      },
    ])
    expect((await company.api.get(`/discussions/${body.data.id}`)).body).toEqual(body)
    expect((await newDiscussion(company, work.project.id)).body).toBeNull()
  })

  it('is found by ref, slug, retired slug and percent-encoded Arabic slug, nested, and by ref, flat', async () => {
    const own = await furnishWork(app.diwan)
    const { id } = own.discussion
    await own.company.api.patch(`/discussions/${id}`, { title: 'موعد الانتقال' })
    const nested = [own.project.id, SLUGS.project].flatMap(project =>
      [id, SLUGS.discussion, encodeURIComponent('موعد-الانتقال')].map(
        topic => `/projects/${project}/discussions/${topic}`,
      ),
    )
    for (const address of [...nested, `/discussions/${id}`]) {
      const changed = await own.company.api.patch(address, { body: address })
      expect(changed.body.data).toEqual({ ...own.discussion, title: 'موعد الانتقال', body: address })
      expect((await own.company.api.get(address)).body).toEqual(changed.body)
    }
  })

  it('comes newest first among those of its project, without deleted ones, in pages whose total is right past the end too', async () => {
    const own = await app.diwan.company()
    const project = await app.diwan.project(own)
    const topics = []
    for (const title of ['a', 'b', 'gone', 'c']) topics.push(await newDiscussion(own, project.id, { title }))
    await own.api.delete(`/discussions/${topics[2].id}`)
    await newDiscussion(own, (await app.diwan.project(own)).id)
    const pages = await inPagesOfTwo(own.api, `/projects/${project.id}/discussions`)
    expect(pages.map(({ data }) => data.map(({ title }: { title: string }) => title))).toEqual([['c', 'b'], ['a'], []])
    expect(pages.at(-1).meta).toEqual({ total: 3, limit: 2, offset: 4, count: 0, next_cursor: null })
  })
})

describe('PATCH of a discussion', () => {
  it('changes what was sent, clears the body on null, and nothing on an empty body or a refused one', async () => {
    const topic = await newDiscussion(company, work.project.id, { body: 'b' })
    for (const [change, expected] of [
      [undefined, {}],
      [{}, {}],
      [{ title: 'B' }, { title: 'B' }],
      [{ body: null }, { body: null }],
    ] as const) {
      Object.assign(topic, expected)
      const { status, body } = await company.api.patch(`/discussions/${topic.id}`, change)
      expect([change, status, body]).toEqual([change, 200, { data: topic }])
    }
    for (const [bad, message] of [
      [{ title: '' }, /^title can't be blank/],
      [{ title: null }, /^title can't be blank/],
      [{ title: 'x'.repeat(256) }, /^title is too long/],
      [{ body: 5 }, /^body must be/],
      [{ body: 'x'.repeat(65_536) }, /^body is too long/],
    ] as const) {
      const answer = await company.api.patch(`/discussions/${topic.id}`, { body: 'good', ...bad })
      expect([bad, ...refusal(answer)]).toEqual([bad, ...unprocessable(message)])
    }
    expect((await company.api.get(`/discussions/${topic.id}`)).body.data).toEqual(topic)
  })
})

describe('Creating a discussion', () => {
  it('tells every active person of a public project but the author, whom it subscribes too, and enters the timeline, once', async () => {
    const own = await app.diwan.company()
    const people = [await app.diwan.person(own.id), await app.diwan.person(own.id, { role: 'manager' })]
    await app.diwan.person(own.id, { active: false })
    await app.diwan.person((await app.diwan.company()).id)
    const { id } = await newDiscussion(own, (await app.diwan.project(own)).id)
    const audience = people.map(({ email }) => [id, email]).sort()
    expect(await activity(own)).toEqual({
      notified: audience,
      subscribed: [...audience, [id, own.owner.email]].sort(),
      timeline: [['discussion_created', id]],
    })
  })

  it('tells and subscribes only members of a private project; an author who is one follows and is not told', async () => {
    const own = await app.diwan.company()
    const [member, outsider] = [await app.diwan.person(own.id), await app.diwan.person(own.id)]
    const project = await app.diwan.project(own, { is_public: false })
    await own.admin.post(`/projects/${project.id}/members`, { user_id: member.id })
    const first = await newDiscussion(own, project.id)
    const byOutsider = { api: app.diwan.api(await app.diwan.key(own.id, { created_by: outsider.id })) }
    const second = await newDiscussion(byOutsider, project.id)
    const told = [
      [first.id, member.email],
      [second.id, member.email],
      [second.id, own.owner.email],
    ].sort()
    const subscribed = [...told, [first.id, own.owner.email]].sort()
    expect(await activity(own)).toMatchObject({ notified: told, subscribed })
  })

  it('leaves nothing behind when it is refused, or fails at its very end: all of it is one transaction', async () => {
    const own = await app.diwan.company()
    await app.diwan.person(own.id)
    const address = `/projects/${(await app.diwan.project(own)).id}/discussions`
    for (const fields of [{}, { title: ' ' }, { title: 'x', body: 5 }, { discussion: { title: 'x' } }])
      expect([fields, ...refusal(await own.api.post(address, fields))]).toEqual([fields, ...unprocessable(/^\w/)])
    // The answer is stored after everything else has been written; here that fails.
    await app.database.db.run(
      sql`alter table idempotent_answers add constraint full_disk check (name <> 'fails') not valid`,
    )
    const send = () => own.api.post(address, { title: 'x' }, { 'idempotency-key': 'fails' })
    expect((await send()).status).toBe(500)
    expect(await activity(own)).toEqual({ notified: [], subscribed: [], timeline: [] })
    const rows = await app.database.db.one(sql`select
      (select count(*) from discussions where company_id = ${own.id}) as discussions,
      (select count(*) from pgboss.job where data ->> 'company_id' = ${String(own.id)}) as jobs`)
    expect(rows).toEqual({ discussions: 0, jobs: 0 })
    await app.database.db.run(sql`alter table idempotent_answers drop constraint full_disk`)
    expect((await send()).status).toBe(201)
    expect((await activity(own)).timeline).toHaveLength(1)
  })
})

describe('DELETE of a discussion', () => {
  it('hides it from every read at once, is audited, and a restore brings back ref, slug and replies_count', async () => {
    const own = await furnishWork(app.diwan)
    const { api, admin } = own.company
    const { id } = own.discussion
    for (let n = 0; n < 3; n++) await newComment(own.company, `/discussions/${id}`)
    await app.database.db.run(sql`delete from comments where id = (select max(id) from comments)`)
    const before = (await api.get(`/discussions/${id}`)).body
    expect(before.data).toEqual({ ...own.discussion, replies_count: 2 })

    const { status, body } = await api.delete(`/projects/${SLUGS.project}/discussions/${SLUGS.discussion}`)
    const discussion = { title: 'Moving day', id, slug: 'moving-day' }
    expect([status, body]).toEqual([200, { data: { deleted: true, recoverable: true, discussion } }])
    const [entry] = await audit(own.company)
    expect(entry).toMatchObject({ outcome: 'allowed', operation: 'discussions:destructive', status: 200 })
    const addresses = [`/discussions/${id}`, `/projects/${own.project.id}/discussions/${SLUGS.discussion}`]
    await expectNothingAt(api, ON_DISCUSSION, addresses)
    await newDiscussion(own.company, own.project.id)
    const restored = await admin.post(`/trash/${id}/restore`)
    expect([restored.status, restored.body]).toEqual([200, before])
    for (const address of addresses) expect((await api.get(address)).body).toEqual(before)
  })
})
