import { beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { furnishWork, INSTANT, newDiscussion } from '../support/factories.ts'
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

describe('The activity of a company', () => {
  it('shows each discussion that was created, newest first, with its title as it was then', async () => {
    const { data, meta } = (await company.admin.get('/timeline')).body
    expect(meta).toEqual({ total: 3, limit: 50, offset: 0, count: 3, next_cursor: null })
    expect(data).toEqual(
      topics.toReversed().map(topic => ({
        id: expect.any(Number),
        created_at: INSTANT,
        kind: 'discussion_created',
        project: { id: project.id, name: 'Office move' },
        subject: subjectOf(topic),
        actor: company.owner.name,
      })),
    )
    const own = await furnishWork(app.diwan)
    await own.company.api.patch(`/discussions/${own.discussion.id}`, { title: 'Renamed' })
    await own.company.api.delete(`/discussions/${own.discussion.id}`)
    expect((await own.company.admin.get('/timeline')).body.data).toMatchObject([{ subject: subjectOf(own.discussion) }])
  })

  it('shows a leader who was told of what, newest first, whether it was mailed, and who follows what, and a member the own only', async () => {
    const { data, meta } = (await sara.admin.get('/notifications')).body
    expect(meta).toEqual({ total: 6, limit: 50, offset: 0, count: 6, next_cursor: null })
    const note = { created_at: INSTANT, kind: 'discussion_created', emailed_at: null, read_at: null }
    const notes = topics.flatMap(topic =>
      [omar, sara].map(person => ({
        id: expect.any(Number),
        ...note,
        user: personOf(person),
        subject: subjectOf(topic),
      })),
    )
    expect(data).toEqual(expect.arrayContaining(notes))
    const ids = data.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    const own = (await omar.admin.get('/notifications')).body.data
    expect(own.map(({ user }: { user: unknown }) => user)).toEqual([omar, omar, omar].map(personOf))
    const all = topics.flatMap(topic =>
      [omar, sara, company.owner].map(person => ({
        created_at: INSTANT,
        user: personOf(person),
        subject: subjectOf(topic),
      })),
    )
    const followed = (await company.admin.get('/subscriptions')).body
    expect([followed.meta.total, followed.data]).toEqual([9, expect.arrayContaining(all)])
  })
})

describe('PATCH …/discussions/{ref}', () => {
  it('sets and clears the category, which the API shows and cannot set', async () => {
    const [topic] = topics
    const set = async (body: object) => (await company.admin.patch(`/discussions/${topic.id}`, body)).body.data
    const shown = async () => (await company.api.get(`/discussions/${topic.id}`)).body.data
    for (const category of ['إعلانات', null]) {
      expect(await set({ category })).toEqual({ ...topic, category })
      expect(await shown()).toEqual({ ...topic, category })
    }
    expect(await set({})).toEqual(topic)
    await company.api.patch(`/discussions/${topic.id}`, { category: 'Mine' })
    expect(await shown()).toEqual(topic)
  })

  it('refuses a bad category, finds only topics of the own company, and changes nothing in an archived project', async () => {
    const { company, project, discussion } = await furnishWork(app.diwan)
    const set = (ref: string, category: unknown, admin = company.admin) =>
      admin.patch(`/discussions/${ref}`, { category })
    for (const category of ['', 5, 'x'.repeat(256)])
      expectRefusal(await set(discussion.id, category), 422, 'unprocessable_entity')
    const deleted = await newDiscussion(company, project.id, { title: 'Gone' })
    await company.api.delete(`/discussions/${deleted.id}`)
    for (const ref of [deleted.id, 'mjl-0000000000', topics[0].id, 'moving-day', project.id, '%00', '%ED%A0%80'])
      expect([ref, (await set(ref, 'x')).status]).toEqual([ref, 404])
    await company.api.post(`/projects/${project.id}/archive`)
    for (const admin of [company.admin, app.diwan.admin(company.id, OPERATOR_TOKEN)])
      expectRefusal(
        await set(discussion.id, 'x', admin),
        403,
        'forbidden',
        'The project is archived. Unarchive it first.',
      )
    expect((await company.api.get(`/discussions/${discussion.id}`)).body.data.category).toBeNull()
    await company.api.post(`/projects/${project.id}/unarchive`)
    await company.api.delete(`/projects/${project.id}`)
    expectRefusal(await set(discussion.id, 'x'), 404, 'not_found')
  })
})
