import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { expectEachRowOnce } from '../test/rounds/killed-imports.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { destination } from '../test/support/importing.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../test/support/server-process.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

const ROWS = trialRounds(100_000)

describe.skipIf(!inject('postgresUrl'))('An import on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  beforeAll(async () => {
    database = await createPostgresDatabase()
  })
  afterAll(() => database.drop())

  it(`of ${ROWS} rows that is killed twice ends with each row once, with and without ids`, {
    timeout: 3_600_000,
  }, async () => {
    const env = { DATABASE_URL: database.url, DATA_DIR: newFolder(), SERVER_SECRET, OPERATOR_TOKEN }
    const server = await serve({ ...env, WORKER: 'off', BURST_PER_MINUTE: '0', DEMO: 'off' })
    await expectEachRowOnce(await destination(server), ROWS, 2)
    await expectEachRowOnce(await destination(server), ROWS, 2, { hasIds: true })
    await server.end('SIGKILL')
  })
})
