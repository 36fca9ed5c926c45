import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { readConfig } from '../src/config.ts'
import { createCursors } from '../src/http/requests/cursor.ts'
import { ascending } from '../src/http/requests/order.ts'
import { openDatabase } from '../src/parts.ts'
import { externalId } from './cases.ts'

// The baseline that Diwan is compared with: node:http and one prepared statement for each request, on a pool of the same
// size. It validates nothing, authenticates nobody and counts neither calls nor tasks. It writes to the same tables with the
// same indexes, but no trigger runs.

const TASK = `t.ref as id, t.title, replace(replace(t.notes, '<p>', ''), '</p>', '') as notes,
  t.completed_at is not null as completed, t.completed_at, t.due_at, t.time_spent_minutes, t.external_id, p.slug as project_slug,
  l.slug as task_list_slug, p.ref as project_id, l.ref as task_list_id,
  case when u.id is not null then json_build_object('name', u.name, 'email', u.email) end as assignee,
  t.metadata, t.created_at, t.updated_at`
const JOINS = `join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
  join projects p on p.company_id = t.company_id and p.id = t.project_id
  left join users u on u.company_id = t.company_id and u.id = t.assignee_id`

interface Floor {
  text: string
  values: (argument: string, body: string) => unknown[]
  answer: (rows: Record<string, unknown>[], argument: string) => unknown
}

function firstBy(order: string): string {
  return `select ${TASK} from tasks t ${JOINS} where t.company_id = 1 order by ${order} limit 51`
}

/** The index by due date keeps open and completed tasks apart, and backwards it begins with those that have no due date. */
function firstByDue(direction: '' | 'desc'): string {
  const first = (condition: string) =>
    `(select t.* from tasks t where t.company_id = 1 and ${condition} order by t.due_at ${direction}, t.id ${direction} limit 51)`
  const parts = ['not t.completed', 't.completed'].flatMap(state =>
    ['t.due_at is not null', 't.due_at is null'].map(part => first(`${state} and ${part}`)),
  )
  return `select ${TASK} from (${parts.join(' union all ')}) t ${JOINS}
    order by t.due_at ${direction} nulls last, t.id ${direction} limit 51`
}

/** Reads as much from the database, and returns the bytes of the real answer. */
function remembering(text: string): Floor {
  return { text, values: () => [], answer: (_, name) => remembered.get(name) }
}

/** The first page of the tasks that meet a condition, and how many there are, up to 10,001. */
function counted(condition: string): Floor {
  const found = `from tasks t where t.company_id = 1 and ${condition}`
  return remembering(`
    select ${TASK}, (select count(*) from (select ${found} limit 10001) c) as total
    from (select t.* ${found} order by t.id limit 51) t ${JOINS} order by t.id`)
}

/** As the index of metadata is written. */
const withMetadata = (metadata: object) =>
  counted(`t.metadata @> '${JSON.stringify(metadata)}' and t.metadata <> '{}' and t.company_id + 0 = 1`)

