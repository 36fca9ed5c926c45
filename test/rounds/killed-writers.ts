import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Client, Diwan } from '../support/diwan.ts'
import { noonZone } from '../support/noon-zone.ts'
import { random } from '../support/random.ts'
import { serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'

const WRITERS = 6
const WRITES_AT_MOST = 100

/** Kills an embedded server at random moments while many clients write, and checks all acknowledged writes after each kill. */
export async function expectNothingLostIn(kills: number): Promise<void> {
  const env = withoutJobs()
  let server = await serve(env)
  const { id, key } = await server.diwan.company({ time_zone: noonZone(), daily_calls: 1_000_000 })
  const acknowledged = new Set<string>()
  const calls = { acknowledged: 0, sent: 0 }

  for (let kill = 1; kill <= kills; kill++) {
    const writing = writeUntilTheEnd(server.diwan.api(key), acknowledged, calls)
    const enough = acknowledged.size + 2 + Math.round(random() * 60)
    await until(async () => acknowledged.size >= enough)
    await sleep(random() * 30)
    expect(server.hasExited(), server.stderr()).toBe(false)
    await server.end('SIGKILL')
    await writing

    server = await serve(env)
    const where = `after kill ${kill}`
    const spent = await callsOf(server.diwan, id)
    expect(spent, where).toBeGreaterThanOrEqual(calls.acknowledged)
    expect(spent, where).toBeLessThanOrEqual(calls.sent)
    const kept = await allProjects(server.diwan.api(key), calls)
    expect(
      [...acknowledged].filter(ref => !kept.has(ref)),
      where,
    ).toEqual([])
  }
  expect(acknowledged.size).toBeGreaterThan(kills)
  tell('crash, writers', { kills, acknowledged: acknowledged.size })
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
}

interface Calls {
  acknowledged: number
  sent: number
}

/** Several writers at once, until the server is gone. Only a complete answer counts as an acknowledgement. */
async function writeUntilTheEnd(api: Client, acknowledged: Set<string>, calls: Calls): Promise<void> {
  const write = async () => {
    for (let n = 0; n < WRITES_AT_MOST; n++) {
      calls.sent++
      const answer = await api.post('/projects', { name: 'Website launch' }).catch(() => undefined)
      if (!answer) return
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      acknowledged.add(answer.body.data.id)
      calls.acknowledged++
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

async function callsOf(diwan: Diwan, companyId: number): Promise<number> {
  const { body } = await diwan.operator.get(`/companies/${companyId}/usage?days=1`)
  return body.data[0].calls
}

async function allProjects(api: Client, calls: Calls): Promise<Set<string>> {
  const kept = new Set<string>()
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    calls.sent++
    const { status, body } = await api.get(`/projects?limit=100&offset=${offset}`)
    expect(status).toBe(200)
    calls.acknowledged++
    total = body.meta.total
    for (const { id } of body.data) kept.add(id)
  }
  return kept
}
