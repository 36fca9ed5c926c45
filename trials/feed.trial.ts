import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { expectFollowed } from '../test/rounds/followed-feed.ts'
import { OPERATOR_TOKEN, SERVER_SECRET } from '../test/support/app.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { newFolder, withoutJobs } from '../test/support/server-process.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

const SECONDS = trialRounds(600)
const KILLS = trialRounds(20)
const ROUNDS = { writers: 16, seconds: SECONDS, kills: KILLS }

describe(`A second system that follows the feed for ${SECONDS} seconds, while 16 write and the server is killed ${KILLS} times, has everything`, () => {
  it('on the embedded database', { timeout: 3_600_000 }, () => expectFollowed(withoutJobs(), ROUNDS))

  describe.skipIf(!inject('postgresUrl'))('on PostgreSQL', () => {
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>
    beforeAll(async () => {
      database = await createPostgresDatabase()
    })
    afterAll(() => database.drop())

    it('with several connections', { timeout: 3_600_000 }, () => {
      const secrets = { SERVER_SECRET, OPERATOR_TOKEN }
      const env = {
        DATABASE_URL: database.url,
        DATA_DIR: newFolder(),
        ...secrets,
        WORKER: 'off',
        BURST_PER_MINUTE: '0',
      }
      return expectFollowed(env, ROUNDS)
    })
  })
})
