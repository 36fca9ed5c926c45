import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer, Client, Diwan } from '../support/diwan.ts'
import { noonZone } from '../support/noon-zone.ts'
import { random } from '../support/random.ts'
import { serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'
import { growList, type Lists, type Spend, strayingFrom } from './growing-lists.ts'

const CREATORS = 4
const GROWERS = 2
const WRITES_AT_MOST = 100

/**
 * Kills an embedded server at random moments while many clients write, and checks after each kill that all that was acknowledged
 * is there, that nothing is there by halves, and that it opened. How soon is to be asked only on a machine without other work.
 */
export async function expectNothingLostIn(kills: number, opensWithinMs = Number.POSITIVE_INFINITY): Promise<void> {
  const env = withoutJobs()
  let server = await serve(env)
  const { id, key } = await server.diwan.company({ time_zone: noonZone(), daily_calls: 1_000_000 })
  const acknowledged = new Set<string>()
  const calls = { acknowledged: 0, sent: 0 }
  /** Counts what a call spends. Only a complete answer counts as an acknowledgement. */
  const spend: Spend = async (entries, send) => {
    calls.sent += entries
    const answer = await send(server.diwan.api(key)).catch(() => undefined)
    if (!answer) return undefined
    // A busy machine may refuse for want of room, which does nothing.
    if (answer.status === 503) return spend(entries, send)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    calls.acknowledged += entries
    return answer
  }
  const written = { lists: 0, acknowledged: 0 }
  let longestStartMs = 0

  for (let kill = 1; kill <= kills; kill++) {
    const project = (await spend(1, api => api.post('/projects', { name: `Round ${kill}` })))?.body.data.id
    const lists: Lists = new Map()
    const enough = acknowledged.size + 2 + Math.round(random() * 60)
    const creating = Array.from({ length: CREATORS }, () => create(spend, acknowledged))
    const growing = Array.from({ length: GROWERS }, () => growList(spend, project, lists, WRITES_AT_MOST))
    const writing = Promise.all([...creating, ...growing])
    await until(async () => acknowledged.size >= enough)
    await sleep(random() * 30)
    expect(server.hasExited(), server.stderr()).toBe(false)
    await server.end('SIGKILL')
    await writing

    server = await serve(env)
    const where = `after kill ${kill}`
    expect(server.startedInMs, where).toBeLessThan(opensWithinMs)
    longestStartMs = Math.max(longestStartMs, server.startedInMs)
    const spent = await callsOf(server.diwan, id)
    expect(spent, where).toBeGreaterThanOrEqual(calls.acknowledged)
    expect(spent, where).toBeLessThanOrEqual(calls.sent)
    expect(await strayingFrom(lists, spend, project), where).toEqual([])
    const kept = await allProjects(spend)
    expect(
      [...acknowledged].filter(ref => !kept.has(ref)),
      where,
    ).toEqual([])
    written.lists += lists.size
    for (const { acknowledged } of lists.values()) written.acknowledged += acknowledged
  }
  expect(acknowledged.size).toBeGreaterThan(kills)
  expect(written.acknowledged).toBeGreaterThan(0)
  tell('crash, writers', {
    kills,
    acknowledged: acknowledged.size + written.acknowledged,
    'lists of tasks': written.lists,
    'longest start in ms': longestStartMs,
  })
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
}

/** Creates one project after the other, until the server is gone. */
async function create(spend: Spend, acknowledged: Set<string>): Promise<void> {
  for (let n = 0; n < WRITES_AT_MOST; n++) {
    const answer = await spend(1, api => api.post('/projects', { name: 'Website launch' }))
    if (!answer) return
    acknowledged.add(answer.body.data.id)
  }
}

async function callsOf(diwan: Diwan, companyId: number): Promise<number> {
  const { body } = await diwan.operator.get(`/companies/${companyId}/usage?days=1`)
  return body.data[0].calls
}

async function allProjects(spend: Spend): Promise<Set<string>> {
  const kept = new Set<string>()
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const read = (api: Client) => api.get(`/projects?limit=100&offset=${offset}`)
    const { body } = (await spend(1, read)) as Answer
    total = body.meta.total
    for (const { id } of body.data) kept.add(id)
  }
  return kept
}
