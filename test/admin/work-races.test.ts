import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { callsInRace, roundsOfRace } from '../support/races.ts'

const app = useApp()
const ROUNDS = roundsOfRace(4)
const AT_ONCE = callsInRace(4)

/** Two members of a private project that has a list. */
async function furnish() {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company, { name: 'Closed', is_public: false })
  const list = await newList(company, project.id)
  const people = [await app.diwan.person(company.id), await app.diwan.person(company.id)] as const
  for (const { id } of people) await company.admin.post(`/projects/${project.id}/members`, { user_id: id })
  const work = people.map(({ token }) => app.diwan.client(`/admin/v1/companies/${company.id}/records`, token))
  return { company, project, list, people, work: work as [Client, Client] }
}

const rowsIn = async ({ id }: TestCompany, table: string) =>
  Number((await app.database.pool.query(`select count(*) from ${table} where company_id = $1`, [id])).rows[0].count)

/** Keeps a write in flight, several at once, until something else has been answered. Nothing is written after that. */
async function during(write: () => Promise<Answer>, doing: () => Promise<Answer>, count: () => Promise<number>) {
  let isOver = false
  const answers: Answer[] = []
  const writing = Array.from({ length: AT_ONCE }, async () => {
    do answers.push(await write())
    while (!isOver)
  })
  await new Promise(resolve => setTimeout(resolve, Math.random() * 60))
  const done = await doing()
  const counted = await count()
  isOver = true
  await Promise.all(writing)
  expect([done.status, done.body.error]).toEqual([200, undefined])
  expect(await count()).toBe(counted)
  return answers.map(({ status }) => status)
}

describe('What a member writes', () => {
  const TASKS = callsInRace(100)
  const batch = { tasks: Array.from({ length: TASKS }, (_, n) => ({ title: `Task ${n}` })) }

  it('is all written before they are removed from the project, or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { company, project, list, people, work } = await furnish()
      const tasks = () => rowsIn(company, 'tasks')
      const statuses = await during(
        () => work[0].post(`/lists/${list.id}/tasks/batch`, batch),
        () => company.admin.delete(`/projects/${project.id}/members/${people[0].id}`),
        tasks,
      )
      expect(statuses.filter(status => status !== 201 && status !== 404)).toEqual([])
      expect(await tasks()).toBe(TASKS * statuses.filter(status => status === 201).length)
    }
  })

  it.each([
    ['a task', 'tasks', (_: string, list: string) => `/lists/${list}/tasks`],
    ['a discussion', 'discussions', (project: string) => `/projects/${project}/discussions`],
    ['a file', 'files', (project: string) => `/projects/${project}/files`],
    ['a comment', 'comments', (_: string, list: string) => `/lists/${list}/comments`],
  ])('is %s only before the project is closed to them', async (_, table, addressOf) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { company, project, list } = await furnish()
      await company.api.patch(`/projects/${project.id}`, { is_public: true })
      const outsider = await app.diwan.person(company.id)
      const body = { title: 'x', name: 'x.md', content: 'x' }
      const statuses = await during(
        () => outsider.admin.post(`/records${addressOf(project.id, list.id)}`, body),
        () => company.api.patch(`/projects/${project.id}`, { is_public: false }),
        () => rowsIn(company, table),
      )
      expect(statuses.filter(status => status !== 201 && status !== 404)).toEqual([])
    }
  })

  it.each([
    [
      'the member is dismissed',
      (company: TestCompany, id: number) => company.admin.patch(`/users/${id}`, { active: false }),
    ],
    [
      'the company is closed',
      async ({ id }: TestCompany) => {
        const { name } = (await app.diwan.operator.get(`/companies/${id}`)).body.data
        return app.diwan.operator.post(`/companies/${id}/close`, { name })
      },
    ],
  ])('is written before %s, or not at all', async (_, end) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { company, list, people, work } = await furnish()
      const statuses = await during(
        () => work[0].post(`/lists/${list.id}/tasks`, { title: 'x' }),
        () => end(company, people[0].id),
        () => rowsIn(company, 'tasks'),
      )
      expect(statuses.filter(status => ![201, 401, 404].includes(status))).toEqual([])
    }
  })
})

describe('Two members at the same moment', () => {
  it('create one record by its external id, and both are told of it', async () => {
    const { company, list, work } = await furnish()
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        work.map(each => each.put(`/lists/${list.id}/tasks/ext:crm-${round}`, { title: 'Same' })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    }
    expect(await rowsIn(company, 'tasks')).toBe(ROUNDS)
  })

  it('complete a task once, and move it to one list', async () => {
    const { company, project, list, work } = await furnish()
    const places = [
      await newList(company, project.id, { title: 'A' }),
      await newList(company, project.id, { title: 'B' }),
    ]
    for (let round = 0; round < ROUNDS; round++) {
      const task = await newTask(company, list.id)
      const completed = await Promise.all(work.map(each => each.post(`/tasks/${task.id}/complete`)))
      expect(new Set(completed.map(({ body }) => body.data.completed_at)).size).toBe(1)
      const moved = await Promise.all(
        work.map((each, n) => each.post(`/tasks/${task.id}/move`, { list_id: places[n]?.id })),
      )
      expect(moved.map(({ status }) => status)).toEqual([200, 200])
      const { task_list_id } = (await company.api.get(`/tasks/${task.id}`)).body.data
      expect(places.map(({ id }) => id)).toContain(task_list_id)
    }
  })

  it('delete what one of them made only once, and the other may not', async () => {
    const { list, work } = await furnish()
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = (await created(work[0].post(`/lists/${list.id}/tasks`, { title: 'Mine' }))).data
      const [own, again, theirs] = await Promise.all([
        work[0].delete(`/tasks/${id}`),
        work[0].delete(`/tasks/${id}`),
        work[1].delete(`/tasks/${id}`),
      ])
      expect([own.status, again.status].sort()).toEqual([200, 404])
      expect([403, 404]).toContain(theirs.status)
    }
  })
})

describe('A record of one’s own', () => {
  it('is what one made without a key: not what the key of a leader or a colleague made, nor what they changed', async () => {
    const { company, list, work } = await furnish()
    const byKey = await newTask(company, list.id)
    const byColleague = (await created(work[1].post(`/lists/${list.id}/tasks`, { title: 'x', external_id: 'y' }))).data
    expect((await work[0].put(`/lists/${list.id}/tasks/ext:y`, { title: 'Taken over' })).status).toBe(200)
    for (const { id } of [byKey, byColleague]) expect((await work[0].delete(`/tasks/${id}`)).status).toBe(403)
  })

  it('is one’s own again after it was restored', async () => {
    const { company, project, work } = await furnish()
    const { id } = (await created(work[0].post(`/projects/${project.id}/discussions`, { title: 'Mine' }))).data
    expect((await work[0].delete(`/discussions/${id}`)).status).toBe(200)
    expect((await company.admin.post(`/trash/${id}/restore`)).status).toBe(200)
    expect((await work[1].delete(`/discussions/${id}`)).status).toBe(403)
    expect((await work[0].delete(`/discussions/${id}`)).status).toBe(200)
  })
})
