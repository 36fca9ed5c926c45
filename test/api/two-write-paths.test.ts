import { beforeAll, describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { wrongCounters } from '../support/counters.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
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

/** `If-Match: *` changes no answer, because it matches whatever is found; but with it a write goes step by step. */
const STEP_BY_STEP = { 'if-match': '*' }

interface Side {
  company: TestCompany
  /** A key that may only read. */
  reader: Client
  /** Where the feed has been read to. */
  cursor: string
  isStepByStep: boolean
  places: number
}

/** The records of one call, by the names that addresses give them. */
type Names = Record<string, string>

interface Place {
  refs: Names
  slugs: Names
}

interface Situation {
  before?: (side: Side, place: Place) => Promise<unknown>
  /** Other names than those of the records. */
  names?: (side: Side, place: Place) => Names | Promise<Names>
  body?: string | object
  headers?: Record<string, string>
  query?: string
  by?: (side: Side) => Client
  /** What happens after the first call, before it is sent again. */
  again?: (side: Side, place: Place) => Promise<unknown>
  bodyAgain?: object
  after?: (side: Side) => Promise<unknown>
}

interface Subject {
  body?: object
  /** Brings the task into the state that the write changes. */
  before?: (side: Side, place: Place) => Promise<unknown>
  calls?: Record<string, Situation>
  /** What is sent besides where the write goes step by step, if `If-Match` would change its answer. */
  stepByStep?: object
}

const archive = (side: Side, { refs }: Place) => side.company.api.post(`/projects/${refs.project}/archive`)
const unarchive = (side: Side, { refs }: Place) => side.company.api.post(`/projects/${refs.project}/unarchive`)
const remove =
  (kind: 'project' | 'list' | 'task') =>
  (side: Side, { refs }: Place) =>
    side.company.api.delete(`/${kind}s/${refs[kind]}`)
const subscribe = (subscription: string) => (side: Side) =>
  app.diwan.operator.patch(`/companies/${side.company.id}`, { subscription })
const complete = (side: Side, { refs }: Place) => side.company.api.post(`/tasks/${refs.task}/complete`)
const nothing = async () => {}

const SUBJECTS: Record<string, Subject> = {
  create_task: {
    body: { title: 'Buy desks' },
    calls: {
      'with every field': { body: { title: ' طاولات ٢ ', notes: 'One\n\n<b>two</b>', due_at: '2027-02-01' } },
      'with a day of the other calendar': { body: { title: 'Desks', due_at_hijri: '1448-10-01' } },
      'without an assignee': { body: { title: 'Desks', assignee_email: null } },
      'with an assignee whom nobody knows': { body: { title: 'Desks', assignee_email: 'nobody@example.com' } },
      'with an external id': { body: { title: 'Desks', external_id: 'crm-1' } },
      'with an external id that is taken': {
        before: (side, { refs }) => side.company.api.patch(`/tasks/${refs.task}`, { external_id: 'crm-2' }),
        body: { title: 'Desks', external_id: 'crm-2' },
      },
      'with the external id of a deleted task': {
        before: async (side, { refs }) => {
          const list = await newList(side.company, refs.project as string)
          await newTask(side.company, list.id, { external_id: 'crm-3' })
          await side.company.api.delete(`/lists/${list.id}`)
        },
        body: { title: 'Desks', external_id: 'crm-3' },
      },
      'with an external id, and again': { body: { title: 'Desks', external_id: 'crm-4' }, again: nothing },
      'with an external id that is blank': { body: { title: 'Desks', external_id: ' ' } },
      'into a list that is named by its external id': {
        before: (side, { refs }) => side.company.api.patch(`/lists/${refs.list}`, { external_id: 'crm-5' }),
        names: () => ({ list: 'ext:crm-5' }),
      },
      'into a list that is complete': { before: complete },
      'without a title': { body: { notes: 'Desks' } },
      'with a day that does not exist': { body: { title: 'Desks', due_at: '2027-02-30' } },
      'with both the title and the place wrong': { body: { title: '' }, names: () => ({ list: 'lst-0000000000' }) },
      'with the title wrong, while the project is archived': { body: { title: '' }, before: archive },
    },
  },
  complete_task: {
    calls: {
      'that is named by its external id': {
        before: (side, { refs }) => side.company.api.patch(`/tasks/${refs.task}`, { external_id: 'crm-6' }),
        names: () => ({ task: 'ext:crm-6' }),
      },
    },
  },
  reopen_task: { before: complete },
  upsert_task: {
    // Nobody is assigned anyway.
    stepByStep: { assignee_email: null },
    before: (side, { refs }) => side.company.api.patch(`/tasks/${refs.task}`, { external_id: refs.external_id }),
    body: { title: 'Buy desks', notes: 'Ten' },
    calls: {
      'that is not there': { names: () => ({ external_id: 'new-1' }) },
      'that is not there, and again': { names: () => ({ external_id: 'new-2' }), again: nothing },
      'that is not there, without a title': { names: () => ({ external_id: 'new-3' }), body: { notes: 'Ten' } },
      'that was deleted with its list': {
        before: async (side, { refs }) => {
          const list = await newList(side.company, refs.project as string)
          await newTask(side.company, list.id, { external_id: 'gone-1' })
          await side.company.api.delete(`/lists/${list.id}`)
        },
        names: () => ({ external_id: 'gone-1' }),
      },
      'that is in another list': {
        names: async (side, { refs }) => ({ list: (await newList(side.company, refs.project as string)).id }),
      },
      'that is in a project that is archived': {
        before: archive,
        names: async side => ({ list: (await newPlace(side)).refs.list as string }),
      },
      'below a list that is named by its external id': {
        before: (side, { refs }) => side.company.api.patch(`/lists/${refs.list}`, { external_id: 'crm-7' }),
        names: () => ({ list: 'ext:crm-7' }),
      },
      'with every field': {
        body: { title: 'Buy desks', notes: null, due_at_hijri: '1448-10-01', metadata: { stage: 'review' } },
      },
      'with nothing new': { body: { title: 'Buy desks' } },
      'with nothing': { body: {} },
      'with another title': { body: { title: 'Buy chairs' } },
      'with metadata that is merged': {
        before: (side, { refs }) => side.company.api.patch(`/tasks/${refs.task}`, { metadata: { a: '1', b: '2' } }),
        body: { title: 'Buy desks', metadata: { b: '3', c: '4' } },
      },
      'with a key of metadata that is removed': {
        before: (side, { refs }) => side.company.api.patch(`/tasks/${refs.task}`, { metadata: { a: '1', b: '2' } }),
        body: { title: 'Buy desks', metadata: { a: null } },
      },
      'with metadata that becomes too much': {
        before: (side, { refs }) =>
          side.company.api.patch(`/tasks/${refs.task}`, {
            metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v'])),
          }),
        body: { title: 'Buy desks', metadata: { more: 'v' } },
      },
      'with another external id in the body': { body: { title: 'Buy desks', external_id: 'other' } },
    },
  },
}

const UNHINDERED = 'that nothing prevents'

/** Compared at both addresses, because these are found in different ways. */
const PLACES: Record<string, Situation> = {
  [UNHINDERED]: {},
  'while the project is archived': { before: archive },
  'after the project was deleted': { before: remove('project') },
  'after the list was deleted': { before: remove('list') },
  'after the task was deleted': { before: remove('task') },
  'to a project that does not exist': { names: () => ({ project: 'prj-0000000000' }) },
  'to a list that does not exist': { names: () => ({ list: 'lst-0000000000' }) },
  'to a task that does not exist': { names: () => ({ task: 'tsk-0000000000' }) },
  'to what belongs to another company': { names: async () => (await newPlace(stranger)).refs },
  'below another project': {
    names: async (side, { refs }) => ({ ...refs, project: (await newPlace(side)).refs.project as string }),
  },
  'below another list': {
    names: async (side, { refs }) => ({ ...refs, list: (await newList(side.company, refs.project as string)).id }),
  },
}

/** Compared at the flat address. */
const CALLS: Record<string, Situation> = {
  'again, after it was done': { again: nothing },
  'while the subscription is read-only': { before: subscribe('read_only'), after: subscribe('active') },
  'with a key that may only read': { by: ({ reader }) => reader },
  'with fields and parameters that are unknown': { body: { title: 'Desks', colour: 'red' }, query: '?colour=red' },
  'with JSON that is broken': { body: '{"title": "Desks"' },
  'with JSON that is no object': { body: '["Desks"]' },
  'with a key, and again': { headers: { 'idempotency-key': 'again' }, again: nothing },
  'with a key, and again with another body': {
    headers: { 'idempotency-key': 'other' },
    again: nothing,
    bodyAgain: { title: 'Chairs', notes: null },
  },
  'with a key, and again after the task is gone': { headers: { 'idempotency-key': 'gone' }, again: remove('task') },
  'with a key, and again after the project was archived': { headers: { 'idempotency-key': 'late' }, again: archive },
  'with a key while the project is archived, and again when it no longer is': {
    before: archive,
    headers: { 'idempotency-key': 'early' },
    again: unarchive,
  },
  'with a key and unknown fields, and again': {
    body: { title: 'Desks', colour: 'red' },
    headers: { 'idempotency-key': 'fields' },
    again: nothing,
  },
  'with a key that is too long': { headers: { 'idempotency-key': 'x'.repeat(300) } },
}

let short: Side
let long: Side
let stranger: Side

async function newSide(isStepByStep: boolean): Promise<Side> {
  const company = await app.diwan.company({ daily_calls: 1_000_000 })
  const reader = app.diwan.api(
    await app.diwan.key(company.id, { name: 'Reader', access: 'read', operations: ['tasks:read'] }),
  )
  const cursor = await cursorOfNow(app, company.api)
  return { company, reader, cursor, isStepByStep, places: 0 }
}

async function newPlace(side: Side): Promise<Place> {
  const { company } = side
  const external_id = `crm-place-${side.places++}`
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  const task = await newTask(company, list.id)
  return {
    refs: { project: project.id, list: list.id, task: task.id, external_id },
    slugs: { project: project.slug, list: 'furniture', task: 'buy-desks' },
  }
}

beforeAll(async () => {
  short = await newSide(false)
  long = await newSide(true)
  stranger = await newSide(false)
})

const REF = /\b[a-z]{3}-[0-9a-z]{10}\b/g
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Without what differs between two companies with the same history: refs become numbers, and instants just that. */
function comparable(observed: object): unknown {
  const refs: string[] = []
  const numberOf = (ref: string) => {
    if (!refs.includes(ref)) refs.push(ref)
    return `#${refs.indexOf(ref)}`
  }
  return JSON.parse(JSON.stringify(observed).replaceAll(INSTANT, 'instant').replaceAll(REF, numberOf))
}

function shownOf({ status, headers, body }: Answer) {
  const told = Object.fromEntries(headers)
  for (const name of ['date', 'x-request-id', 'etag']) delete told[name]
  return { status, headers: told, body, isTagged: headers.has('etag') }
}

const fill = (address: string, names: Names) => address.replaceAll(/:(\w+)/g, (_, name) => names[name] as string)

type Endpoint = (typeof apiEndpoints)[number]

async function observe(side: Side, endpoint: Endpoint, address: string, use: keyof Place, situation: Situation) {
  const subject = SUBJECTS[endpoint.name] as Subject
  const place = await newPlace(side)
  await subject.before?.(side, place)
  await situation.before?.(side, place)
  const path = fill(address, { ...place[use], ...(await situation.names?.(side, place)) }) + (situation.query ?? '')
  const { stepByStep } = subject
  const matched = side.isStepByStep && !stepByStep ? STEP_BY_STEP : {}
  const more = side.isStepByStep ? stepByStep : {}
  const send = (body: string | object | undefined) =>
    (situation.by?.(side) ?? side.company.api).send(endpoint.method, path, {
      headers: { ...(body && { 'content-type': 'application/json' }), ...matched, ...situation.headers },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify({ ...body, ...more }) }),
    })
  const body = situation.body ?? subject.body
  statements = 0
  const answers = [await send(body)]
  const sent = statements
  if (situation.again) {
    await situation.again(side, place)
    answers.push(await send(situation.bodyAgain ?? body))
  }
  await situation.after?.(side)
  return { statements: sent, seen: comparable({ answers: answers.map(shownOf), ...(await traces(side, place)) }) }
}

