import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../src/db/postgres.ts'
import { describeEveryCharacter } from '../test/rounds/search-names.ts'
import { DATABASE_ENGINES } from '../test/support/both-engines.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { rounds } from '../test/support/trial.ts'

describe.each(DATABASE_ENGINES)('On %s', engine => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())

  describeEveryCharacter(rounds(8, 1), () => database)
})
