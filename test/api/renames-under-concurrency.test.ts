import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { furnishWork, newTask, onTask, perform, SLUGS } from '../support/factories.ts'
import { roundsOfRace } from '../support/races.ts'

const app = useApp()

const ROUNDS = roundsOfRace(20)
const TITLES = ['Chairs', 'Lamps', 'Shelves']

describe('Records that are being renamed', () => {
  it('take every write at the address that names them, and all of their parents, by the slugs of before', async () => {
    const { company, project, list, task } = await furnishWork(app.diwan)
    const { api } = company
    const nested = `/projects/${SLUGS.project}/lists/${SLUGS.list}/tasks/${SLUGS.task}`
    const writes = onTask(list.id).filter(({ method }) => method === 'POST' || method === 'PATCH')
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([
        api.patch(`/projects/${project.id}`, { name: `Project ${round}` }),
        api.patch(`/lists/${list.id}`, { title: `List ${round}` }),
        api.patch(`/tasks/${task.id}`, { title: `Task ${round}` }),
        ...writes.map(write => perform(api, write, nested)),
      ])
      expect([round, answers.filter(({ status }) => status >= 300).map(({ body }) => body)]).toEqual([round, []])
    }
    const { data } = (await api.get(nested)).body
    expect(data).toMatchObject({ project_slug: `project-${ROUNDS - 1}`, task_list_slug: `list-${ROUNDS - 1}` })
  })

  it('have the slug of the title they end up with, and every slug they had names them alone', async () => {
    const { company, project, list } = await furnishWork(app.diwan)
    const { api } = company
    const tasks = [await newTask(company, list.id), await newTask(company, list.id), await newTask(company, list.id)]
    for (let round = 0; round < ROUNDS; round++) {
      const renames = tasks.flatMap(({ id }) => TITLES.map(title => api.patch(`/tasks/${id}`, { title })))
      const answers = await Promise.all(renames)
      expect([round, answers.map(({ status }) => status)]).toEqual([round, renames.map(() => 200)])
    }
    const below = `/projects/${project.id}/lists/${list.id}/tasks`
    const { db } = app.database
    const known = await db.raw<{ ref: string; title: string; current: string; slug: string }>(
      `select t.ref, t.title, t.slug as current, s.slug from tasks t
       join taken_slugs s on s.company_id = t.company_id and s.kind = 'task' and s.record_id = t.id
       where t.company_id = $1 and t.ref = any($2)`,
      [company.id, tasks.map(({ id }) => id)],
    )
    expect(new Set(known.map(({ slug }) => slug)).size).toBe(known.length)
    for (const { ref, title, current, slug } of known) {
      expect(current).toMatch(new RegExp(`^${title.toLowerCase()}(-[23])?$`))
      expect((await api.get(`${below}/${slug}`)).body.data.id).toBe(ref)
    }
  })
})
