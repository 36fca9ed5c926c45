import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { newList, newTask, type Operation, onTask, perform } from '../support/factories.ts'
import { roundsOfRace } from '../support/races.ts'

const app = useApp()

const ROUNDS = roundsOfRace(40)
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const soon = () => sleep(Math.random() * 8)

/** Two projects with a list each, and a client. */
async function twoPlaces() {
  const company = await app.diwan.company()
  const [here, there] = [await app.diwan.project(company), await app.diwan.project(company)]
  const [from, to] = [await newList(company, here.id), await newList(company, there.id)]
  return { company, api: company.api, here, there, from, to }
}

/** What can be done to a task besides moving and deleting it. */
const WRITES = onTask('').filter(({ method, below }) => method !== 'GET' && method !== 'DELETE' && below !== '/move')

async function attempt(api: Client, write: Operation, address: string): Promise<string> {
  const { status } = await perform(api, write, address)
  return `${write.method} ${write.below} ${status}`
}

async function numberOfTasks(company: TestCompany, list: { id: string }): Promise<[number, number]> {
  const { meta } = (await company.api.get(`/lists/${list.id}/tasks?limit=1`)).body
  const { tasks_count } = (await company.api.get(`/lists/${list.id}`)).body.data
  return [meta.total, tasks_count]
}

describe('A task that is being moved', () => {
  it(`takes every write at its own address, in each of ${ROUNDS} rounds`, async () => {
    const { company, api, from, to } = await twoPlaces()
    for (let round = 0; round < ROUNDS; round++) {
      const task = await newTask(company, from.id)
      const address = `/tasks/${task.id}`
      const move = api.post(`${address}/move`, { list_id: to.id })
      const answers = await Promise.all(WRITES.map(write => attempt(api, write, address)))
      expect([round, (await move).status]).toEqual([round, 200])
      expect([round, answers.filter(line => !/ 20[01]$/.test(line))]).toEqual([round, []])
      const { data } = (await api.get(address)).body
      expect(data).toMatchObject({ notes: 'Changed', time_spent_minutes: 90, task_list_slug: 'furniture' })
      expect((await api.get(`${address}/comments`)).body.meta.total).toBe(1)
    }
    expect(await numberOfTasks(company, from)).toEqual([0, 0])
    expect(await numberOfTasks(company, to)).toEqual([ROUNDS, ROUNDS])
  })

  it('takes every write while it is moved to and fro without a pause', async () => {
    const { company, api, from, to } = await twoPlaces()
    const task = await newTask(company, from.id)
    let isOver = false
    const wander = async () => {
      for (let n = 0; n < ROUNDS; n++)
        expect((await api.post(`/tasks/${task.id}/move`, { list_id: n % 2 ? from.id : to.id })).status).toBe(200)
      isOver = true
    }
    const work = async (write: Operation) => {
      const lines: string[] = []
      while (!isOver) lines.push(await attempt(api, write, `/tasks/${task.id}`))
      return lines
    }
    const [, ...answers] = await Promise.all([wander(), ...WRITES.map(work)])
    expect(answers.flat().filter(line => !/ 20[01]$/.test(line))).toEqual([])
    expect(answers.flat().length).toBeGreaterThan(ROUNDS)
  })

  it('is found below the list it leaves or not at all, and what is answered 404 has not happened', async () => {
    const { company, api, here, from, to } = await twoPlaces()
    for (let round = 0; round < ROUNDS; round++) {
      const task = await newTask(company, from.id)
      const move = soon().then(() => api.post(`/tasks/${task.id}/move`, { list_id: to.id }))
      const nested = `/projects/${here.id}/lists/${from.id}/tasks/${task.id}`
      const [patched, commented] = await Promise.all([
        api.patch(nested, { notes: 'Nested' }),
        api.post(`${nested}/comments`, { content: 'Nested' }),
      ])
      expect((await move).status).toBe(200)
      expect([200, 404]).toContain(patched.status)
      expect([201, 404]).toContain(commented.status)
      const { data } = (await api.get(`/tasks/${task.id}`)).body
      const comments = (await api.get(`/tasks/${task.id}/comments`)).body.meta.total
      expect(data.notes).toBe(patched.status === 200 ? 'Nested' : null)
      expect(comments).toBe(commented.status === 201 ? 1 : 0)
    }
  })

  it('can be moved by two at once: each finds it where the other has left it', async () => {
    const { company, api, from, to } = await twoPlaces()
    for (let round = 0; round < ROUNDS; round++) {
      const task = await newTask(company, from.id)
      const moves = [to.id, from.id, to.id].map(list_id => api.post(`/tasks/${task.id}/move`, { list_id }))
      expect((await Promise.all(moves)).map(({ status }) => status)).toEqual([200, 200, 200])
    }
    const [[inFrom], [inTo]] = [await numberOfTasks(company, from), await numberOfTasks(company, to)]
    expect(inFrom + inTo).toBe(ROUNDS)
  })
})

describe('Many tasks that are moved in opposite directions', () => {
  it('all arrive, without waiting in circles', async () => {
    const { company, api, from, to } = await twoPlaces()
    const [left, right] = [[] as string[], [] as string[]]
    for (let n = 0; n < 12; n++) {
      left.push((await newTask(company, from.id)).id)
      right.push((await newTask(company, to.id)).id)
    }
    const startedAt = performance.now()
    for (let round = 0; round < 6; round++) {
      const [west, east] = round % 2 ? [to, from] : [from, to]
      const answers = await Promise.all([
        ...left.map(id => api.post(`/tasks/${id}/move`, { list_id: east.id })),
        ...right.map(id => api.post(`/tasks/${id}/move`, { list_id: west.id })),
      ])
      expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([])
    }
    // PostgreSQL resolves a deadlock by itself, but each one costs a second.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    expect(await numberOfTasks(company, from)).toEqual([12, 12])
    expect(await numberOfTasks(company, to)).toEqual([12, 12])
  })
})

