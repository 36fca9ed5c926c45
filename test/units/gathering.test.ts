import { expect, it } from 'vitest'
import { createGathering } from '../../src/db/gathering.ts'

const FAULT_OF_A_ROW = new Error('A row cannot be written')

it('Rows that come while a statement is on its way share the next one, and the fault of one is not that of the others', async () => {
  const gather = createGathering(error => error === FAULT_OF_A_ROW)
  const statements: unknown[][] = []
  const write = async (rows: unknown[]) => {
    statements.push(rows)
    await new Promise(setImmediate)
    if (rows.includes('bad')) throw FAULT_OF_A_ROW
    return rows.map(row => `${row} written`)
  }
  expect(await Promise.all(['a', 'b', 'c'].map(row => gather('tasks', row, write)))).toEqual([
    'a written',
    'b written',
    'c written',
  ])
  expect(statements.splice(0)).toEqual([['a'], ['b', 'c']])
  const mixed = await Promise.allSettled(['a', 'b', 'bad'].map(row => gather('tasks', row, write)))
  expect(mixed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(statements).toEqual([['a'], ['b', 'bad'], ['b'], ['bad']])
})
