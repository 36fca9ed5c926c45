import { describe, expect, it } from 'vitest'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import type { Client, Diwan } from '../test/support/diwan.ts'
import { furnishEveryRecord } from '../test/support/every-record.ts'
import { ELSEWHERE, ENDING, fuzzer, remember } from '../test/support/fuzzed-requests.ts'
import { rounds, tell } from '../test/support/trial.ts'

const REQUESTS = rounds(500, 200_000)
const REQUESTS_OF_A_COMPANY = 500
const AT_ONCE = 4

/** A word that is in everything that another company has, and must be in no answer. */
const FOREIGN = 'Zanzibar'

/** By their kinds. */
async function foreignNames(diwan: Diwan): Promise<Record<string, string>> {
  const { api } = await diwan.company({ name: FOREIGN })
  const { body } = await api.post('/projects', { name: FOREIGN })
  const list = await api.post(`/projects/${body.data.id}/lists`, { title: FOREIGN })
  const task = await api.post(`/lists/${list.body.data.id}/tasks`, { title: FOREIGN })
  return { project: body.data.id, list: list.body.data.id, task: task.body.data.id }
}

async function fuzz(diwan: Diwan): Promise<{ statuses: Map<number, number>; askedForForeign: number }> {
  const surfaces = {
    api: fuzzer('openapi.json', '/api/v1'),
    admin: fuzzer('openapi-admin.json', '/admin/v1'),
  }
  const foreign = await foreignNames(diwan)
  const statuses = new Map<number, number>()
  let askedForForeign = 0
  for (let sent = 0; sent < REQUESTS; sent += REQUESTS_OF_A_COMPANY) {
    const { company, names } = await furnishEveryRecord(diwan)
    const pool = new Map(
      Object.entries({ ...names, company: String(company.id) }).map(([kind, name]) => [
        kind,
        [name, foreign[kind] ?? []].flat(),
      ]),
    )
    let left = REQUESTS_OF_A_COMPANY
    const call = async () => {
      while (left-- > 0) {
        const surface = left % 3 === 0 ? 'admin' : 'api'
        const request = surfaces[surface].next(pool, id => ENDING.test(id) || ELSEWHERE.test(id))
        const client: Client = diwan.client('', surface === 'api' ? company.key : company.ownerToken)
        const headers: Record<string, string> = request.body === undefined ? {} : { 'content-type': 'application/json' }
        const { method, path, body } = request
        const answer = await client.send(method, path, { headers, ...(body !== undefined && { body }) })
        if (Object.values(foreign).some(name => path.includes(name) || body?.includes(name))) askedForForeign++
        const what = `${method} ${path.slice(0, 500)} ${body?.slice(0, 1_000)}`
        const fault = surfaces[surface].faultOf(request, answer.status, answer.body)
        if (fault !== undefined) expect.fail(`${what}\n${fault}`)
        if (JSON.stringify(answer.body).includes(FOREIGN)) expect.fail(`${what}\nshows what another company has`)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        remember(answer.body, pool, path)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, call))
  }
  return { statuses, askedForForeign }
}

describe.each(ENGINES)('Requests that are made from the descriptions, on %s', engine => {
  const using = useServerOn(engine, () => ({ WORKER: 'off' }))

  it(`are answered as described and show nothing of another company, ${REQUESTS} times`, async () => {
    const { statuses, askedForForeign } = await fuzz(using.server.diwan)
    expect(askedForForeign).toBeGreaterThan(0)
    const requests = { requests: REQUESTS, 'for what others have': askedForForeign }
    tell('fuzz', { engine, ...requests, ...Object.fromEntries([...statuses].sort(([a], [b]) => a - b)) })
    expect([...statuses.keys()].filter(status => status < 300).length).toBeGreaterThan(1)
  }, 7_200_000)
})
