// @module-tag long

import assert from 'node:assert'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Generated, generate } from '../../cli/src/local/generated-data.ts'
import { listCompanyTasks } from '../../src/api/company-tasks.ts'
import type { Call } from '../../src/api/gate.ts'
import type { Db } from '../../src/db/db.ts'
import { createMint } from '../../src/domain/access/credentials.ts'
import { addKey } from '../../src/domain/access/keyring.ts'
import { createCursors } from '../../src/http/requests/cursor.ts'
import { SERVER_SECRET, useOwnApp } from '../support/app.ts'
import type { Client } from '../support/diwan.ts'
import { type Plan, planOf } from '../support/plans.ts'
import {
  COMPLETED,
  dueFrom,
  dueTo,
  everyTask,
  expectedTasks,
  type ModelFilter,
  type ModelTask,
  OPEN,
  ofPeople,
  pagedTasks,
  UNASSIGNED,
  updatedSince,
} from '../support/task-model.ts'

// More tasks than are counted exactly: then a page is read in another way.
const TASKS = 18_000

const app = useOwnApp()
let generated: Generated
let api: Client
let all: ModelTask[]
beforeAll(async () => {
  generated = await generate(app.database.db, { tasks: TASKS, companies: 1 }, () => {})
  const { companyId, ownerId } = generated
  // The tasks of the first project are archived, and those of one list of the second are about to be removed.
  await app.database.pool.query(`update projects set archived = true where id = (select min(id) from projects)`)
  await app.database.pool.query(
    `update task_lists set deleted_at = now() where id = (select min(id) + 12 from task_lists)`,
  )
  // Most tasks have a stage, and one in a thousand has a mark. Without triggers: nothing was updated as far as the model knows.
  await app.database.pool.query(
    `begin; set local session_replication_role = replica;
     update tasks set metadata = case when id % 1000 = 0 then '{"stage": "review", "mark": "x"}' else '{"stage": "review"}' end::jsonb
     where id % 4 <> 1;
     commit`,
  )
  await app.database.pool.query('vacuum analyze')
  const key = await addKey(
    app.database.db,
    { company_id: companyId, name: 'Test', created_by: ownerId },
    createMint(SERVER_SECRET, false),
  )
  api = app.diwan.api(key)
  all = await everyTask(app.database.db, companyId)
}, 300_000)

const LAYLA = ofPeople('layla@company-1.example')

const CASES: [string, ...ModelFilter[]][] = [
  ['created'],
  ['-due', OPEN],
  ['due', UNASSIGNED],
  ['-updated', OPEN],
  ['updated', updatedSince('2026-01-02T00:00:00.000Z')],
]
/** These match fewer tasks. */
const RARER: [string, ...ModelFilter[]][] = [
  ['due', LAYLA, OPEN],
  ['-updated', COMPLETED, dueFrom('2027-02-01')],
  ['-due', dueFrom('2027-01-10'), dueTo('2027-01-11')],
]

const pathOf = (sort: string, filters: ModelFilter[]) =>
  `/company/tasks?sort=${sort}${filters.map(({ query }) => `&${query}`).join('')}`
const expectedOf = (sort: string, filters: ModelFilter[]) =>
  expectedTasks(all, filters, sort as Parameters<typeof expectedTasks>[2])

describe('More tasks than are counted', () => {
  it.each(CASES)('are those of the model, from page to page and by an offset, by %s', async (sort, ...filters) => {
    const expected = expectedOf(sort, filters)
    expect(expected.length).toBeGreaterThan(10_000)
    const dated = new Set(all.filter(({ due_at }) => due_at !== null).map(({ ref }) => ref))
    const lastDated = expected.findLastIndex(ref => dated.has(ref))
    for (const offset of [0, lastDated - 110, expected.length - 250]) {
      const { refs, total } = await pagedTasks(api, `${pathOf(sort, filters)}&offset=${offset}`, 100, 3)
      expect([offset, total, refs]).toEqual([offset, 10_000, expected.slice(offset, offset + 300)])
    }
    const { body } = await api.get(`${pathOf(sort, filters)}&limit=10&offset=9990`)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected.slice(9_990, 10_000))
    expect(body.meta).toMatchObject({ total: 10_000, total_is_lower_bound: true, offset: 9_990 })
  })

  it('that are fewer are counted exactly', async () => {
    for (const [sort, ...filters] of RARER) {
      const expected = expectedOf(sort, filters)
      const { body } = await api.get(`${pathOf(sort, filters)}&limit=100`)
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected.slice(0, 100))
      expect(body.meta.total).toBe(expected.length)
      expect(body.meta).not.toHaveProperty('total_is_lower_bound')
    }
  })
})

