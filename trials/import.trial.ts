import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectEachRowOnce } from '../test/rounds/killed-imports.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { destination } from '../test/support/importing.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  serve,
  withoutJobs,
} from '../test/support/server-process.ts'
import { rounds } from '../test/support/trial.ts'

const ROWS = rounds(400, 100_000)
const KILLS = rounds(2, 10)
const timeout = 3_600_000

async function expectEachRowOnceOn(env: Env): Promise<void> {
  const server = await serve(env)
  await expectEachRowOnce(await destination(server), ROWS, KILLS)
  await expectEachRowOnce(await destination(server), ROWS, KILLS, { hasIds: true })
  await server.end('SIGKILL')
}

describe(`An import of ${ROWS} rows that is killed ${KILLS} times ends with each row once, with and without ids`, () => {
  it('on the embedded database', { timeout }, () => expectEachRowOnceOn(withoutJobs()))

  describeWith('postgres', 'with a database server', () => {
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>
    beforeAll(async () => {
      database = await createPostgresDatabase()
    })
    afterAll(() => database.drop())

    it('on PostgreSQL', { timeout }, () => {
      const env = { DATABASE_URL: database.url, DATA_DIR: newFolder(), SERVER_SECRET, OPERATOR_TOKEN }
      return expectEachRowOnceOn({ ...env, WORKER: 'off', BURST_PER_MINUTE: '0', DEMO: 'off' })
    })
  })
})