/** An entry without what differs from company to company. */
const audited = ({ actor, operation, outcome, reason, status, count }: Record<string, unknown>) => ({
  actor,
  operation,
  outcome,
  reason,
  status,
  count,
})

/** Everything that a write leaves behind. */
async function traces(side: Side, { refs }: Place) {
  const { api, admin, id } = side.company
  await feedSettled(app.database.pool)
  const { data, meta } = (await api.get(`/company/changes?after=${side.cursor}`)).body
  side.cursor = meta.next_cursor
  const shown = [`/projects/${refs.project}`, `/lists/${refs.list}`, `/lists/${refs.list}/tasks`, `/tasks/${refs.task}`]
  const [kept, jobs] = await Promise.all(
    [
      'delete from idempotent_answers where company_id = $1 returning name, ignored_fields, answer',
      `delete from pgboss.job where (data ->> 'company_id')::bigint = $1 returning name`,
    ].map(async text => (await app.database.pool.query(text, [id])).rows),
  )
  return {
    shown: await Promise.all(shown.map(async path => (await api.get(path)).body)),
    feed: data.map(({ cursor, ...entry }: Record<string, unknown>) => entry),
    audit: (await admin.get('/audit?limit=3')).body.data.map(audited),
    kept,
    jobs,
  }
}

