import { beforeAll, describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { wrongCounters } from '../support/counters.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { cursorOfNow, feedSettled } from '../support/feed.ts'

// A write with `atOnce` is tried as one statement, and goes step by step when that did nothing. Here the same calls are made in
// two companies with the same history: in one they may be one statement, in the other they never are. Nothing may differ.

let statements = 0
const app = useOwnApp({
  onStatement: () => {
    statements += 1
  },
})

interface Side {
  company: TestCompany
  cursor: string
  isStepByStep: boolean
}

/** The records of one call, by the names that addresses give them. */
type Names = Record<string, string>

interface Situation {
  body?: object
  names?: Names
  headers?: Record<string, string>
  before?: (side: Side, names: Names) => Promise<unknown>
  /** What happens before the call is sent a second time. */
  again?: (side: Side, names: Names) => Promise<unknown>
}

const archive: Situation['before'] = ({ company }, { project }) => company.api.post(`/projects/${project}/archive`)
const removeTask: Situation['before'] = ({ company }, { task }) => company.api.delete(`/tasks/${task}`)
const complete: Situation['before'] = ({ company }, { task }) => company.api.post(`/tasks/${task}/complete`)
const giveExternalId: Situation['before'] = ({ company }, { task, external_id }) =>
  company.api.patch(`/tasks/${task}`, { external_id, metadata: { a: '1', b: '2' } })
const nothing = async () => {}

const SUBJECTS: Record<string, Situation & { others: Situation[] }> = {
  create_task: {
    body: { title: ' طاولات ٢ ', notes: 'One\n\n<b>two</b>', due_at_hijri: '1448-10-01' },
    others: [
      { body: { title: '' } },
      { body: { title: 'x', assignee_email: 'nobody@example.com' } },
      { body: { title: 'x', external_id: 'new' } },
      { body: { title: 'taken', external_id: 'new' } },
    ],
  },
  complete_task: { others: [] },
  reopen_task: { before: complete, others: [] },
  upsert_task: {
    before: giveExternalId,
    body: { title: 'Buy desks', notes: 'Ten', due_at_hijri: '1448-10-01', metadata: { b: '3', c: '4' } },
    others: [
      { names: { external_id: 'new' }, body: { title: 'New' } },
      { names: { external_id: 'new' }, body: { notes: 'Ten' } },
      { body: { title: 'Buy chairs', metadata: { a: null } } },
      { body: { title: 'Buy desks' } },
    ],
  },
}

const SITUATIONS: Situation[] = [
  { before: archive },
  { before: removeTask },
  { names: { list: 'lst-0000000000', task: 'tsk-0000000000' } },
  { again: nothing },
  { headers: { 'idempotency-key': 'again' }, again: nothing },
  { headers: { 'idempotency-key': 'late' }, again: archive },
]

let sides: [Side, Side]
beforeAll(async () => {
  const side = async (isStepByStep: boolean) => {
    const company = await app.diwan.company({ daily_calls: 1_000_000 })
    return { company, cursor: await cursorOfNow(app, company.api), isStepByStep }
  }
  sides = [await side(false), await side(true)]
})

/** Without what differs between two companies with the same history: refs become numbers, and instants just that. */
function comparable(observed: object): unknown {
  const refs: string[] = []
  const numberOf = (ref: string) => {
    if (!refs.includes(ref)) refs.push(ref)
    return `#${refs.indexOf(ref)}`
  }
  const text = JSON.stringify(observed).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant')
  return JSON.parse(text.replaceAll(/\b[a-z]{3}-[0-9a-z]{10}\b/g, numberOf))
}

function shownOf({ status, headers, body }: Answer) {
  const told = Object.fromEntries(headers)
  for (const name of ['date', 'x-request-id', 'etag']) delete told[name]
  return { status, headers: told, body, isTagged: headers.has('etag') }
}

async function observe(side: Side, { name, method }: { name: string; method: string }, at: string, one: Situation) {
  const { company, isStepByStep } = side
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  const task = await newTask(company, list.id)
  const names: Names = { project: project.id, list: list.id, task: task.id, external_id: `crm-${project.slug}` }
  const subject = SUBJECTS[name] as Situation
  await subject.before?.(side, names)
  await one.before?.(side, names)
  const path = at.replaceAll(/:(\w+)/g, (_, key) => ({ ...names, ...one.names })[key] as string)
  // `If-Match: *` changes no answer of what is there, and sends a write step by step; a PUT does so when it names an assignee.
  const isPut = method === 'PUT'
  const body = (one.body ?? subject.body) && {
    ...(one.body ?? subject.body),
    ...(isPut && isStepByStep && { assignee_email: null }),
  }
  const headers = {
    'content-type': 'application/json',
    ...(!isPut && isStepByStep && { 'if-match': '*' }),
    ...one.headers,
  }
  const send = () => company.api.send(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
  statements = 0
  const answers = [await send()]
  const sent = statements
  if (one.again) {
    await one.again(side, names)
    answers.push(await send())
  }
  return { sent, seen: comparable({ answers: answers.map(shownOf), ...(await traces(side, names)) }) }
}

/** Everything that a write leaves behind. */
async function traces(side: Side, { project, list, task }: Names) {
  const { api, admin, id } = side.company
  await feedSettled(app.database.pool)
  const { data, meta } = (await api.get(`/company/changes?after=${side.cursor}`)).body
  side.cursor = meta.next_cursor
  const shown = [`/projects/${project}`, `/lists/${list}`, `/lists/${list}/tasks`, `/tasks/${task}`]
  const taken = (text: string) => app.database.pool.query(text, [id]).then(({ rows }) => rows)
  const audited = (await admin.get('/audit?limit=3')).body.data
  return {
    shown: await Promise.all(shown.map(async path => (await api.get(path)).body)),
    feed: data.map(({ cursor, ...entry }: Record<string, unknown>) => entry),
    audit: audited.map(({ actor, operation, outcome, reason, status, count }: Record<string, unknown>) => ({
      ...{ actor, operation, outcome, reason, status, count },
    })),
    kept: await taken('delete from idempotent_answers where company_id = $1 returning name, ignored_fields, answer'),
    jobs: await taken(`delete from pgboss.job where (data ->> 'company_id')::bigint = $1 returning name`),
  }
}

const subjects = apiEndpoints.filter(endpoint => 'writeAtOnce' in endpoint)

describe.each(subjects)('$name', endpoint => {
  it('is the same in one statement and step by step, whatever is in the way', async () => {
    const { others } = SUBJECTS[endpoint.name] as (typeof SUBJECTS)[string]
    const unhindered = endpoint.at.map(at => ({ at, one: {} }))
    const hindered = [...SITUATIONS, ...others].map(one => ({ at: endpoint.at.at(-1) as string, one }))
    for (const { at, one } of [...unhindered, ...hindered]) {
      const [once, stepwise] = [await observe(sides[0], endpoint, at, one), await observe(sides[1], endpoint, at, one)]
      expect([at, one, once.seen]).toEqual([at, one, stepwise.seen])
      if (Object.keys(one).length === 0) expect([once.sent, stepwise.sent > 1]).toEqual([1, true])
    }
    for (const { company } of sides) expect(await wrongCounters(app.database.db, company.id)).toEqual([])
  })
})
