import { beforeAll, describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import {
  bodyFor,
  call,
  everythingRead,
  furnishContract,
  type Route,
  readOf,
  shownAt,
  tagOf,
  type World,
  WRITES,
} from '../support/contract.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let world: World
beforeAll(async () => {
  world = await furnishContract(app.diwan)
})

interface Field {
  type?: string | string[]
  enum?: unknown[]
  maxLength?: number
  pattern?: string
  format?: string
  minItems?: number
  maxItems?: number
}
interface Fields {
  properties: Record<string, Field>
  required?: string[]
}

/** One address of each write that takes a body is enough: the body is read by its endpoint. */
const TAKING = WRITES.filter(({ endpoint, address }) => endpoint.body && address === endpoint.at.at(-1))
const fieldsOf = ({ endpoint }: Route) => endpoint.body as unknown as Fields

/** Values that do not fit a field, and what its refusal says of each. */
function misfits({ type, enum: values, maxLength, pattern, format, maxItems }: Field): [unknown, RegExp][] {
  const types = [type].flat()
  const isText = types.includes('string')
  const found: [unknown, RegExp][] = []
  const other = types.includes('boolean') ? 'x' : true
  found.push([other, /^must be /], [[{}], types.includes('array') ? /^(?:\[0\]|must have)/ : /^must be /])
  if (!types.includes('null')) found.push([null, /^(?:can't be blank|must be )/])
  if (isText) found.push(['a\u0000b', /^must /])
  if (isText && pattern) found.push([' \u200b', /^can't be blank/])
  if (isText && !format && !values && maxLength) found.push(['x'.repeat(maxLength + 1), /^is too long: at most \d+/])
  if (values) found.push(['nonsense', /^must be one of /])
  if (types.includes('array') && maxItems) found.push([Array(maxItems + 1).fill('x'), /^must have at most /])
  return found
}

describe('Every write that takes a body', { timeout: 300_000 }, () => {
  it('refuses one that cannot be read, or in which a field is missing or does not fit, and names the field', async () => {
    const { api, names } = world
    const before = await everythingRead(world)
    for (const route of TAKING) {
      const valid = bodyFor(route.endpoint.name, names) as Record<string, unknown>
      for (const body of ['{', '[]'])
        expectRefusal(
          await call(api, route, names, { body }),
          422,
          'unprocessable_entity',
          expect.stringMatching(/^body /),
        )
      const { properties, required = [] } = fieldsOf(route)
      for (const name of required) {
        const { [name]: _, ...rest } = valid
        const answer = await call(api, route, names, { body: rest })
        expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(`^${name} can't be blank`))
      }
      for (const [name, field] of Object.entries(properties)) {
        for (const [value, problem] of misfits(field)) {
          const { status, body } = await call(api, route, names, { body: { ...valid, [name]: value } })
          const said = String(body.error?.message)
          expect([route.title, name, value, status, body.error?.code, said]).toEqual([
            route.title,
            name,
            value,
            422,
            'unprocessable_entity',
            expect.stringMatching(new RegExp(`^${name}[ [.]`)),
          ])
          expect(said.slice(name.length).trimStart(), `${route.title}: ${said}`).toMatch(problem)
        }
      }
    }
    expect(await everythingRead(world)).toEqual(before)
  })

  it('takes the longest text that is allowed, of characters of any plane, and gives it back', async () => {
    const { api, names } = world
    for (const route of TAKING.filter(({ endpoint }) => endpoint.method === 'POST')) {
      const { properties } = fieldsOf(route)
      for (const [name, { type, maxLength = 0, format, enum: values }] of Object.entries(properties)) {
        if (![type].flat().includes('string') || format || values || maxLength < 255 || maxLength > 10_000) continue
        if (/_at$|^content|_email$|^list_id$/.test(name)) continue
        const text = '🌙'.repeat(maxLength)
        const body = { ...bodyFor(route.endpoint.name, names), [name]: text }
        const answer = await call(api, route, names, { body })
        expect([route.title, name, answer.status, answer.body.data?.[name]]).toEqual([route.title, name, 201, text])
      }
    }
  })
})

/** Values for every field of a PATCH, as another client would send back what it has read. */
function sameFields(route: Route, shown: Record<string, unknown>): Record<string, unknown> {
  const own: Record<string, unknown> = {
    assignee_email: (shown.assignee as { email: string } | undefined)?.email ?? null,
    attendee_emails: (shown.attendees as { email: string }[] | undefined)?.map(({ email }) => email),
    attachments: shown.attachment_refs,
  }
  const names = Object.keys(fieldsOf(route).properties).filter(name => !name.endsWith('_hijri'))
  return Object.fromEntries(names.map(name => [name, name in own ? own[name] : shown[name]]))
}

describe('Every PATCH', { timeout: 300_000 }, () => {
  it('that sends back what was read, or nothing, changes nothing: neither the version nor the feed', async () => {
    const { api, names, company } = world
    const entries = async () =>
      (await app.database.pool.query('select from changes where company_id = $1', [company.id])).rows.length
    const patches = TAKING.filter(({ endpoint }) => endpoint.method === 'PATCH')
    expect(patches).toHaveLength(apiEndpoints.filter(({ method }) => method === 'PATCH').length)
    for (const route of patches) {
      expect((await call(api, route, names)).status).toBe(200)
      const address = shownAt(readOf(route) as Route['endpoint'], names)
      const before = await api.get(address)
      const count = await entries()
      for (const body of [sameFields(route, before.body.data), {}]) {
        const answer = await call(api, route, names, { body })
        expect([route.title, answer.status, answer.body]).toEqual([route.title, 200, before.body])
        expect(tagOf(answer)).toBe(tagOf(before))
        expect((await api.get(address)).body).toEqual(before.body)
      }
      expect([route.title, await entries()]).toEqual([route.title, count])
    }
  })
})
