import { describe, it } from 'vitest'
import { expectFollowedOnEmbedded, expectFollowedOnPostgres } from '../test/rounds/followed-feed.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { rounds } from '../test/support/trial.ts'

const SECONDS = rounds(3, 600)
const KILLS = rounds(2, 20)
const WRITERS = rounds(8, 16)
/** Includes the time to read and compare everything at the end. */
const timeout = 1_800_000 + 3_000 * SECONDS
const ROUNDS = { writers: WRITERS, seconds: SECONDS, kills: KILLS }

describe(`A second system that follows the feed for ${SECONDS} seconds, while ${WRITERS} write and there are ${KILLS} kills, has everything`, () => {
  it('on the embedded database', { timeout }, () => expectFollowedOnEmbedded(ROUNDS))

  describeWith('postgres', 'on PostgreSQL', () => it('as well', { timeout }, () => expectFollowedOnPostgres(ROUNDS)))
})
