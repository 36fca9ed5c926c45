import { describe, it } from 'vitest'
import { expectToOpenAfter } from '../test/rounds/killed-first-starts.ts'
import { expectBytesOfEveryFileIn } from '../test/rounds/killed-uploads.ts'
import { expectNothingLostIn } from '../test/rounds/killed-writers.ts'
import { rounds } from '../test/support/trial.ts'

const OPENS_WITHIN_MS = 5_000
const WRITERS = rounds(2, 200)
const UPLOADS = rounds(1, 20)
const FIRST_STARTS = rounds(1, 12)

describe('The embedded database', () => {
  it(
    `loses nothing acknowledged, keeps nothing by halves and opens soon, in ${WRITERS} kills at random moments`,
    () => expectNothingLostIn(WRITERS, OPENS_WITHIN_MS),
    5_400_000,
  )

  it(`has the bytes of every acknowledged file after ${UPLOADS} kills in the middle of uploads`, () =>
    expectBytesOfEveryFileIn(UPLOADS))

  it(`opens after ${FIRST_STARTS} kills in the middle of its first start`, () => expectToOpenAfter(FIRST_STARTS))
})
