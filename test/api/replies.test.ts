import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, newComment, newDiscussion } from '../support/factories.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()

/** The e-mail addresses of those notified of replies, and of those who follow; and the timeline, newest first. */
async function activity({ admin }: TestCompany) {
  await tellPeople(app)
  const read = async (path: string) => (await admin.get(`/${path}?limit=100`)).body.data
  const emails = (rows: { user: { email: string } }[]) => rows.map(({ user }) => user.email).sort()
  const notifications: { kind: string; user: { email: string } }[] = await read('notifications')
  return {
    told: emails(notifications.filter(({ kind }) => kind === 'discussion_replied')),
    following: emails(await read('subscriptions')),
    timeline: (await read('timeline')).map(({ kind }: { kind: string }) => kind),
  }
}

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
  it('is counted by its discussion, and listed oldest first with that total', async () => {
    const { company, discussion, project } = await furnishWork(app.diwan)
    const other = await newDiscussion(company, project.id)
    await newComment(company, `/discussions/${other.id}`)
    for (const content of ['b', 'a', 'c']) await newComment(company, `/discussions/${discussion.id}`, { content })
    const { data, meta } = (await company.api.get(`/discussions/${discussion.id}/comments`)).body
    expect([data.map(({ content }: { content: string }) => content), meta.total]).toEqual([['b', 'a', 'c'], 3])
    const shown = (await company.api.get(`/discussions/${discussion.id}`)).body.data
    expect(shown).toEqual({ ...discussion, replies_count: 3 })
  })

  it('tells those who follow the discussion, whoever opened it among them, but not its own author', async () => {
    const { company, omar, sara, project } = await threeVoices()
    const { id } = await newDiscussion(company, project.id)
    const all = [omar.email, sara.email, company.owner.email].sort()
    expect(await activity(company)).toEqual({ told: [], following: all, timeline: ['discussion_created'] })
    await newComment(omar, `/discussions/${id}`)
    const first = [sara.email, company.owner.email].sort()
    expect(await activity(company)).toEqual({
      told: first,
      following: all,
      timeline: ['discussion_replied', 'discussion_created'],
    })
    await newComment(company, `/discussions/${id}`)
    expect((await activity(company)).told).toEqual([...first, omar.email, sara.email].sort())
  })

  it('makes its author a follower', async () => {
    const { company, sara, project } = await threeVoices()
    const { id } = await newDiscussion(company, project.id)
    const late = await app.diwan.person(company.id)
    const key = await app.diwan.key(company.id, { created_by: late.id })
    await tellPeople(app)
    await newComment({ api: app.diwan.api(key) }, `/discussions/${id}`)
    await newComment(sara, `/discussions/${id}`)
    const { following, told } = await activity(company)
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
    expect(await activity(company)).toMatchObject({ told: [sara.email], following: [email, sara.email].sort() })
    await company.admin.patch(`/users/${sara.id}`, { active: false })
    await newComment(company, `/discussions/${id}`)
    expect(await activity(company)).toMatchObject({ told: [sara.email], following: [email] })
  })

  it('tells nobody who lost sight of the project when it became private, whoever opened the discussion', async () => {
    const { company, omar, sara, project } = await threeVoices()
    const { id } = await newDiscussion(omar, project.id)
    const all = [omar.email, sara.email, company.owner.email].sort()
    expect((await activity(company)).following).toEqual(all)
    await company.api.patch(`/projects/${project.id}`, { is_public: false })
    await newComment(omar, `/discussions/${id}`)
    expect(await activity(company)).toMatchObject({ told: [company.owner.email], following: [company.owner.email] })
    expect((await company.admin.get('/subscriptions')).body.meta.total).toBe(1)
    await company.api.patch(`/projects/${project.id}`, { is_public: true })
    expect((await activity(company)).following).toEqual(all)
  })

  it('that is refused or only edited tells nobody', async () => {
    const { company, omar, project } = await threeVoices()
    const { id } = await newDiscussion(company, project.id)
    const reply = await newComment(omar, `/discussions/${id}`)
    const before = await activity(company)
    expect((await company.api.post(`/discussions/${id}/comments`, { content: ' ' })).status).toBe(422)
    const bad = { content: 'x', attachments: ['fil-0000000000'] }
    expect((await company.api.post(`/discussions/${id}/comments`, bad)).status).toBe(422)
    expect((await omar.api.patch(`/discussions/${id}/comments/${reply.id}`, { content: 'Edited' })).status).toBe(200)
    expect(await activity(company)).toEqual(before)
    expect((await company.api.get(`/discussions/${id}`)).body.data.replies_count).toBe(1)
  })

  it('is back with its discussion when that is restored', async () => {
    const { company, discussion } = await furnishWork(app.diwan)
    const address = `/discussions/${discussion.id}`
    const reply = await newComment(company, address)
    await company.api.delete(address)
    await company.admin.post(`/trash/${discussion.id}/restore`)
    expect((await company.api.get(`${address}/comments`)).body.data).toEqual([reply])
    expect((await company.api.get(address)).body.data.replies_count).toBe(1)
  })
})
