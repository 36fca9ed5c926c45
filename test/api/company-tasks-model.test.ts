import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import {
  ARCHIVED_TOO,
  COMPLETED,
  completedSince,
  dueFrom,
  dueTo,
  everyTask,
  expectedTasks,
  type ModelFilter,
  type ModelTask,
  OPEN,
  OVERDUE,
  ofPeople,
  ofProjects,
  orNobody,
  pagedTasks,
  SORTS,
  UNASSIGNED,
  updatedSince,
} from '../support/task-model.ts'

const app = useApp()

const DAYS = ['2020-01-01', '2026-06-01', '2027-01-01', '2027-01-02', null]
const randomTask = fc.record({
  due_at: fc.constantFrom(...DAYS),
  person: fc.constantFrom(0, 1, null),
  list: fc.nat({ max: 4 }),
  isCompleted: fc.boolean(),
  isChanged: fc.boolean(),
})
type RandomTask = typeof randomTask extends fc.Arbitrary<infer T> ? T : never

/** Tasks in two projects, an archived project, a deleted project and a deleted list. */
async function furnishTasks(tasks: RandomTask[]) {
  const company = await app.diwan.company()
  const { api } = company
  const people = [await app.diwan.person(company.id), await app.diwan.person(company.id)].map(({ email }) => email)
  const [first, second, archived, deleted] = await Promise.all(
    ['First', 'Second', 'Archived', 'Deleted'].map(name => app.diwan.project(company, { name })),
  )
  const lists: string[] = []
  for (const { id } of [first, second, archived, deleted, first]) lists.push((await newList(company, id)).id)
  for (const { due_at, person, list, isCompleted, isChanged } of tasks) {
    const assignee_email = person === null ? null : people[person]
    const { id } = await newTask(company, lists[list] as string, { due_at, assignee_email })
    if (isCompleted) await api.post(`/tasks/${id}/complete`)
    if (isChanged) await api.patch(`/tasks/${id}`, { notes: 'Changed' })
  }
  await api.post(`/projects/${archived.id}/archive`)
  await api.delete(`/projects/${deleted.id}`)
  await api.delete(`/lists/${lists[4]}`)
  return { company, people, first, second, archived }
}

function filtersOf(all: ModelTask[], { people, first, archived }: Awaited<ReturnType<typeof furnishTasks>>) {
  const [one = '', two = ''] = people
  const middle = (times: (string | null)[]) => {
    const known = times.filter(time => time !== null).sort()
    return known[known.length >> 2] ?? '2026-01-01'
  }
  return [
    ofPeople(one),
    ofPeople(one, two),
    ofPeople('nobody@example.com'),
    orNobody(ofPeople(one)),
    orNobody(ofPeople(two, one)),
    UNASSIGNED,
    OPEN,
    COMPLETED,
    OVERDUE,
    dueFrom('2026-06-01'),
    dueTo('2027-01-01'),
    updatedSince(middle(all.map(({ updated_at }) => updated_at))),
    completedSince(middle(all.map(({ completed_at }) => completed_at))),
    ofProjects(first.id),
    ofProjects(first.id, archived.id),
    ARCHIVED_TOO,
  ]
}

const nameOf = ({ query }: ModelFilter) => query.split('=')[0]
const isUnambiguous = ([one, two]: ModelFilter[]) =>
  !two || (one !== two && nameOf(one as ModelFilter) !== nameOf(two) && !(isOfPeople(one) && isOfPeople(two)))
const isOfPeople = (filter?: ModelFilter) => /assignee_email|unassigned/.test(filter?.query ?? '')

async function expectLikeModel(company: TestCompany, all: ModelTask[], filters: ModelFilter[], n: number) {
  const sort = SORTS[n % SORTS.length] as (typeof SORTS)[number]
  const path = ['/company/tasks?sort=', sort, ...filters.map(({ query }) => `&${query}`)].join('')
  const expected = expectedTasks(all, filters, sort)
  const { refs, total } = await pagedTasks(company.api, path, n % 2 ? 100 : 7)
  expect([path, total, refs]).toEqual([path, expected.length, expected])
}

it('Tasks across projects are those that a plain model finds, by every filter alone and in pairs, in every order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomTask, { minLength: 25, maxLength: 35 }), async tasks => {
      const work = await furnishTasks(tasks)
      const all = await everyTask(app.database.db, work.company.id)
      const filters = filtersOf(all, work)
      const pairs = filters.flatMap((one, n) => filters.slice(n).map(two => (one === two ? [one] : [one, two])))
      for (const [n, pair] of pairs.filter(isUnambiguous).entries()) await expectLikeModel(work.company, all, pair, n)
      for (const n of SORTS.keys()) await expectLikeModel(work.company, all, [], n)
      for (const { id } of [work.first, work.archived])
        for (const [n, filter] of filters.slice(0, 13).entries()) {
          const sort = SORTS[n % SORTS.length] as (typeof SORTS)[number]
          const expected = expectedTasks(all, [filter, ofProjects(id)], sort)
          const { refs } = await pagedTasks(work.company.api, `/projects/${id}/tasks?sort=${sort}&${filter.query}`, 3)
          expect([sort, filter.query, refs]).toEqual([sort, filter.query, expected])
        }
    }),
    { numRuns: 1, endOnFailure: true },
  )
})
