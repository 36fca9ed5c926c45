import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'

const app = useOwnApp()

const rename = (name: string) => sql`update companies set name = ${name} where id = (select min(id) from companies)`
const nameNow = () =>
  app.database.db.one<{ name: string }>(sql`select name from companies where id = (select min(id) from companies)`)

describe('A statement that comes when its transaction is over', () => {
  it('is refused after one that failed beside it: on its own it would be committed', async () => {
    await app.diwan.company({ name: 'As it was' })
    let late = Promise.resolve(0)
    await expect(
      app.database.db.transaction(async tx => {
        const failing = tx.run(sql`select 1 / 0`)
        late = failing
          .catch(() => new Promise(resolve => setTimeout(resolve, 50)))
          .then(() => tx.run(rename('Too late')))
        late.catch(() => {})
        await failing
      }),
    ).rejects.toThrow('division by zero')
    await expect(late).rejects.toThrow('after the end of its transaction')
    expect(await nameNow()).toEqual({ name: 'As it was' })
  })

  it('is refused after the commit, which has all that came before', async () => {
    let late = Promise.resolve(0)
    await app.database.db.transaction(async tx => {
      late = new Promise(resolve => setTimeout(resolve, 50)).then(() => tx.run(rename('Too late')))
      late.catch(() => {})
      await tx.run(rename('In time'))
    })
    await expect(late).rejects.toThrow('after the end of its transaction')
    expect(await nameNow()).toEqual({ name: 'In time' })
  })
})
