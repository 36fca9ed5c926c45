import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../src/db/postgres.ts'
import { describeEveryCharacter } from '../test/rounds/search-names.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { findParts } from '../test/support/parts.ts'
import { rounds } from '../test/support/trial.ts'

const engines = ['embedded', ...(findParts().postgres ? ['postgres'] : [])]

describe.each(engines)('On %s', engine => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())

  describeEveryCharacter(rounds(8, 1), () => database)
})
