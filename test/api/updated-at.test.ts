import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { furnishWork, newList } from '../support/factories.ts'

const app = useApp()

/** Does something to a record, and tells whether its `updated_at` has moved. */
async function moves(read: () => Promise<Answer>, act: () => Promise<Answer>): Promise<boolean> {
  const before = Date.parse((await read()).body.data.updated_at)
  await sleep(2)
  const answer = await act()
  expect(answer.status).toBeLessThan(300)
  const { id, updated_at } = (await read()).body.data
  // A write answers with the record itself, or with another one, such as a comment on it.
  if (answer.body.data?.id === id) expect(answer.body.data.updated_at).toBe(updated_at)
  const after = Date.parse(updated_at)
  expect(after).toBeGreaterThanOrEqual(before)
  return after > before
}

describe('updated_at of a task', () => {
  it('moves with every change of the task, and stays when nothing in it changes: the same values, the same state, a comment, a rename above', async () => {
    const { company, project, list, task } = await furnishWork(app.diwan)
    const { api } = company
    const address = `/tasks/${task.id}`
    const other = await newList(company, project.id)
    const changes: [string, () => Promise<Answer>][] = [
      ['title of the same slug', () => api.patch(address, { title: 'buy desks!' })],
      ['complete', () => api.post(`${address}/complete`)],
      ['incomplete', () => api.post(`${address}/incomplete`)],
      ['time', () => api.post(`${address}/time`, { time_spent: '1:30' })],
      ['moved away', () => api.post(`${address}/move`, { list_id: other.id })],
      ['moved back', () => api.post(`${address}/move`, { list_id: list.id })],
    ]
    for (const [name, act] of changes) expect([name, await moves(() => api.get(address), act)]).toEqual([name, true])
    const idle: [string, () => Promise<Answer>][] = [
      ['reopened while open', () => api.post(`${address}/incomplete`)],
      ['the same time', () => api.post(`${address}/time`, { time_spent: '1:30' })],
      ['moved to where it is', () => api.post(`${address}/move`, { list_id: list.id })],
      ['commented on', () => api.post(`${address}/comments`, { content: 'x' })],
      ['its list renamed', () => api.patch(`/lists/${list.id}`, { title: 'Renamed' })],
      ['its project renamed', () => api.patch(`/projects/${project.id}`, { name: 'Renamed' })],
    ]
    for (const [name, act] of idle) expect([name, await moves(() => api.get(address), act)]).toEqual([name, false])
  })
})

describe('updated_at of a task list', () => {
  it('moves with its own fields, and not with the counts of what is in it', async () => {
    const { company, list, task } = await furnishWork(app.diwan)
    const { api } = company
    const address = `/lists/${list.id}`
    const acts: [string, boolean, () => Promise<Answer>][] = [
      ['title', true, () => api.patch(address, { title: 'Other' })],
      ['a task added', false, () => api.post(`${address}/tasks`, { title: 'x' })],
      ['a task completed', false, () => api.post(`/tasks/${task.id}/complete`)],
      ['a task deleted', false, () => api.delete(`/tasks/${task.id}`)],
      ['commented on', false, () => api.post(`${address}/comments`, { content: 'x' })],
    ]
    for (const [name, expected, act] of acts)
      expect([name, await moves(() => api.get(address), act)]).toEqual([name, expected])
  })
})
