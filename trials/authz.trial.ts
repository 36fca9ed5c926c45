import { afterAll, beforeAll, describe, it } from 'vitest'
import { ACTORS, actAs, MATRIX } from '../test/support/administration-rights.ts'
import { cellsOf } from '../test/support/authorization-cells.ts'
import { ENGINES, type Served, serveOn } from '../test/support/both-engines.ts'
import { type Described, describedIn, harmless } from '../test/support/described-operations.ts'
import { bearer, goodKeys, invalidCredentials } from '../test/support/every-credential.ts'
import { furnishEveryRecord } from '../test/support/every-record.ts'
import { furnish } from '../test/support/furnished.ts'
import { random } from '../test/support/random.ts'
import { OPERATOR_TOKEN } from '../test/support/server-process.ts'
import { rounds, tell } from '../test/support/trial.ts'

/** The part of the operations that is called with each credential. */
const SHARE = rounds(0.15, 1)
const some = <T>(list: readonly T[], share = SHARE): T[] => list.filter(() => random() < share)

/** So many of the list, from a drawn place on. */
function drawn<T>(list: T[], count: number): T[] {
  const from = Math.floor(random() * list.length)
  return [...list.slice(from), ...list.slice(0, from)].slice(0, count)
}

/** Somebody who was dismissed is slowed down after more failures in a minute, wherever they call from. */
const FAILURES_OF_A_PERSON = 15
const isActive = (actor: string) => !actor.startsWith('deactivated')

const API = describedIn('openapi.json', '/api/v1')
const ADMINISTRATION = describedIn('openapi-admin.json', '/admin/v1')
const isOfRecords = ({ path }: Described) => path.startsWith('/admin/v1/companies/{company}/records')
const isOpen = ({ audience = '' }: Described) => audience.startsWith('For whoever has')

/** What names a record besides its own company: another system's name for a record may be new. */
const namesRecord = ({ parameters }: Described) => parameters.some(name => !/^(company|external_id)$/.test(name))

describe.each(ENGINES)('Every endpoint, on %s, with every kind of credential,', engine => {
  let served: Served
  let own: Awaited<ReturnType<typeof furnishEveryRecord>>
  let cells: ReturnType<typeof cellsOf>
  let invalid: Awaited<ReturnType<typeof invalidCredentials>>
  beforeAll(async () => {
    served = await serveOn(engine, { TRUST_PROXY: 'loopback' })
    const first = await furnishEveryRecord(served.server.diwan)
    invalid = await invalidCredentials(served, first.company)
    own = await furnishEveryRecord(served.server.diwan)
    cells = cellsOf(served.server.diwan, own)
  })
  afterAll(async () => {
    if (cells) tell('authz', { engine, ...cells.figures() })
    await served?.end()
  })

  it('refuses those that open nothing, whatever is asked for', async () => {
    for (const [name, headers] of Object.entries(invalid.ofKeys))
      await cells.each(some(API), name, headers, () => [401, 'unauthorized'])
    const closed = ADMINISTRATION.filter(each => !isOpen(each))
    for (const [name, headers] of Object.entries(invalid.ofPeople))
      await cells.each(some(closed), name, headers, () => [401, 'unauthorized'])
    const few = some(closed, FAILURES_OF_A_PERSON / closed.length).slice(0, FAILURES_OF_A_PERSON)
    await cells.each(few, 'somebody who was dismissed', invalid.ofDismissed, () => [401, 'unauthorized'])
    await cells.expectRight(own.company.id)
  })

  it('lets a key do what the description says, and nothing else', async () => {
    for (const { name, key, isOfOwner, isHidden, refuses } of await goodKeys(served, own.company))
      await cells.each(some(API), name, bearer(key), operation => {
        const refusal = refuses(operation)
        if (refusal) return refusal
        return (isOfOwner ? isHidden(operation) : namesRecord(operation))
          ? [404, 'not_found']
          : [harmless(operation).answered]
      })
    await cells.expectRight(own.company.id)
  })

  it('lets people work on records as the description says', async () => {
    for (const { name, headers, answers } of await cells.people())
      await cells.each(some(ADMINISTRATION.filter(isOfRecords)), name, headers, answers)
    await cells.expectRight(own.company.id)
  })

  it('lets people administer exactly what the table says', async () => {
    const { diwan } = served.server
    for (const actor of drawn(Object.keys(ACTORS).filter(isActive), rounds(1, Object.keys(ACTORS).length))) {
      const furnished = await furnish(diwan)
      const { token = OPERATOR_TOKEN, named } = await actAs(diwan, actor, furnished)
      const names: Record<string, string> = named
      const denials = cellsOf(diwan, own)
      for (const [endpoint, who, status, body] of MATRIX) {
        const [method = '', address = ''] = endpoint.split(' ')
        const path = `/admin/v1${address.replace(/:(\w+)/g, (_, name: string) => names[name] ?? `missing-${name}`)}`
        await denials.one(
          `${actor}: ${endpoint}`,
          {
            method,
            path,
            headers: { ...bearer(token), ...(body && { 'content-type': 'application/json' }) },
            body: body && JSON.stringify(body(furnished)),
          },
          who.includes(actor) ? [status] : [403, 'forbidden'],
        )
      }
      await denials.expectRight(furnished.company.id)
      cells.add(denials)
    }
  })

  it('answers for a record of another company exactly as for one that never was', async () => {
    const { diwan } = served.server
    const stranger = await furnishEveryRecord(diwan)
    const surfaces = [
      { operations: API, headers: bearer(stranger.company.key) },
      { operations: ADMINISTRATION, headers: bearer(stranger.company.ownerToken) },
    ]
    for (const { operations, headers } of surfaces)
      for (const operation of some(operations.filter(each => each.parameters.length > 0)))
        await cells.foreignAsMissing(operation, headers, stranger)
  })
})
