import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import type { Client } from '../support/diwan.ts'
import { canMount, fillDisk, mountSmallDisk } from '../support/mounts.ts'
import { type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const DIED = 'The embedded database has died'
const PIECE_OF_LOG_BYTES = 16 * 1024 * 1024
const WRITTEN_BYTES = 11_500_000

/** Its WAL needs a new segment after a few dozen writes. It has not created that yet, which it would do in the last quarter. */
async function embeddedBeforeItsNextPieceOfLog(folder: string) {
  const env = withoutJobs(folder)
  const { pool, close } = await openEmbedded(folder, () => {})
  const { rows } = await pool.query(
    `select ($1 - pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') % $2)::int as more`,
    [WRITTEN_BYTES, PIECE_OF_LOG_BYTES],
  )
  await pool.query(`select pg_logical_emit_message(false, 'test', repeat('x', $1))`, [rows[0].more])
  await close()
  return env
}

/** Two writers store long texts that do not compress, until nothing has been accepted for a while. */
async function writeUntilRefused(api: Client, path: string): Promise<{ taken: string[]; statuses: Set<number> }> {
  const taken: string[] = []
  const statuses = new Set<number>()
  const write = async () => {
    for (let refusals = 0; refusals < 10; ) {
      const text = randomBytes(36_000).toString('base64')
      const { status, body } = await api.post(path, { title: 'A long letter', body: text })
      statuses.add(status)
      if (status === 201) taken.push(body.data.id)
      else refusals++
    }
  }
  await Promise.all([write(), write()])
  return { taken, statuses }
}

async function expectAll(server: ServerProcess, api: Client, path: string, taken: string[]): Promise<void> {
  for (const id of taken) expect([id, (await api.get(`${path}/${id}`)).status]).toEqual([id, 200])
  expect(server.hasExited(), server.stderr()).toBe(false)
}

describe.skipIf(!canMount(() => mountSmallDisk(1)))('A disk that fills', () => {
  for (const { left, dies } of [
    { left: 3, dies: false },
    { left: 13, dies: true },
  ])
    it(`with ${left} MB left, refuses with 503 what it cannot keep, loses nothing that it took, and goes on when it is freed`, async () => {
      const folder = mountSmallDisk(160)
      const env = await embeddedBeforeItsNextPieceOfLog(folder)
      let server = await serve(env)
      const company = await server.diwan.company()
      const project = `/projects/${(await server.diwan.project(company)).id}`
      const path = `${project}/discussions`
      const content_base64 = randomBytes(4_000_000).toString('base64')
      const upload = () => company.api.post(`${project}/files`, { name: 'a.bin', content_base64 })

      const free = fillDisk(folder, left)
      if (!dies) {
        expect((await upload()).status).toBe(503)
        expect(readdirSync(join(folder, 'files', 'drafts'))).toEqual([])
      }
      const { taken, statuses } = await writeUntilRefused(company.api, path)
      expect([...statuses].sort()).toEqual([201, 503])
      // The log line may be written after the answers.
      if (dies) await until(async () => server.stderr().includes(DIED))
      expect((await fetch(`${server.url}/health`)).status).toBe(200)

      free()
      await until(async () => {
        const { status, body } = await company.api.post(path, { title: 'Room again' })
        if (status === 201) taken.push(body.data.id)
        return status === 201
      })
      expect((await upload()).status).toBe(201)
      await expectAll(server, company.api, path, taken)
      await server.end('SIGKILL')
      expect(server.stderr().includes(DIED)).toBe(dies)

      server = await serve(env)
      await expectAll(server, server.diwan.api(company.key), path, taken)
      expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    })

  it('stops when it is told to, also while its database is dead', async () => {
    const folder = mountSmallDisk(160)
    const server = await serve(await embeddedBeforeItsNextPieceOfLog(folder))
    const company = await server.diwan.company()
    const path = `/projects/${(await server.diwan.project(company)).id}/discussions`
    fillDisk(folder, 13)
    await writeUntilRefused(company.api, path)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
  })
})
