import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answersAs } from '../../src/http/endpoints/conditional.ts'
import { useApp } from '../support/app.ts'
import {
  bodyFor,
  call,
  expectDeclared,
  expectDescribed,
  furnishContract,
  ignoredIn,
  moveBack,
  type Route,
  readOf,
  shownAt,
  tagOf,
  type World,
  WRITES,
} from '../support/contract.ts'
import { audit } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let world: World
beforeAll(async () => {
  world = await furnishContract(app.diwan)
})
afterEach(() => moveBack(world))

/** How many entries the feed has of the company. */
async function entries({ company }: World): Promise<number> {
  const { rows } = await app.database.pool.query('select from changes where company_id = $1', [company.id])
  return rows.length
}

/** The record that a write changes, as its GET shows it, and its version. */
async function shown(route: Route, { api, names }: World) {
  const read = readOf(route)
  const answer = read && (await api.get(shownAt(read, names)))
  return answer && { status: answer.status, body: answer.body, tag: tagOf(answer) }
}

const CHANGES = WRITES.filter(({ endpoint }) => endpoint.method !== 'DELETE')
const DELETIONS = WRITES.filter(({ endpoint }) => endpoint.method === 'DELETE')

describe('A write', { timeout: 300_000 }, () => {
  it.each(CHANGES.filter(readOf))('happens only to the version that If-Match names: $title', async route => {
    const { api, names } = world
    const before = await shown(route, world)
    const refused = await call(api, route, names, { headers: { 'if-match': '"another"' } })
    expectRefusal(refused, 412, 'precondition_failed')
    expect(tagOf(refused)).toBeNull()
    expectDescribed(route, refused)
    expect(await shown(route, world)).toEqual(before)

    const body = bodyFor(route.endpoint.name, names)
    const done = await call(api, route, names, { headers: { 'if-match': before?.tag as string }, body })
    expect([done.status, done.body.error]).toEqual([200, undefined])
    const after = await shown(route, world)
    expect(after?.tag).toMatch(/^"[\w-]{27}"$/)
    expect(tagOf(done)).toBe(after?.tag)
    if (answersAs(readOf(route) as Route['endpoint'], route.endpoint)) expect(done.body).toEqual(after?.body)
    if (!body) return
    expect(after?.tag).not.toBe(before?.tag)
    const flat = { ...route, address: route.endpoint.at.at(-1) as string }
    const { parameters } = WRITES.find(each => each.address === flat.address) as Route
    const late = await call(api, { ...flat, parameters }, names, { headers: { 'if-match': before?.tag as string } })
    expectRefusal(late, 412, 'precondition_failed')
  })

  it.each(CHANGES)('answers as declared, names fields that it does not know, and is repeated: $title', async route => {
    const { api, names } = world
    const headers = { 'idempotency-key': route.title }
    const body = { ...bodyFor(route.endpoint.name, names), unknown: 1, 'id, م': 2 }
    const first = await call(api, route, names, { body, headers, query: '?notify=1' })
    expect([first.status, first.body.error]).toEqual([route.endpoint.status, undefined])
    expectDeclared(route.endpoint, first, route.title)
    expectDescribed(route, first)
    expect(ignoredIn(first, 'fields')).toEqual(['unknown', 'id, م'])
    expect(ignoredIn(first, 'parameters')).toEqual(['notify'])
    expect(first.headers.has('location')).toBe(first.status === 201 && route.endpoint.name !== 'create_tasks')
    if (!['POST', 'PUT'].includes(route.endpoint.method)) return

    const count = await entries(world)
    const again = await call(api, route, names, { body, headers, query: '?notify=1' })
    const said = ({ status, body, headers }: typeof first) => [
      status,
      body,
      ...['location', 'etag', 'x-ignored-fields', 'x-ignored-parameters'].map(name => headers.get(name)),
    ]
    expect(said(again)).toEqual(said(first))
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expectDescribed(route, again)
    const other = await call(api, route, names, { body: { ...body, unknown: 2 }, headers, query: '?notify=1' })
    expectRefusal(other, 422, 'unprocessable_entity', expect.stringMatching(/^Idempotency-Key /))
    expect(await entries(world)).toBe(count)
  })
})

describe('A deletion', { timeout: 300_000 }, () => {
  it.each(DELETIONS)('is for one version, is in the audit, and happens once: $title', async route => {
    const own = await furnishContract(app.diwan)
    const { api, names } = own
    const before = await shown(route, own)
    expectRefusal(await call(api, route, names, { headers: { 'if-match': '"another"' } }), 412, 'precondition_failed')
    expect(await shown(route, own)).toEqual(before)
    const done = await call(api, route, names, { headers: { 'if-match': before?.tag as string } })
    expect([done.status, tagOf(done)]).toEqual([200, null])
    expectDeclared(route.endpoint, done, route.title)
    expectDescribed(route, done)
    const { operation, method } = route.endpoint
    expect(await audit(own.company)).toMatchObject([{ outcome: 'allowed', operation, method, status: 200 }])
    expect((await shown(route, own))?.status).toBe(404)
    expectRefusal(await call(api, route, names), 404, 'not_found')
  })
})
