import { expect } from 'vitest'
import type { Client } from '../../support/diwan.ts'
import { newList, newTask } from '../../support/factories.ts'
import { random } from '../../support/random.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { anyNode, expectRightCounts, race, statusesOf } from './racing.ts'

const JSON_BODY = { 'content-type': 'application/json' }

/** Two change a record at once. With the tag of the same version one is refused; without it neither is, and both are kept. */
export async function expectOneOfTwoChanges(nodes: ServerProcess[], rounds: number): Promise<void> {
  const [first] = nodes as [ServerProcess]
  const company = await first.diwan.company()
  const list = await newList(company, (await first.diwan.project(company)).id)
  for (let round = 0; round < rounds; round++) {
    const at = `/tasks/${(await newTask(company, list.id)).id}`
    const tag = (await company.api.get(at)).headers.get('etag') as string
    const patch =
      (body: object, headers: Record<string, string> = {}) =>
      () =>
        anyNode(nodes, company).send('PATCH', at, { body: JSON.stringify(body), headers: { ...JSON_BODY, ...headers } })
    const titles = ['First', 'Second']
    const tagged = statusesOf(await race(...titles.map(title => patch({ title }, { 'if-match': tag }))))
    expect([...tagged].sort()).toEqual([200, 412])
    expect((await company.api.get(at)).body.data.title).toBe(titles[tagged.indexOf(200)])

    const free = await race(
      patch({ title: 'Third', metadata: { a: '1' } }),
      patch({ notes: 'Fourth', metadata: { b: '2' } }),
    )
    expect(statusesOf(free)).toEqual([200, 200])
    const both = { title: 'Third', notes: 'Fourth', metadata: { a: '1', b: '2' } }
    expect((await company.api.get(at)).body.data).toMatchObject(both)
  }
}

/** A project is archived while tasks are moved into it and out of it: each is moved or refused, and none afterwards. */
export async function expectNothingEnters(nodes: ServerProcess[], rounds: number): Promise<void> {
  const [first] = nodes as [ServerProcess]
  const company = await first.diwan.company()
  const outside = await newList(company, (await first.diwan.project(company)).id)
  const move = (api: Client, id: string, list_id: string) => api.post(`/tasks/${id}/move`, { list_id })
  for (let round = 0; round < rounds; round++) {
    const project = await first.diwan.project(company)
    const inside = await newList(company, project.id)
    const [coming, late, going, staying] = [
      await newTask(company, outside.id),
      await newTask(company, outside.id),
      await newTask(company, inside.id),
      await newTask(company, inside.id),
    ]
    const [archived, came, went] = await race(
      () => anyNode(nodes, company).post(`/projects/${project.id}/archive`),
      () => move(anyNode(nodes, company), coming.id, inside.id),
      () => move(anyNode(nodes, company), going.id, outside.id),
    )
    expect(archived?.status).toBe(200)
    for (const answer of [came, went]) expect([200, 403]).toContain(answer?.status)
    const where = async (id: string) => (await company.api.get(`/tasks/${id}`)).body.data.task_list_id
    expect(await where(coming.id)).toBe(came?.status === 200 ? inside.id : outside.id)
    expect(await where(going.id)).toBe(went?.status === 200 ? outside.id : inside.id)
    const api = anyNode(nodes, company)
    expect((await move(api, late.id, inside.id)).status).toBe(403)
    expect((await move(api, staying.id, outside.id)).status).toBe(403)
    // Those that are open again are counted at the end; an archived project is not read.
    if (random() < 0.5) expect((await api.post(`/projects/${project.id}/unarchive`)).status).toBe(200)
  }
  await expectRightCounts(company)
}
