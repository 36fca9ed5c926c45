import { beforeAll, describe, expect, it } from 'vitest'
import { RECORDS } from '../../src/domain/records/records.ts'
import { useApp } from '../support/app.ts'
import {
  bodyFor,
  call,
  everythingRead,
  expectNotFound,
  furnishContract,
  type Names,
  ROUTES,
  type Route,
  type World,
} from '../support/contract.ts'

const app = useApp()
let world: World
let stranger: World
beforeAll(async () => {
  world = await furnishContract(app.diwan)
  stranger = await furnishContract(app.diwan)
})

/** The name of each record in a nested address. */
const SLUGS: Names = { project: 'website-launch', list: 'furniture', task: 'buy-desks', discussion: 'moving-day' }

const NAMED = ROUTES.filter(({ parameters }) => parameters.some(name => name !== 'external_id'))
const PREFIXES = Object.fromEntries(
  Object.values(RECORDS).flatMap(record => ('prefix' in record ? [[record.parameter, record.prefix]] : [])),
)
const NOT_NUMBERS = ['0', '1e3', '99999999999999999999', '%00']

/** Handles that name no record in this place of an address, by their fault. */
function wrongHandles(route: Route, place: number): Record<string, string> {
  const parameter = route.parameters[place] as string
  const prefix = PREFIXES[parameter]
  const isFlat = place === 0 && parameter !== 'project'
  const numbers = Object.fromEntries(NOT_NUMBERS.map(handle => [handle, handle]))
  if (!prefix) return { ...numbers, 'of another company': stranger.names[parameter] as string }
  return {
    'nobody’s': `${prefix}-0000000000`,
    'of another company': stranger.names[parameter] as string,
    'of another kind': (parameter === 'task' ? world.names.list : world.names.task) as string,
    ...(isFlat && SLUGS[parameter] && { 'a slug': SLUGS[parameter] as string }),
    ...(!isFlat && parameter !== 'project' && { 'an external id': 'ext:crm-77' }),
    ...(parameter === 'project' && { 'another slug': `${SLUGS.project}x`, 'nobody’s external id': 'ext:crm-78' }),
  }
}

describe('Every endpoint that names a record', { timeout: 300_000 }, () => {
  it('answers 404, whatever else is sent, where no record of the company has the name, and changes nothing', async () => {
    const before = [await everythingRead(world), await everythingRead(stranger)]
    for (const route of NAMED) {
      for (const [place, parameter] of route.parameters.entries()) {
        if (parameter === 'external_id') continue
        for (const [what, handle] of Object.entries(wrongHandles(route, place))) {
          const answer = await call(world.api, route, { ...world.names, [parameter]: handle })
          expectNotFound(answer, `${route.title}: ${parameter} ${what}`)
        }
      }
    }
    expect([await everythingRead(world), await everythingRead(stranger)]).toEqual(before)
  })

  it('answers 404 to a record below another parent than its own', async () => {
    const { names, elsewhere, api } = world
    for (const route of NAMED)
      for (const parameter of route.parameters.slice(0, -1)) {
        // A new record that a PUT names can be created below any parent.
        if (!(parameter in elsewhere) || route.parameters.includes('external_id')) continue
        const answer = await call(api, route, { ...names, [parameter]: elsewhere[parameter] as string })
        expectNotFound(answer, `${route.title} below another ${parameter}`)
      }
  })

  it('answers to all that another company has as to what nobody has, even if the body cannot be read', async () => {
    for (const route of NAMED) {
      const answer = await call(world.api, route, stranger.names, route.endpoint.method === 'GET' ? {} : { body: '{' })
      expectNotFound(answer, route.title)
    }
  })

  it('takes slugs at its nested address, and the external id of a project', async () => {
    const { api, names } = world
    const reads = NAMED.filter(({ endpoint, parameters: [first] }) => endpoint.method === 'GET' && first === 'project')
    for (const route of reads) {
      const { body } = await call(api, route, names)
      for (const handles of [
        { ...names, ...SLUGS },
        { ...names, project: 'ext:crm-77' },
      ])
        expect([route.title, (await call(api, route, handles)).body]).toEqual([route.title, body])
    }
  })

  it('takes external ids at its flat address', async () => {
    const { api, names } = world
    for (const route of NAMED) {
      const [first = ''] = route.parameters
      if (route.endpoint.method !== 'GET' || !['list', 'task', 'discussion'].includes(first)) continue
      const answer = await call(api, route, { ...names, [first]: 'ext:crm-77' })
      expect([route.title, answer.body]).toEqual([route.title, (await call(api, route, names)).body])
    }
  })
})

describe('No read of the API', { timeout: 300_000 }, () => {
  it('shows anything of another company', async () => {
    const shown = JSON.stringify(await everythingRead(world))
    const theirs = Object.entries(stranger.names).filter(([, name]) => /^[a-z]{3}-/.test(name) && name !== 'crm-77')
    expect(theirs.length).toBeGreaterThan(5)
    expect(theirs.filter(([, name]) => shown.includes(name))).toEqual([])
    expect(shown).not.toContain(stranger.company.owner.email)
  })
})

describe('A record that was deleted', { timeout: 300_000 }, () => {
  it.each(['project', 'list', 'task', 'discussion', 'file', 'folder', 'event'])(
    'is not found by any endpoint, nor is what was below it: %s',
    async kind => {
      const gone = await furnishContract(app.diwan)
      const { api, names } = gone
      const below: Record<string, string[]> = {
        project: ['list', 'task', 'discussion', 'file', 'folder'],
        list: ['task'],
      }
      const deletion = ROUTES.find(
        ({ endpoint, parameters }) => endpoint.method === 'DELETE' && parameters.at(-1) === kind,
      ) as Route
      const { status } = await call(api, deletion, names)
      expect(status).toBe(200)
      const lost = [kind, ...(below[kind] ?? [])]
      for (const route of NAMED) {
        if (!route.parameters.some(parameter => lost.includes(parameter))) continue
        const sent = { body: route.endpoint.method === 'GET' ? undefined : bodyFor(route.endpoint.name, names) }
        expectNotFound(await call(api, route, names, sent), `${route.title} after ${deletion.title}`)
      }
    },
  )
})
