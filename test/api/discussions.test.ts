import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, INSTANT, newComment, newDiscussion, SLUGS, type Work } from '../support/factories.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
let company: TestCompany
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
})

/** Who was notified of what, as `[kind, subject, e-mail]`, and who follows what; and the timeline, newest first. */
async function activity({ admin }: TestCompany) {
  await tellPeople(app)
  const read = async (path: string) => (await admin.get(`/${path}?limit=100`)).body.data
  type Note = { kind: string; subject: { id: string }; user: { email: string } }
  const notes: Note[] = await read('notifications')
  const follows: Note[] = await read('subscriptions')
  const told = notes.filter(({ kind }) => kind === 'discussion_replied').map(({ user }) => user.email)
  return {
    notified: notes.map(({ subject, user }) => [subject.id, user.email]).sort(),
    subscribed: follows.map(({ subject, user }) => [subject.id, user.email]).sort(),
    timeline: (await read('timeline')).map(({ kind, subject }: Note) => [kind, subject.id]),
    replies: { told: told.sort(), following: follows.map(({ user }) => user.email).sort() },
  }
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
})

describe('Creating a discussion', () => {
  it('tells every active person of a public project but the author, whom it subscribes too, and enters the timeline, once', async () => {
    const own = await app.diwan.company()
    const people = [await app.diwan.person(own.id), await app.diwan.person(own.id, { role: 'manager' })]
    await app.diwan.person(own.id, { active: false })
    await app.diwan.person((await app.diwan.company()).id)
    const { id } = await newDiscussion(own, (await app.diwan.project(own)).id)
    const audience = people.map(({ email }) => [id, email]).sort()
    expect(await activity(own)).toMatchObject({
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
    expect((await own.api.post(address, { title: 'x', body: 5 })).status).toBe(422)
    // The answer is stored after everything else has been written; here that fails.
    await app.database.db.run(
      sql`alter table idempotent_answers add constraint full_disk check (name <> 'fails') not valid`,
    )
    const send = () => own.api.post(address, { title: 'x' }, { 'idempotency-key': 'fails' })
    expect((await send()).status).toBe(500)
    expect(await activity(own)).toMatchObject({ notified: [], subscribed: [], timeline: [] })
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
  it('hides it, and a restore brings back ref, slug, replies and their count', async () => {
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
    const addresses = [`/discussions/${id}`, `/projects/${own.project.id}/discussions/${SLUGS.discussion}`]
    expect((await api.get(`/projects/${own.project.id}/discussions`)).body.data).toEqual([])
    await newDiscussion(own.company, own.project.id)
    const restored = await admin.post(`/trash/${id}/restore`)
    expect([restored.status, restored.body]).toEqual([200, before])
    for (const address of addresses) expect((await api.get(address)).body).toEqual(before)
    expect((await api.get(`${addresses[0]}/comments`)).body.meta.total).toBe(2)
  })
})

/** A company with a discussion by its owner, and two people with keys. */
async function threeVoices(projectFields: object = {}) {
  const company = await app.diwan.company()
  const voice = async (name: string) => {
    const person = await app.diwan.person(company.id, { name })
    const key = await app.diwan.key(company.id, { created_by: person.id })
    return { ...person, api: app.diwan.api(key) } as { id: number; email: string; api: Client }
  }
  const [omar, sara] = [await voice('Omar Aziz'), await voice('سارة الناصر')]
  const project = await app.diwan.project(company, { ...projectFields })
  return { company, omar, sara, project }
}

describe('A reply', () => {
  it('tells those who follow the discussion, whoever opened it among them, but not its own author', async () => {
    const { company, omar, sara, project } = await threeVoices()
    const { id } = await newDiscussion(company, project.id)
    const all = [omar.email, sara.email, company.owner.email].sort()
    expect((await activity(company)).replies).toEqual({ told: [], following: all })
    await newComment(omar, `/discussions/${id}`)
    const first = [sara.email, company.owner.email].sort()
    expect(await activity(company)).toMatchObject({
      replies: { told: first, following: all },
      timeline: [
        ['discussion_replied', id],
        ['discussion_created', id],
      ],
    })
    await newComment(company, `/discussions/${id}`)
    expect((await activity(company)).replies.told).toEqual([...first, omar.email, sara.email].sort())
  })

  it('makes its author a follower', async () => {
    const { company, sara, project } = await threeVoices()
    const { id } = await newDiscussion(company, project.id)
    const late = await app.diwan.person(company.id)
    const key = await app.diwan.key(company.id, { created_by: late.id })
    await tellPeople(app)
    await newComment({ api: app.diwan.api(key) }, `/discussions/${id}`)
    await newComment(sara, `/discussions/${id}`)
    const { following, told } = (await activity(company)).replies
    expect([following.includes(late.email), told.includes(late.email)]).toEqual([true, true])
  })

  it('is the subject of a notification about the discussion, for each follower, with a mail of its own', async () => {
    const { company, sara, omar, project } = await threeVoices()
    const { id, title } = await newDiscussion(company, project.id)
    await newComment(omar, `/discussions/${id}`)
    await tellPeople(app)
    const [newest] = (await company.admin.get('/notifications?limit=1')).body.data
    expect(newest).toMatchObject({
      kind: 'discussion_replied',
      user: { email: sara.email },
      subject: { type: 'discussion', id, title },
      emailed_at: null,
    })
    const { rows } = await app.database.pool.query(
      `select n.id from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
       join pgboss.job j on j.name = 'mail-notification' and j.id = n.mail_id
       where n.company_id = $1 and w.kind = 'discussion_replied'`,
      [company.id],
    )
    expect(rows.map(({ id }) => id).sort()).toEqual([newest.id - 1, newest.id])
  })

  it('tells nobody who has left the company or the private project meanwhile: they follow nothing there', async () => {
    const { company, omar, sara, project } = await threeVoices({ is_public: false })
    const members = `/projects/${project.id}/members`
    for (const { id } of [omar, sara]) await created(company.admin.post(members, { user_id: id }))
    const { id } = await newDiscussion(company, project.id)
    await company.admin.delete(`${members}/${omar.id}`)
    await newComment(company, `/discussions/${id}`)
    const { email } = company.owner
    expect((await activity(company)).replies).toMatchObject({
      told: [sara.email],
      following: [email, sara.email].sort(),
    })
    await company.admin.patch(`/users/${sara.id}`, { active: false })
    await newComment(company, `/discussions/${id}`)
    expect((await activity(company)).replies).toMatchObject({ told: [sara.email], following: [email] })
  })

  it('tells nobody who lost sight of the project when it became private, whoever opened the discussion', async () => {
    const { company, omar, sara, project } = await threeVoices()
    const { id } = await newDiscussion(omar, project.id)
    const all = [omar.email, sara.email, company.owner.email].sort()
    expect((await activity(company)).replies.following).toEqual(all)
    await company.api.patch(`/projects/${project.id}`, { is_public: false })
    await newComment(omar, `/discussions/${id}`)
    expect((await activity(company)).replies).toMatchObject({
      told: [company.owner.email],
      following: [company.owner.email],
    })
    expect((await company.admin.get('/subscriptions')).body.meta.total).toBe(1)
    await company.api.patch(`/projects/${project.id}`, { is_public: true })
    expect((await activity(company)).replies.following).toEqual(all)
  })

  it('that is refused or only edited tells nobody', async () => {
    const { company, omar, project } = await threeVoices()
    const { id } = await newDiscussion(company, project.id)
    const reply = await newComment(omar, `/discussions/${id}`)
    const before = (await activity(company)).replies
    const bad = { content: 'x', attachments: ['fil-0000000000'] }
    expect((await company.api.post(`/discussions/${id}/comments`, bad)).status).toBe(422)
    expect((await omar.api.patch(`/discussions/${id}/comments/${reply.id}`, { content: 'Edited' })).status).toBe(200)
    expect((await activity(company)).replies).toEqual(before)
  })
})
