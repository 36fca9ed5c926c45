import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import type { Database } from '../../src/db/postgres.ts'
import { embedded, newFolder } from '../support/server-process.ts'

let database: Database
beforeAll(async () => {
  const folder = newFolder()
  embedded(folder)
  database = await openEmbedded(folder, error => expect.fail(error.message))
})
afterAll(() => database.close())

const BUSY = 1
const OTHER = 2

it('On the embedded engine a company waits for one transaction of a busy one at most, however many that sends', async () => {
  const other = database.db.onBehalfOf(OTHER)
  for (const ask of [() => other.many(sql`select 1`), () => other.transaction(tx => tx.many(sql`select 1`))]) {
    const ended: string[] = []
    let begun = () => {}
    const hasBegun = new Promise<void>(resolve => {
      begun = resolve
    })
    const busy = Array.from({ length: 8 }, async () => {
      await database.db.onBehalfOf(BUSY).transaction(async tx => {
        await tx.many(sql`select count(*) from generate_series(1, 1000)`)
        begun()
        await tx.many(sql`select count(*) from generate_series(1, 100000)`)
      })
      ended.push('busy')
    })
    await hasBegun
    const asked = ask().then(() => ended.push('other'))
    await Promise.all([...busy, asked])
    expect(ended.indexOf('other')).toBeLessThanOrEqual(1)
    expect(ended).toHaveLength(9)
  }
})
