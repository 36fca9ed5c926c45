import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeSchema } from '../../src/db/describe-schema.ts'
import { openTestDatabase } from '../support/database.ts'

it('src/db/schema.sql is what the migrations make on this engine: npm run schema writes it', async () => {
  const database = await openTestDatabase()
  try {
    const committed = readFileSync('src/db/schema.sql', 'utf8')
    expect(await describeSchema(database.db)).toBe(committed)
  } finally {
    await database.close()
  }
})
