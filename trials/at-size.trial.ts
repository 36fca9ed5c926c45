import { describe } from 'vitest'
import { describeAtSize } from '../test/rounds/at-size.ts'
import { findParts } from '../test/support/parts.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

describe('On the embedded database', () =>
  describeAtSize({ tasks: Math.max(2, trialRounds(12)) * 1_000, companies: 20 }, 'embedded'))

describe.skipIf(!findParts().postgres)('On PostgreSQL', () =>
  describeAtSize({ tasks: Math.max(20, trialRounds(100)) * 1_000, companies: 100 }, 'postgres'),
)
