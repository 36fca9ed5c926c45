import { expect } from 'vitest'
import { actAs, MATRIX } from '../support/administration-rights.ts'
import type { Diwan } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { call, furnish } from '../support/furnished.ts'
import { ELSEWHERE, ENDING, fuzzer, remember } from '../support/fuzzed-requests.ts'
import { appAt, listTools } from '../support/oauth.ts'

const AT_ONCE = 4

/** Uses both surfaces, the tools and OAuth as widely as possible. Returns how many requests were carried out. */
export async function useEverything(diwan: Diwan, requests: number): Promise<{ answered: number }> {
  const { company, names } = await furnishEveryRecord(diwan)
  const app = await appAt(diwan.url).connected(company, { access: 'write' })
  expect((await listTools(diwan.url, app.access)).status).toBe(200)
  await appAt(diwan.url).refresh(app.client_id, app.refreshToken)
  expect((await diwan.client('').get('/metrics')).status).toBe(200)
  // Only now: some of what they do counts as failed sign-ins, which would slow an app down.
  for (const actor of ['operator', 'owner', 'member']) {
    const furnished = await furnish(diwan)
    const { client, named } = await actAs(diwan, actor, furnished)
    for (const [endpoint, , , body] of MATRIX) await call(client, endpoint, named, body?.(furnished))
  }
  const pool = new Map(Object.entries({ ...names, company: String(company.id) }).map(([kind, name]) => [kind, [name]]))
  const surfaces = [
    { fuzzed: fuzzer('openapi.json', '/api/v1'), client: diwan.client('', company.key) },
    { fuzzed: fuzzer('openapi-admin.json', '/admin/v1'), client: diwan.client('', company.ownerToken) },
  ]
  let [left, answered] = [requests, 0]
  const use = async () => {
    while (left-- > 0)
      for (const { fuzzed, client } of surfaces) {
        const { method, path, body } = fuzzed.next(pool, id => ENDING.test(id) || ELSEWHERE.test(id))
        const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
        const answer = await client.send(method, path, { headers, ...(body !== undefined && { body }) })
        if (answer.status < 300) answered++
        remember(answer.body, pool, path)
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, use))
  return { answered }
}
