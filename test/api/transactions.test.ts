import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import { useOwnApp } from '../support/app.ts'

const app = useOwnApp()

const rename = (name: string) => sql`update companies set name = ${name} where id = (select min(id) from companies)`

it('A statement that comes when its transaction is over is refused: on its own it would be committed', async () => {
  await app.diwan.company({ name: 'As it was' })
  for (const [last, name] of [
    [sql`select 1 / 0`, 'As it was'],
    [rename('In time'), 'In time'],
  ] as const) {
    let ended = {} as Db
    const whole = app.database.db.transaction(async tx => {
      ended = tx
      await tx.run(last)
    })
    await whole.catch(error => expect(error.message).toBe('division by zero'))
    await expect(ended.run(rename('Too late'))).rejects.toThrow('after the end of its transaction')
    expect(await app.database.db.one(sql`select name from companies order by id limit 1`)).toEqual({ name })
  }
})
