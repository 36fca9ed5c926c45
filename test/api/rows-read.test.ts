// @module-tag long

import type { TObject } from 'typebox'
import { beforeAll, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { newList } from '../support/factories.ts'
import { addUpTo } from '../support/many-records.ts'
import { forgetPlans, rowsReadBy } from '../support/rows-read.ts'

const app = useOwnApp({ poolSize: 2 })
let furnished: Awaited<ReturnType<typeof furnishEveryRecord>>
let otherList: string

beforeAll(async () => {
  // Nothing may analyze a table during this test.
  await app.database.pool.query(`do $$ declare t regclass; begin
    for t in select relid from pg_stat_user_tables where schemaname = 'public' loop
      execute format('alter table %s set (autovacuum_enabled = off)', t);
    end loop; end $$`)
  furnished = await furnishEveryRecord(app.diwan)
  otherList = (await newList(furnished.company, furnished.names.project as string)).id
})

/** What reads every record that it is about: the total of these pages is counted, and a search looks at the newest names. */
const READS_ALL =
  /^GET .*(\/search|\/projects|\/company\/tasks|:project\/(tasks|discussions|folders|files)|\/comments|\/events)$/
/** What is not done every day, or not a second time; an upload is a link with bytes. */
const NOT_EVERYDAY = /archive$|^POST .*\/files$|\/download$|\/changes$/
const EVERYDAY = apiEndpoints
  .filter(({ method }) => method !== 'DELETE')
  .flatMap(endpoint => endpoint.at.map(at => ({ endpoint, at, call: `${endpoint.method} ${at}` })))
  .filter(({ call }) => !READS_ALL.test(call) && !NOT_EVERYDAY.test(call))

let sent = 0

/** A body that can be sent again and again: people in the examples do not exist here, and folders have different names. */
function bodyFor(name: string, body: TObject & { examples?: object[] }): string {
  sent += 1
  if (name === 'create_tasks') return JSON.stringify({ tasks: Array(100).fill({ title: 'Order the desks' }) })
  if (name === 'change_tasks')
    return JSON.stringify({ changes: Array(100).fill({ task: furnished.names.task, do: 'update', notes: `${sent}` }) })
  if (name === 'move_task') return JSON.stringify({ list_id: otherList })
  const { assignee_email, attendee_emails, attachments, folder_id, parent_folder_id, ...fields } = (body
    .examples?.[0] ?? {}) as Record<string, unknown>
  return JSON.stringify(name.endsWith('_folder') ? { ...fields, name: `Folder, number ${sent}` } : fields)
}

/** The rows that each call reads, by its name. Some calls fold counts, and the first plans are made: the lowest of three counts. */
async function rowsByCall(): Promise<Map<string, Awaited<ReturnType<typeof rowsReadBy>>>> {
  const { api } = furnished.company
  const found = new Map<string, Awaited<ReturnType<typeof rowsReadBy>>>()
  for (const { endpoint, at, call } of EVERYDAY) {
    for (let n = 0; n < 3; n++) {
      const read = await rowsReadBy(app.database, async () => {
        const body = endpoint.body && {
          body: bodyFor(endpoint.name, endpoint.body),
          headers: { 'content-type': 'application/json' },
        }
        const { status } = await api.send(endpoint.method, furnished.fill(at), body)
        expect([call, status]).toEqual([call, endpoint.status])
      })
      if (endpoint.name === 'move_task')
        await api.post(furnished.fill('/tasks/:task/move'), { list_id: furnished.names.list })
      if (read.rows < (found.get(call)?.rows ?? Number.POSITIVE_INFINITY)) found.set(call, read)
    }
  }
  return found
}

it('No everyday call reads more among 10,000 records than among 100, without statistics', async () => {
  await addUpTo(100, app.database, furnished)
  await forgetPlans(app.database)
  const amongFew = await rowsByCall()
  await addUpTo(10_000, app.database, furnished)
  await forgetPlans(app.database)
  const amongMany = await rowsByCall()
  const { rows } = await app.database.pool.query(`select from pg_stats where tablename = 'tasks'`)
  expect(rows).toEqual([])
  const grown = [...amongMany].filter(([call, { rows }]) => rows > 1.2 * (amongFew.get(call)?.rows ?? 0) + 50)
  expect(grown).toEqual([])
  expect(amongMany.get('POST /lists/:list/tasks')?.rows).toBeLessThan(30)
  expect(amongMany.get('POST /lists/:list/tasks/batch')?.rows).toBeLessThan(2_000)
}, 300_000)