const FLOORS: Record<string, Floor> = {
  get: {
    text: `select ${TASK} from tasks t ${JOINS} where t.company_id = 1 and t.ref = $1`,
    values: ref => [ref],
    answer: ([data]) => ({ data }),
  },
  list: {
    text: `select ${TASK}, t.id as number, l.counted_tasks + (
        select coalesce(sum(c.tasks), 0) from count_changes c
        where c.company_id = 1 and c.project_id = l.project_id and c.task_list_id = l.id) as tasks_count from tasks t ${JOINS}
      where t.company_id = 1 and t.task_list_id = $1 order by t.id limit 51 offset $2`,
    values: argument => argument.split(',').slice(0, 2),
    answer: (rows, argument) => {
      const [, offset, list] = argument.split(',')
      const page = rows.slice(0, 50)
      const cursor = readCursor({ name: 'list_tasks', params: { list }, query: {} }, undefined, false)
      const next_cursor = rows.length > 50 ? cursor.next([ascending(sql`t.id`)], [String(page[49]?.number)]) : null
      const meta = { total: rows[0]?.tasks_count, limit: 50, offset: Number(offset), count: page.length, next_cursor }
      return { data: page.map(({ tasks_count, number, ...task }) => task), meta }
    },
  },
  // Without a total; the deep page is in the middle of all tasks, where none has a due date.
  open: remembering(`
    select ${TASK} from tasks t ${JOINS}
    where t.company_id = 1 and not t.completed order by t.due_at, t.id limit 51`),
  'open-deep': remembering(`
    select ${TASK} from tasks t ${JOINS}
    where t.company_id = 1 and not t.completed and t.due_at is null and t.id > (select max(id) / 2 from tasks where company_id = 1)
    order by t.id limit 51`),
  'with-external-id': counted(`t.external_id = '${externalId(77)}'`),
  'with-deal': withMetadata({ deal: '77' }),
  'with-stage': withMetadata({ stage: 'review' }),
  'sorted created': remembering(firstBy('t.id')),
  'sorted -created': remembering(firstBy('t.id desc')),
  'sorted due': remembering(firstByDue('')),
  'sorted -due': remembering(firstByDue('desc')),
  'sorted updated': remembering(firstBy('t.updated_at, t.id')),
  'sorted -updated': remembering(firstBy('t.updated_at desc, t.id desc')),
  changes: remembering('select * from changes where company_id = 1 order by tx desc, id desc limit 101'),
  projects: remembering('select * from projects where company_id = 1 and deleted_at is null order by id limit 11'),
  create: {
    text: `with t as (
        insert into tasks (company_id, project_id, task_list_id, ref, slug, title, created_by)
        select 1, l.project_id, l.id, 'tsk-' || $2, $3, $3, l.created_by from task_lists l where l.company_id = 1 and l.id = $1
        returning *)
      select ${TASK} from t ${JOINS}`,
    values: (list, body) => [list, Math.random().toString(36).slice(2, 12), JSON.parse(body).title],
    answer: ([data]) => ({ data }),
  },
  complete: {
    text: `with t as (update tasks set completed_at = now() where company_id = 1 and ref = $1 returning *)
      select ${TASK} from t ${JOINS}`,
    values: ref => [ref],
    answer: ([data]) => ({ data }),
  },
  // A search for tasks only, which is told beforehand whether the word is rare.
  'search-rare': {
    text: `select id from tasks where company_id::text = '1' and search_name like '%' || $1 || '%' order by id desc limit 6`,
    values: word => [word],
    answer: (_, word) => remembered.get(word),
  },
  'search-common': {
    text: `select id from tasks where company_id = 1 and search_name like '%' || $1 || '%' order by id desc limit 6`,
    values: word => [word],
    answer: (_, word) => remembered.get(word),
  },
}

/** Answers that the benchmark hands over, so that the floor returns the same bytes. */
const remembered = new Map<string, unknown>()

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** Writes the bytes to disk, and computes their digest. */
async function keep(content: string): Promise<void> {
  const bytes = Buffer.from(content, 'base64')
  const file = await open(join(uploads, createHash('sha256').update(bytes).digest('hex')), 'w')
  await file.write(bytes)
  await file.sync()
  await file.close()
}

const uploads = mkdtempSync(join(tmpdir(), 'diwan-bench-floor-'))
const config = readConfig()
const readCursor = createCursors(config.serverSecret as string)
const database = await openDatabase(config, pino({ level: 'silent' }))
// As many connections as Diwan uses for calls.
const pool = config.databaseUrl
  ? new pg.Pool({
      connectionString: config.databaseUrl,
      max: config.databasePoolSize,
      options: '-c session_replication_role=replica',
    })
  : database.pool
const server = createServer(async (request, response) => {
  const [, name = '', argument = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
  const body = request.method === 'POST' ? await bodyOf(request) : ''
  if (name === 'remember') remembered.set(argument, JSON.parse(body))
  if (name === 'upload') await keep(JSON.parse(body).content_base64)
  const floor = FLOORS[name]
  const rows = floor ? (await pool.query({ name, text: floor.text, values: floor.values(argument, body) })).rows : []
  const answer = Buffer.from(JSON.stringify(floor?.answer(rows, argument) ?? {}))
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length })
  response.end(answer)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`))
process.on('exit', () => rmSync(uploads, { recursive: true, force: true }))
process.on('SIGTERM', () => server.close(() => database.close().then(() => process.exit(0))))
