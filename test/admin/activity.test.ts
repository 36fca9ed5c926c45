import { beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { furnishWork, INSTANT, newDiscussion } from '../support/factories.ts'
import { inPagesOfTwo } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
let company: TestCompany
let omar: Awaited<ReturnType<typeof app.diwan.person>>
let sara: typeof omar
// biome-ignore lint/suspicious/noExplicitAny: records as they came back
let project: any, topics: any[]

beforeAll(async () => {
  company = await app.diwan.company()
  omar = await app.diwan.person(company.id)
  sara = await app.diwan.person(company.id, { name: 'سارة', role: 'manager' })
  project = await app.diwan.project(company, { name: 'Office move' })
  topics = []
  for (const title of ['موعد الانتقال', 'Second', 'Third'])
    topics.push(await newDiscussion(company, project.id, { title }))
  // Another company's doings are nowhere to be seen.
  await furnishWork(app.diwan)
  await tellPeople(app)
})

const subjectOf = ({ id, title }: { id: string; title: string }) => ({ type: 'discussion', id, title })
const personOf = ({ id, name, email }: typeof omar) => ({ id, name, email })

describe('GET …/timeline', () => {
  it('shows each discussion that was created, newest first, and nothing else', async () => {
    const { status, body } = await company.admin.get('/timeline')
    const entry = (topic: (typeof topics)[number]) => ({
      id: expect.any(Number),
      created_at: INSTANT,
      kind: 'discussion_created',
      project: { id: project.id, name: 'Office move' },
      subject: subjectOf(topic),
      actor: company.owner.name,
    })
    const meta = { total: 3, limit: 50, offset: 0, count: 3, next_cursor: null }
    expect([status, body]).toEqual([200, { data: [...topics].reverse().map(entry), meta }])
  })

  it('keeps the title as it was then', async () => {
    const own = await furnishWork(app.diwan)
    await own.company.api.patch(`/discussions/${own.discussion.id}`, { title: 'Renamed' })
    await own.company.api.delete(`/discussions/${own.discussion.id}`)
    expect((await own.company.admin.get('/timeline')).body.data).toMatchObject([{ subject: subjectOf(own.discussion) }])
  })
})

describe('GET …/notifications', () => {
  it('shows a leader who was told of what, newest first, and whether it was mailed', async () => {
    const { data, meta } = (await sara.admin.get('/notifications')).body
    expect(meta).toEqual({ total: 6, limit: 50, offset: 0, count: 6, next_cursor: null })
    const note = {
      id: expect.any(Number),
      created_at: INSTANT,
      kind: 'discussion_created',
      emailed_at: null,
      read_at: null,
    }
    const told = [...topics]
      .reverse()
      .map(topic => [omar, sara].map(person => ({ ...note, user: personOf(person), subject: subjectOf(topic) })))
    expect(data).toEqual(expect.arrayContaining(told.flat()))
    const ids = data.map(({ id }: { id: number }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
  })

  it('shows a member the own ones and nobody else’s', async () => {
    const { data, meta } = (await omar.admin.get('/notifications')).body
    expect(meta.total).toBe(3)
    expect(data.map(({ user }: { user: unknown }) => user)).toEqual([omar, omar, omar].map(personOf))
  })
})

describe('GET …/subscriptions', () => {
  it('shows who follows what', async () => {
    const { data, meta } = (await company.admin.get('/subscriptions')).body
    expect(meta.total).toBe(9)
    const all = topics.flatMap(topic =>
      [omar, sara, company.owner].map(person => ({
        created_at: INSTANT,
        user: personOf(person),
        subject: subjectOf(topic),
      })),
    )
    expect(data).toEqual(expect.arrayContaining(all))
  })
})

describe.each(['timeline', 'notifications', 'subscriptions'])('GET …/%s', collection => {
  it('pages without overlap, with the right total past the end', async () => {
    const pages = await inPagesOfTwo(company.admin, `/${collection}`)
    const whole = (await company.admin.get(`/${collection}`)).body
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data)
    expect(pages.at(-1).meta).toMatchObject({ total: whole.meta.total, count: 0 })
  })

  it('is read by leaders and the operator; a member reads the own notifications only; another company finds nothing', async () => {
    const other = await app.diwan.company()
    const path = `/companies/${company.id}/${collection}`
    expect((await app.diwan.operator.get(path)).body).toEqual((await company.admin.get(`/${collection}`)).body)
    expect((await omar.admin.get(`/${collection}`)).status).toBe(collection === 'notifications' ? 200 : 403)
    expectRefusal(await app.diwan.client('/admin/v1', other.ownerToken).get(path), 404, 'not_found')
    expect((await app.diwan.client('/admin/v1', company.key).get(path)).status).toBe(401)
    expect((await app.diwan.client('/admin/v1').get(path)).status).toBe(401)
  })
})

describe('PATCH …/discussions/{ref}', () => {
  it('sets and clears the category, which the API shows and cannot set', async () => {
    const [topic] = topics
    const set = async (body: object) => (await company.admin.patch(`/discussions/${topic.id}`, body)).body.data
    const shown = async () => (await company.api.get(`/discussions/${topic.id}`)).body.data
    for (const category of ['إعلانات', 'News', null]) {
      expect(await set({ category })).toEqual({ ...topic, category })
      expect(await shown()).toEqual({ ...topic, category })
    }
    expect(await set({})).toEqual(topic)
    await company.api.patch(`/discussions/${topic.id}`, { category: 'Mine' })
    expect(await shown()).toEqual(topic)
  })

  it('is for leaders, refuses a bad category, and finds only topics of the own company that are there', async () => {
    const [topic] = topics
    const foreign = await furnishWork(app.diwan)
    const deleted = await newDiscussion(foreign.company, foreign.project.id)
    await foreign.company.api.delete(`/discussions/${deleted.id}`)
    expectRefusal(await omar.admin.patch(`/discussions/${topic.id}`, { category: 'x' }), 403, 'forbidden')
    for (const category of ['', 5, 'x'.repeat(256)])
      expect((await company.admin.patch(`/discussions/${topic.id}`, { category })).status).toBe(422)
    for (const ref of ['mjl-0000000000', foreign.discussion.id, 'moving-day', project.id, '%00', '%ED%A0%80'])
      expect([ref, (await company.admin.patch(`/discussions/${ref}`, { category: 'x' })).status]).toEqual([ref, 404])
    expect((await foreign.company.admin.patch(`/discussions/${deleted.id}`, { category: 'x' })).status).toBe(404)
  })

  it('is 403 in an archived project and changes nothing there, and 404 in a deleted one', async () => {
    const { company, project, discussion } = await furnishWork(app.diwan)
    await company.api.post(`/projects/${project.id}/archive`)
    for (const admin of [company.admin, app.diwan.client(`/admin/v1/companies/${company.id}`, OPERATOR_TOKEN)]) {
      const answer = await admin.patch(`/discussions/${discussion.id}`, { category: 'x' })
      expectRefusal(answer, 403, 'forbidden', 'The project is archived. Unarchive it first.')
    }
    await company.api.post(`/projects/${project.id}/unarchive`)
    expect((await company.api.get(`/discussions/${discussion.id}`)).body.data.category).toBeNull()
    await company.api.delete(`/projects/${project.id}`)
    expect((await company.admin.patch(`/discussions/${discussion.id}`, { category: 'x' })).status).toBe(404)
  })
})
