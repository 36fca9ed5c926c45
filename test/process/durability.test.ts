import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Client, Diwan } from '../support/diwan.ts'
import { embedded, newFolder, noonZone, serve, strace } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const KILLS = 12
const WRITERS = 6
const WRITES_AT_MOST = 100

describe('The embedded database', () => {
  it(`loses no acknowledged project and no acknowledged call in ${KILLS} kills at random moments`, async () => {
    const env = embedded()
    let server = await serve(env)
    const { id, key } = await server.diwan.company({ time_zone: noonZone(), daily_calls: 1_000_000 })
    const acknowledged = new Set<string>()
    const calls = { acknowledged: 0, sent: 0 }

    for (let kill = 1; kill <= KILLS; kill++) {
      const writing = writeUntilTheEnd(server.diwan.api(key), acknowledged, calls)
      const enough = acknowledged.size + Math.round(Math.random() * 60)
      await until(async () => acknowledged.size >= enough)
      await sleep(Math.random() * 30)
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
    expect(acknowledged.size).toBeGreaterThan(KILLS)
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  }, 600_000)

  const output = join(newFolder(), 'calls')
  const traced = strace('-e', 'trace=fsync,fdatasync', '-o', output)
  const flushes = () => readFileSync(output, 'utf8').match(/fsync\(|fdatasync\(/g)?.length ?? 0

  it.skipIf(!traced)('asks the kernel to flush at least once before it acknowledges a write', async () => {
    // Without the worker, so that every flush is the write's own.
    const server = await serve({ ...embedded(), WORKER: 'off' }, traced)
    const { api, admin } = await server.diwan.company()
    for (let n = 1; n <= 5; n++) {
      for (const write of [
        () => api.post('/projects', { name: 'Website launch' }),
        () => admin.post('/users', { name: 'Omar Aziz', email: `omar.${n}@example.com` }),
      ]) {
        const before = flushes()
        expect((await write()).status).toBe(201)
        await until(async () => flushes() > before, 2_000)
      }
    }
    await server.end('SIGKILL')
  })
})

interface Calls {
  acknowledged: number
  sent: number
}

/** Several writers at once, until the server is gone. Only what came back whole is acknowledged. */
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
