import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectNothingLostIn } from '../rounds/killed-writers.ts'
import { describeWith } from '../support/describe-with.ts'
import { newFolder, serve, strace, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const KILLS = 2

describe('The embedded database', () => {
  it(`loses nothing acknowledged, keeps nothing by halves and opens again, in ${KILLS} kills at random moments`, () =>
    expectNothingLostIn(KILLS))

  describeWith('strace', 'asks the kernel to flush', () => {
    it.skipIf(!strace())('at least once before it acknowledges a write', async () => {
      const output = join(newFolder(), 'calls')
      const flushes = () => readFileSync(output, 'utf8').match(/fsync\(|fdatasync\(/g)?.length ?? 0
      // Without the worker, so that every flush is the write's own.
      const server = await serve(withoutJobs(), strace('-e', 'trace=fsync,fdatasync', '-o', output))
      const { api, admin } = await server.diwan.company()
      for (let n = 1; n <= 5; n++) {
        for (const write of [
          () => api.post('/projects', { name: 'Website launch' }),
          () => admin.post('/users', { name: 'Omar Aziz', email: `omar.${n}@example.com` }),
        ]) {
          const before = flushes()
          expect((await write()).status).toBe(201)
          await until(async () => flushes() > before)
        }
      }
      await server.end('SIGKILL')
    })
  })
})
