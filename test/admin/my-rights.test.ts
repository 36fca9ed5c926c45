import { describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, newComment, newLink } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const recordsFor = (company: TestCompany, token: string) =>
  app.diwan.client(`/admin/v1/companies/${company.id}/records`, token)

/** A company whose owner made one of everything, and a member at work in it. */
async function atWork() {
  const furnished = await furnishWork(app.diwan)
  const { company, project, list, task, discussion } = furnished
  const file = await newLink(company, project.id)
  const member = await app.diwan.person(company.id)
  const manager = await app.diwan.person(company.id, { role: 'manager' })
  const work = recordsFor(company, member.token)
  const own = {
    task: (await created(work.post(`/lists/${list.id}/tasks`, { title: 'Mine' }))).data.id as string,
    discussion: (await created(work.post(`/projects/${project.id}/discussions`, { title: 'Mine' }))).data.id as string,
    file: (await created(work.post(`/projects/${project.id}/files`, { name: 'mine.md', content: 'x' }))).data
      .ref as string,
  }
  const others = { task: task.id as string, discussion: discussion.id as string, file: file.ref as string }
  return { ...furnished, work, own, others, member, leader: recordsFor(company, manager.token) }
}

const ADDRESSES = { task: 'tasks', discussion: 'discussions', file: 'files' } as const
type Kind = keyof typeof ADDRESSES
const KINDS = Object.keys(ADDRESSES) as Kind[]

const rightsOf = async (client: Client, ref: string, query = '') => {
  const { status, body } = await client.get(`/me/rights?of=${ref}${query}`)
  expect([ref, status]).toEqual([ref, 200])
  return body.data
}

describe('GET …/records/me/rights', () => {
  it.each(KINDS)('says of a %s whether a member may delete it, as the deletion itself decides', async kind => {
    const { work, own, others } = await atWork()
    for (const [ref, may] of [
      [own[kind], true],
      [others[kind], false],
    ] as const) {
      expect(await rightsOf(work, ref)).toEqual({ delete: may })
      expect((await work.delete(`/${ADDRESSES[kind]}/${ref}`)).status).toBe(may ? 200 : 403)
    }
  })

  it.each(KINDS)('says of a %s that a leader may delete it, whoever made it', async kind => {
    const { leader, own, others } = await atWork()
    for (const ref of [own[kind], others[kind]]) {
      expect(await rightsOf(leader, ref)).toEqual({ delete: true })
      expect((await leader.delete(`/${ADDRESSES[kind]}/${ref}`)).status).toBe(200)
    }
  })

  it('lets leaders delete task lists, and nobody else', async () => {
    const { work, leader, project } = await atWork()
    const list = (await created(work.post(`/projects/${project.id}/lists`, { title: 'Mine' }))).data.id
    expect(await rightsOf(work, list)).toEqual({ delete: false })
    expect(await rightsOf(leader, list)).toEqual({ delete: true })
    expect((await work.delete(`/lists/${list}`)).status).toBe(403)
    expect((await leader.delete(`/lists/${list}`)).status).toBe(200)
  })

  it('is refused to the operator, who only reads', async () => {
    const { company, own, list } = await atWork()
    const operator = recordsFor(company, OPERATOR_TOKEN)
    for (const ref of [...Object.values(own), list.id])
      expectRefusal(await operator.get(`/me/rights?of=${ref}`), 403, 'forbidden')
  })

  it('is no for everybody in an archived project, and with a read-only subscription', async () => {
    const { company, work, leader, own, project, others } = await atWork()
    const comment = (await created(work.post(`/tasks/${own.task}/comments`, { content: 'x' }))).data.id
    const rights = async () => [
      await rightsOf(work, own.task, `&comment=${comment}`),
      await rightsOf(leader, others.discussion),
      await rightsOf(leader, others.file),
    ]
    const frozen = [{ delete: false, comments: [] }, { delete: false }, { delete: false }]
    const open = [{ delete: true, comments: [comment] }, { delete: true }, { delete: true }]
    expect(await rights()).toEqual(open)
    await leader.post(`/projects/${project.id}/archive`)
    expect(await rights()).toEqual(frozen)
    await leader.post(`/projects/${project.id}/unarchive`)
    expect(await rights()).toEqual(open)
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expect(await rights()).toEqual(frozen)
  })

  it('finds nothing where there is nothing, where it is hidden, and where it is no record of this kind', async () => {
    const { company, work, others, project } = await atWork()
    const hidden = await app.diwan.project(company, { name: 'Secret', is_public: false })
    const secret = (await created(company.api.post(`/projects/${hidden.id}/discussions`, { title: 'x' }))).data.id
    const missing = await work.get('/me/rights?of=tsk-0000000000')
    expectRefusal(missing, 404, 'not_found')
    for (const ref of [secret, project.id, 'nonsense', '%F0%9F%98%80', 'tsk-', `${others.task}x`]) {
      const answer = await work.get(`/me/rights?of=${ref}`)
      expect([ref, answer.status, answer.body.error]).toEqual([ref, 404, missing.body.error])
    }
    const stranger = await app.diwan.company()
    const foreign = recordsFor(stranger, stranger.ownerToken)
    expectRefusal(await foreign.get(`/me/rights?of=${others.task}`), 404, 'not_found')
  })

  it('asks which record is meant', async () => {
    const { work } = await atWork()
    const answer = await work.get('/me/rights')
    expectRefusal(answer, 422, 'unprocessable_entity')
    expect(answer.body.error.message).toBe("of can't be blank")
  })

  it.each(['task', 'discussion'] as const)(
    'names the comments on a %s that the caller wrote, and so may edit',
    async kind => {
      const { company, work, leader, others } = await atWork()
      const address = `/${ADDRESSES[kind]}/${others[kind]}`
      const theirs = (await newComment(company, address)).id
      const mine = (await created(work.post(`${address}/comments`, { content: 'Mine' }))).data.id
      const asked = `&comment=${theirs}&comment=${mine}&comment=nonsense&comment=999999999`
      expect((await rightsOf(work, others[kind], asked)).comments).toEqual([mine])
      expect((await rightsOf(leader, others[kind], asked)).comments).toEqual([])
      const statuses = []
      for (const id of [theirs, mine])
        statuses.push((await work.patch(`${address}/comments/${id}`, { content: 'Changed' })).status)
      expect(statuses).toEqual([403, 200])
      const other = kind === 'task' ? others.discussion : others.task
      expect((await rightsOf(work, other, asked)).comments).toEqual([])
      expectRefusal(
        await work.get(`/me/rights?of=${others[kind]}${'&comment=1'.repeat(101)}`),
        422,
        'unprocessable_entity',
      )
    },
  )
})