const subjects = apiEndpoints.filter(endpoint => 'writeAtOnce' in endpoint)

it('Every endpoint that has both ways is compared here', () => {
  expect(subjects.map(({ name }) => name).sort()).toEqual(Object.keys(SUBJECTS).sort())
})

describe.each(subjects)('$name is the same in one statement and step by step', endpoint => {
  const flat = endpoint.at.at(-1) as string
  const nested = endpoint.at.slice(0, -1)

  async function compare(address: string, use: keyof Place, situation: Situation): Promise<number[]> {
    const once = await observe(short, endpoint, address, use, situation)
    const stepwise = await observe(long, endpoint, address, use, situation)
    expect(once.seen).toEqual(stepwise.seen)
    return [once.statements, stepwise.statements]
  }

  it.each(Object.entries(PLACES))('%s', async (name, situation) => {
    const counts = [await compare(flat, 'refs', situation)]
    for (const address of nested) counts.push(await compare(address, 'slugs', situation))
    if (name !== UNHINDERED) return
    for (const [once, stepwise] of counts) {
      expect(once).toBe(1)
      expect(stepwise).toBeGreaterThan(1)
    }
  })

  it.each(Object.entries({ ...CALLS, ...SUBJECTS[endpoint.name]?.calls }))('%s', async (_, situation) => {
    await compare(flat, 'refs', situation)
  })
})

it('In both, every count is right in the end', async () => {
  for (const { company } of [short, long]) expect(await wrongCounters(app.database.db, company.id)).toEqual([])
})
