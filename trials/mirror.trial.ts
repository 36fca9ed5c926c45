import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectMirroredOnce } from '../test/rounds/killed-mirrors.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, withoutJobs } from '../test/support/server-process.ts'
import { rounds } from '../test/support/trial.ts'

const TASKS = rounds(300, 20_000)
const KILLS = rounds(2, 10)
const timeout = 3_600_000

describe(`A program that mirrors ${TASKS} tasks of another system, and is killed ${KILLS} times, leaves each once`, () => {
  it('on the embedded database', { timeout }, () => expectMirroredOnce(withoutJobs(), TASKS, KILLS))

  describeWith('postgres', 'with a database server', () => {
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>
    beforeAll(async () => {
      database = await createPostgresDatabase()
    })
    afterAll(() => database.drop())

    it('on PostgreSQL', { timeout }, async () => {
      const settings = { DATA_DIR: newFolder(), SERVER_SECRET, OPERATOR_TOKEN, WORKER: 'off', BURST_PER_MINUTE: '0' }
      await expectMirroredOnce({ DATABASE_URL: database.url, DEMO: 'off', ...settings }, TASKS, KILLS)
    })
  })
})
