import { expect } from 'vitest'
import { newList, newTask } from '../../support/factories.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { anyNode, expectRightCounts, race, statusesOf } from './racing.ts'

/** A list is deleted while tasks are created in it: what was acknowledged went with the list and was counted, or never was. */
export async function expectNoOrphans(nodes: ServerProcess[], rounds: number): Promise<void> {
  const [first] = nodes as [ServerProcess]
  const company = await first.diwan.company()
  const { id: project } = await first.diwan.project(company)
  const api = () => anyNode(nodes, company)
  for (let round = 0; round < rounds; round++) {
    const list = await newList(company, project)
    await newTask(company, list.id)
    const at = `/lists/${list.id}`
    const [deleted, batch, ...single] = await race(
      () => api().delete(at),
      () => api().post(`${at}/tasks/batch`, { tasks: [{ title: 'One' }, { title: 'Two' }] }),
      () => api().post(`${at}/tasks`, { title: 'Three' }),
      () => api().post(`${at}/tasks`, { title: 'Four', external_id: `post-${round}` }),
      () => api().put(`${at}/tasks/ext:put-${round}`, { title: 'Five' }),
      () => api().post(`/projects/${project}/lists/${list.id}/tasks`, { title: 'Six' }),
    )
    expect(deleted?.status).toBe(200)
    const statuses = statusesOf([...(batch ? [batch] : []), ...single])
    expect(statuses.filter(status => status !== 201 && status !== 404)).toEqual([])
    const made = [...(batch?.body.data ?? []), ...single.flatMap(({ body }) => body.data ?? [])]
    expect(deleted?.body.data.deleted_tasks).toBe(1 + made.length)
    const looks = await Promise.all([at, ...made.map(({ id }) => `/tasks/${id}`)].map(path => api().get(path)))
    expect(new Set(statusesOf(looks))).toEqual(new Set([404]))
  }
  await expectRightCounts(company)
}