describe('A destination that closes while tasks are moved into it', () => {
  // Answers may overtake one another, so only the database can tell what was closed at the moment of a commit.
  beforeAll(async () => {
    const { raw } = app.database.db
    await raw(
      `create function refuse_closed() returns trigger language plpgsql as $$
      begin
        if exists (select from projects p where p.company_id = new.company_id and p.id = new.project_id
                   and (p.archived or p.deleted_at is not null)) then
          raise exception 'A task was moved into a closed project';
        end if;
        return null;
      end $$`,
      [],
    )
    await raw(
      `create constraint trigger refuse_closed after update on tasks deferrable initially deferred
      for each row when (old.project_id <> new.project_id) execute function refuse_closed()`,
      [],
    )
  })

  interface Closing {
    close: (api: Client, project: string) => Promise<Answer>
    refusal: number
  }
  const closings: Record<string, Closing> = {
    archived: { close: (api, project) => api.post(`/projects/${project}/archive`), refusal: 403 },
    deleted: { close: (api, project) => api.delete(`/projects/${project}`), refusal: 422 },
  }
  for (const [name, { close, refusal }] of Object.entries(closings)) {
    it(`takes none once its project is ${name}, in any of ${ROUNDS} rounds`, async () => {
      const { company, api, from } = await twoPlaces()
      let entered = 0
      for (let round = 0; round < ROUNDS; round++) {
        const there = await app.diwan.project(company)
        const to = await newList(company, there.id)
        const tasks = await Promise.all(times(4, () => newTask(company, from.id)))
        const move = ({ id }: { id: string }) => api.post(`/tasks/${id}/move`, { list_id: to.id })
        const moves = tasks.slice(1).map(task => soon().then(() => move(task)))
        const [closed, ...moved] = await Promise.all([soon().then(() => close(api, there.id)), ...moves])
        const late = await move(tasks[0])
        const statuses = moved.map(({ status }) => status)
        expect([round, closed.status, late.status]).toEqual([round, 200, refusal])
        expect([round, statuses.filter(status => status !== 200 && status !== refusal)]).toEqual([round, []])
        entered += statuses.filter(status => status === 200).length
      }
      const left = 4 * ROUNDS - entered
      expect(await numberOfTasks(company, from)).toEqual([left, left])
    })
  }

  it('takes none that outlives it when it is deleted: a task arrives and goes with the list, or stays where it was', async () => {
    const { company, api, from, there } = await twoPlaces()
    let gone = 0
    for (let round = 0; round < ROUNDS; round++) {
      const to = await newList(company, there.id)
      const tasks = await Promise.all(times(4, () => newTask(company, from.id)))
      const moves = tasks.map(({ id }) => soon().then(() => api.post(`/tasks/${id}/move`, { list_id: to.id })))
      // A write that waited for a move then looks for the task in the new list, which is being deleted; it must not deadlock.
      const patches = [...tasks, ...tasks].map(({ id }) =>
        soon().then(() => api.patch(`/tasks/${id}`, { notes: 'Changed' })),
      )
      const [removal, ...answers] = await Promise.all([soon().then(() => api.delete(`/lists/${to.id}`)), ...moves])
      const patched = (await Promise.all(patches)).map(({ status }) => status)
      expect([round, patched.filter(status => status !== 200 && status !== 404)]).toEqual([round, []])
      const statuses = answers.map(({ status }) => status)
      expect([round, statuses.filter(status => status !== 200 && status !== 422)]).toEqual([round, []])
      const arrived = statuses.filter(status => status === 200).length
      expect([round, removal.body.data.deleted_tasks]).toEqual([round, arrived])
      gone += arrived
    }
    expect(await numberOfTasks(company, from)).toEqual([4 * ROUNDS - gone, 4 * ROUNDS - gone])
    expect((await api.get(`/projects/${there.id}`)).body.data.tasks_count).toBe(0)
  })
})

describe('A list deleted while its tasks are moved out of it', () => {
  it('takes those with it that were not answered 200, and counts them', async () => {
    const { company, api, here, to } = await twoPlaces()
    let saved = 0
    for (let round = 0; round < ROUNDS; round++) {
      const doomed = await newList(company, here.id)
      const tasks = await Promise.all(times(4, () => newTask(company, doomed.id)))
      const moves = tasks.map(async ({ id }) => {
        await soon()
        return (await api.post(`/tasks/${id}/move`, { list_id: to.id })).status
      })
      const writes = tasks.map(async ({ id }) => {
        await soon()
        return (await api.post(`/tasks/${id}/complete`)).status
      })
      const [removal, ...answers] = await Promise.all([
        soon().then(() => api.delete(`/lists/${doomed.id}`)),
        ...moves,
        ...writes,
      ])
      expect([round, answers.filter(status => status !== 200 && status !== 404)]).toEqual([round, []])
      const moved = answers.slice(0, 4).filter(status => status === 200).length
      expect([round, removal.body.data.deleted_tasks]).toEqual([round, 4 - moved])
      const found = await Promise.all(tasks.map(({ id }) => api.get(`/tasks/${id}`)))
      expect(found.map(({ status }) => status)).toEqual(answers.slice(0, 4))
      saved += moved
    }
    expect(await numberOfTasks(company, to)).toEqual([saved, saved])
    expect((await api.get(`/projects/${here.id}`)).body.data.tasks_count).toBe(0)
  })
})
