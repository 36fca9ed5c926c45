import { describe } from 'vitest'
import { describeAtSize } from '../test/rounds/at-size.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { rounds } from '../test/support/trial.ts'

describe('On the embedded database', () =>
  describeAtSize({ tasks: rounds(1, 12) * 1_000, companies: rounds(5, 20) }, 'embedded'))

describeWith('postgres', 'On PostgreSQL', () =>
  describeAtSize({ tasks: rounds(5, 100) * 1_000, companies: rounds(20, 100) }, 'postgres'),
)
