import { describe, inject, it } from 'vitest'
import { expectFollowedOnEmbedded, expectFollowedOnPostgres } from '../test/rounds/followed-feed.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

const SECONDS = trialRounds(600)
const KILLS = trialRounds(20)
/** Includes the time to read and compare everything at the end. */
const timeout = 1_800_000 + 3_000 * SECONDS
const ROUNDS = { writers: 16, seconds: SECONDS, kills: KILLS }

describe(`A second system that follows the feed for ${SECONDS} seconds, while 16 write and there are ${KILLS} kills, has everything`, () => {
  it('on the embedded database', { timeout }, () => expectFollowedOnEmbedded(ROUNDS))

  it.skipIf(!inject('postgresUrl'))('on PostgreSQL', { timeout }, () => expectFollowedOnPostgres(ROUNDS))
})
