import { expect } from 'vitest'
import type { Answer } from '../../support/diwan.ts'
import { random } from '../../support/random.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { race, statusesOf } from './racing.ts'

interface Person {
  role: string
  can_manage_api_keys: boolean
  active: boolean
}

/** What is taken from somebody, and what they send to keep it. */
const DEMOTIONS: { from: Partial<Person>; to: Partial<Person>; own: Partial<Person> }[] = [
  { from: { role: 'owner' }, to: { role: 'member' }, own: { role: 'owner' } },
  { from: { role: 'owner' }, to: { role: 'manager' }, own: { role: 'owner', can_manage_api_keys: true } },
  { from: { role: 'owner' }, to: { active: false }, own: { active: true } },
  {
    from: { role: 'manager', can_manage_api_keys: true },
    to: { role: 'member', can_manage_api_keys: false },
    own: { role: 'manager', can_manage_api_keys: true },
  },
]

/**
 * Somebody is demoted while they change their own account: whatever came first, they end as they were told to. Each round has an
 * address of its own (`TRUST_PROXY`): an address from which tokens keep being refused is slowed down.
 */
export async function expectNobodyLifted(nodes: ServerProcess[], rounds: number): Promise<void> {
  const [first] = nodes as [ServerProcess]
  const company = await first.diwan.company()
  for (let round = 0; round < rounds; round++) {
    const { from, to, own } = DEMOTIONS[round % DEMOTIONS.length] as (typeof DEMOTIONS)[number]
    const person = await first.diwan.person(company.id, from)
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${round >> 8}.${round & 255}` }
    const change = (token: string, body: object) => (): Promise<Answer> => {
      const { diwan } = nodes[Math.floor(random() * nodes.length)] as ServerProcess
      const sent = { headers, body: JSON.stringify(body) }
      return diwan.admin(company.id, token).send('PATCH', `/users/${person.id}`, sent)
    }
    const [demoted, ...tries] = await race(
      change(company.ownerToken, to),
      ...Array.from({ length: 4 }, () => change(person.token, own)),
    )
    expect([round, demoted?.status, demoted?.body.error]).toEqual([round, 200, undefined])
    expect(statusesOf(tries).filter(status => ![200, 401, 403].includes(status))).toEqual([])
    const { data } = (await company.admin.get(`/users/${person.id}`)).body
    expect([round, data]).toMatchObject([round, to])
    const late = await change(person.token, own)()
    expect([401, 403]).toContain(late.status)
  }
}