/** How many tasks the database reads for a page, according to the plan that the server uses for all values. */
async function tasksRead(query: Record<string, string>) {
  let read = 0
  const explained: Pick<Db, 'many'> = {
    async many(statement) {
      read += readBy(await planOf(app.database.pool, statement))
      return app.database.db.many(statement)
    },
  }
  const company = { id: generated.companyId, time_zone: 'Asia/Riyadh' }
  assert(listCompanyTasks.method === 'GET')
  const call = { db: explained, company, sight: 'company', params: {}, readCursor: createCursors('x') } as Call
  const { meta } = (await listCompanyTasks.read(call, query)) as { meta: { total: number; next_cursor: string } }
  return { read, meta }
}

function readBy(plan: Plan): number {
  const isOfTasks = plan['Relation Name'] === 'tasks'
  const own = isOfTasks ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, below) => sum + readBy(below), own)
}

describe('The tasks with a value in their metadata', () => {
  const found = async (query: string) => (await api.get(`/company/tasks?include_archived=true&${query}`)).body
  const refs = (data: { id: string }[]) => data.map(({ id }) => id)

  it('are found where they are few, and where they are most, from page to page in their order', async () => {
    const few = await found('metadata[mark]=x&metadata[stage]=review')
    expect(few.meta.total).toBe(TASKS / 1000)
    const first = await found('metadata[stage]=review&limit=100&sort=-created')
    expect(first.meta).toMatchObject({ total: 10_000, total_is_lower_bound: true })
    const next = await found(`metadata[stage]=review&limit=100&sort=-created&cursor=${first.meta.next_cursor}`)
    const { rows } = await app.database.pool.query(
      `select t.ref as id from tasks t join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
       where t.company_id = $1 and l.deleted_at is null and t.metadata ->> 'stage' = 'review' order by t.id desc limit 200`,
      [generated.companyId],
    )
    expect([...refs(first.data), ...refs(next.data)]).toEqual(refs(rows))
  })
})

describe('A page of tasks reads', () => {
  const LATER = '2090-01-01'
  // The tasks that are hidden may come first: there are 1,100, of which every third is completed.
  const FEW = 2_000

  it('next to nothing where a filter finds nothing, and little more than it shows where the counts tell its total', async () => {
    const NOTHING: Record<string, string>[] = [
      { assignee_email: 'nobody@example.com', completed: 'false', sort: 'due' },
      { due_from: LATER, sort: '-updated' },
      { overdue: 'true' },
      { updated_since: LATER, completed: 'true', sort: 'due' },
      { 'metadata[stage]': 'draft', sort: '-updated', completed: 'false' },
      { 'metadata[mark]': 'y', 'metadata[stage]': 'review' },
    ]
    for (const query of NOTHING) expect([query, (await tasksRead(query)).read < 20]).toEqual([query, true])
    const COUNTED: Record<string, string>[] = [
      ...['created', '-due', 'due', '-updated'].map(sort => ({ sort })),
      { include_archived: 'true' },
      { completed: 'true', sort: '-due' },
    ]
    for (const query of COUNTED) expect([query, (await tasksRead(query)).read <= FEW]).toEqual([query, true])
  })

  it('little more than it shows when the page before has counted them', async () => {
    const queries: Record<string, string>[] = [
      { sort: 'due', due_from: '2026-01-01' },
      { sort: '-due', due_from: '2026-01-01', completed: 'false' },
      { sort: 'updated', unassigned: 'true' },
    ]
    for (const query of queries) {
      const { read, meta } = await tasksRead(query)
      const next = await tasksRead({ ...query, cursor: meta.next_cursor })
      expect([query, read > FEW, next.read <= FEW]).toEqual([query, true, true])
      expect(next.meta.total).toBe(meta.total)
    }
  })
})
