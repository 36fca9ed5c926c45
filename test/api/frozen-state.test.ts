import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Client } from '../support/diwan.ts'
import { ALL_OPERATIONS } from '../support/diwan.ts'
import {
  audit,
  type Work as BareWork,
  furnishWork as furnishBareWork,
  newComment,
  newList,
  ON_DISCUSSION,
  ON_LIST,
  ON_PROJECT,
  type Operation,
  onComment,
  onTask,
  perform,
  SLUGS,
} from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

/** The same with a comment on each record. */
async function furnishWork(diwan: typeof app.diwan) {
  const work: BareWork = await furnishBareWork(diwan)
  const { company, list, task, discussion } = work
  const comments = {
    list: await newComment(company, `/lists/${list.id}`),
    task: await newComment(company, `/tasks/${task.id}`),
    discussion: await newComment(company, `/discussions/${discussion.id}`),
  }
  return { ...work, comments }
}
type Work = Awaited<ReturnType<typeof furnishWork>>

/** Every operation below a project, at each of its addresses. */
function everything({ project, list, task, discussion, comments }: Work): [Operation, string][] {
  const nested = `/projects/${SLUGS.project}`
  const at = (operations: Operation[], ...addresses: string[]) =>
    operations.flatMap(operation => addresses.map((address): [Operation, string] => [operation, address]))
  const discussions = [`/discussions/${discussion.id}`, `${nested}/discussions/${SLUGS.discussion}`]
  const tasks = [`/tasks/${task.id}`, `${nested}/lists/${SLUGS.list}/tasks/${SLUGS.task}`]
  const lists = [`/lists/${list.id}`, `${nested}/lists/${SLUGS.list}`]
  return [
    ...at(ON_PROJECT, `/projects/${project.id}`, nested),
    ...at(onComment(comments.discussion.id), ...discussions),
    ...at(ON_DISCUSSION, ...discussions),
    ...at(onComment(comments.task.id), ...tasks),
    ...at(onTask(list.id), ...tasks),
    ...at(onComment(comments.list.id), ...lists),
    ...at(ON_LIST, ...lists),
  ]
}

async function snapshot(api: Client, work: Work): Promise<unknown[]> {
  const reads = everything(work).filter(([{ method }]) => method === 'GET')
  const answers = await Promise.all(reads.map(([operation, address]) => perform(api, operation, address)))
  expect(answers.map(({ status }) => status)).toEqual(reads.map(() => 200))
  return answers.map(({ body }) => body)
}

/** Writes are refused with 403 and audited, even with a bad body; every read still works, and nothing has changed. */
async function expectFrozen(work: Work): Promise<void> {
  const { company } = work
  const before = await snapshot(company.api, work)
  const writes = everything(work).filter(([{ method }]) => method !== 'GET')
  expect(writes).toHaveLength(40)
  for (const [operation, address] of writes) {
    const path = address + operation.below
    for (const attempt of [operation, { ...operation, body: {} }]) {
      expectRefusal(await perform(company.api, attempt, address), 403, 'forbidden')
      expect(await audit(company)).toMatchObject([
        {
          outcome: 'denied',
          operation: operation.needs,
          method: operation.method,
          path: `/api/v1${path}`,
          status: 403,
        },
      ])
    }
  }
  expect(await snapshot(company.api, work)).toEqual(before)
}

describe('An archived project', () => {
  it('refuses every write below it, nested and flat, until it is unarchived; reads go on', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    await api.post(`/projects/${work.project.id}/archive`)
    await expectFrozen(work)
    expectRefusal(await api.patch(`/projects/${work.project.id}`, { name: 'x' }), 403, 'forbidden')
    await api.post(`/projects/${work.project.id}/unarchive`)
    for (const [operation, address] of everything(work).filter(([{ method }]) => method !== 'DELETE'))
      expect((await perform(api, operation, address)).status).toBeLessThan(300)
  })

  it('freezes nothing beside it, and a missing record in it is still 404', async () => {
    const work = await furnishWork(app.diwan)
    const { api } = work.company
    const other = await app.diwan.project(work.company)
    await api.post(`/projects/${work.project.id}/archive`)
    expect((await newList(work.company, other.id)).title).toBe('Furniture')
    expect((await api.patch(`/projects/${work.project.id}/lists/missing`, { title: 'x' })).status).toBe(404)
  })
})

describe('A read-only subscription', () => {
  it('refuses every write there is, archiving among them, until it is active again; reads go on', async () => {
    const work = await furnishWork(app.diwan)
    const { api, id } = work.company
    await app.diwan.operator.patch(`/companies/${id}`, { subscription: 'read_only' })
    await expectFrozen(work)
    for (const path of [
      '/projects',
      `/projects/${work.project.id}/archive`,
      `/projects/${work.project.id}/unarchive`,
    ]) {
      expectRefusal(await api.post(path, { name: 'x' }), 403, 'forbidden')
      expect(await audit(work.company)).toMatchObject([{ outcome: 'denied', operation: 'projects:write' }])
    }
    await app.diwan.operator.patch(`/companies/${id}`, { subscription: 'active' })
    expect((await api.patch(`/lists/${work.list.id}`, { notes: 'x' })).status).toBe(200)
  })
})

describe('Every endpoint of the work', () => {
  it('asks for exactly the operation it declares: without it 403 and audited, with it alone it is let through', async () => {
    const work = await furnishWork(app.diwan)
    const { company } = work
    const apis = new Map<string, { without: Client; alone: Client }>()
    const key = async (operations: string[]) => app.diwan.api(await app.diwan.key(company.id, { operations }))
    for (const [operation, address] of everything(work)) {
      const { needs } = operation
      const without = apis.get(needs)?.without ?? (await key(ALL_OPERATIONS.filter(each => each !== needs)))
      const alone = apis.get(needs)?.alone ?? (await key([needs]))
      apis.set(needs, { without, alone })
      expectRefusal(await perform(without, operation, address), 403, 'forbidden')
      expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation: needs, status: 403 }])
      // Deletes a missing record, to spare the real one: the permission is checked before the lookup.
      const at = operation.method === 'DELETE' ? address.replace(/[^/]+$/, 'missing') : address
      expect((await perform(alone, operation, at)).status).not.toBe(403)
    }
  })
})
