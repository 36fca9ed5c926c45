import { beforeAll, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { wrongCounters } from '../support/counters.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'

// A write with `atOnce` is tried as one statement, and goes step by step when that did nothing. Here the same calls are made in
// two companies with the same history: in one they may be one statement, in the other they never are. Nothing may differ.

let statements = 0
const app = useOwnApp({
  onStatement: () => {
    statements += 1
  },
})

/** The records of one call, by the names that addresses give them. */
type Names = Record<string, string>
type Act = (company: TestCompany, names: Names) => Promise<unknown>

interface Situation {
  body?: object
  names?: Names
  before?: Act
}

const archive: Act = ({ api }, { project }) => api.post(`/projects/${project}/archive`)
const complete: Act = ({ api }, { task }) => api.post(`/tasks/${task}/complete`)
const giveExternalId: Act = ({ api }, { task, external_id }) =>
  api.patch(`/tasks/${task}`, { external_id, metadata: { a: '1', b: '2' } })

/** The first of each is what nothing prevents. */
const SUBJECTS: Record<string, Situation[]> = {
  create_task: [
    { body: { title: ' طاولات ٢ ', notes: 'One\n\n<b>two</b>', due_at_hijri: '1448-10-01' } },
    { body: { title: 'x', external_id: 'new' } },
    { body: { title: 'taken', external_id: 'new' } },
    { body: { title: '' } },
    { body: { title: 'x' }, before: archive },
  ],
  complete_task: [{}, { before: archive }, { before: complete }, { names: { task: 'tsk-0000000000' } }],
  reopen_task: [{ before: complete }, {}],
  upsert_task: [
    { body: { title: 'Buy desks', notes: 'Ten', metadata: { b: '3', c: '4' } }, before: giveExternalId },
    { body: { title: 'Buy chairs', metadata: { a: null } }, before: giveExternalId },
    { body: { title: 'Buy desks' }, before: giveExternalId },
    { body: { title: 'New' }, names: { external_id: 'another' } },
    { body: { notes: 'Ten' }, names: { external_id: 'unnamed' } },
  ],
}

let companies: [TestCompany, TestCompany]
beforeAll(async () => {
  companies = [await app.diwan.company(), await app.diwan.company()]
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

async function observe(company: TestCompany, isStepByStep: boolean, write: string, { body, names, before }: Situation) {
  const { api } = company
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  const task = await newTask(company, list.id)
  const own: Names = { project: project.id, list: list.id, task: task.id, external_id: `crm-${project.slug}`, ...names }
  await before?.(company, own)
  const cursor = await cursorOfNow(app, api)
  const [method = '', address = ''] = write.split(' ')
  // `If-Match: *` changes no answer of what is there, and sends a write step by step; a PUT does so when it names an assignee.
  const [match, assignee] = method === 'PUT' ? [{}, { assignee_email: null }] : [{ 'if-match': '*' }, {}]
  const headers = { 'content-type': 'application/json', ...(isStepByStep && match) }
  const sent = body && JSON.stringify({ ...body, ...(isStepByStep && assignee) })
  statements = 0
  const path = address.replaceAll(/:(\w+)/g, (_, name) => own[name] as string)
  const answer = await api.send(method, path, { headers, ...(sent && { body: sent }) })
  const took = statements
  const feed = (await entriesAfter(app, api, cursor)).map(({ cursor: _, ...entry }: Record<string, unknown>) => entry)
  const shown = [`/projects/${project.id}`, `/lists/${list.id}`, `/lists/${list.id}/tasks`, `/tasks/${task.id}`]
  const after = await Promise.all(shown.map(async each => (await api.get(each)).body))
  return { took, seen: comparable({ status: answer.status, body: answer.body, feed, after }) }
}

it.each(apiEndpoints.filter(endpoint => 'writeAtOnce' in endpoint))(
  '$name is the same in one statement and step by step, whatever is in the way',
  async ({ name, method, at }) => {
    for (const address of at)
      for (const [n, situation] of (SUBJECTS[name] as Situation[]).entries()) {
        if (n > 0 && address !== at.at(-1)) continue
        const once = await observe(companies[0], false, `${method} ${address}`, situation)
        const stepwise = await observe(companies[1], true, `${method} ${address}`, situation)
        expect([address, situation, once.seen]).toEqual([address, situation, stepwise.seen])
        if (n === 0) expect([address, once.took, stepwise.took > 1]).toEqual([address, 1, true])
      }
    for (const { id } of companies) expect(await wrongCounters(app.database.db, id)).toEqual([])
  },
)
