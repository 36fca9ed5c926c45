import { expect, it } from 'vitest'
import { createGathering } from '../../src/db/gathering.ts'

const FAULT_OF_A_ROW = new Error('A row cannot be written')
const NO_CONNECTION = new Error('The connection is lost')
const never = new Promise<never>(() => {})

/** What was written together. */
function gathered(fails: (rows: unknown[]) => Error | undefined = () => undefined) {
  const gather = createGathering(error => error === FAULT_OF_A_ROW)
  const statements: unknown[][] = []
  const write = async (rows: unknown[]) => {
    statements.push(rows)
    await new Promise(setImmediate)
    const failure = fails(rows)
    if (failure) throw failure
    return rows.map(row => (row === 'gone' ? undefined : `${row} written`))
  }
  return { statements, add: (row: unknown, name = 'tasks') => gather(name, row, write) }
}

it('What comes alone is written at once; what comes meanwhile shares the next statement, and each gets its own answer', async () => {
  const { statements, add } = gathered()
  const answers = Promise.all(['a', 'b', 'gone', 'c'].map(row => add(row)))
  expect(statements).toEqual([['a']])
  expect(await answers).toEqual(['a written', 'b written', undefined, 'c written'])
  expect(statements).toEqual([['a'], ['b', 'gone', 'c']])
  expect(await add('d')).toBe('d written')
  expect(statements).toEqual([['a'], ['b', 'gone', 'c'], ['d']])
})

it('What has another name is not written with it', async () => {
  const { statements, add } = gathered()
  await Promise.all([add('a'), add('b', 'lists'), add('c'), add('d', 'lists')])
  expect(statements).toEqual([['a'], ['b'], ['c'], ['d']])
})

it('No statement has more than fifty', async () => {
  const { statements, add } = gathered()
  await Promise.all(Array.from({ length: 121 }, (_, n) => add(n)))
  expect(statements.map(rows => rows.length)).toEqual([1, 50, 50, 20])
})

it('The fault of one is not the fault of the others', async () => {
  const { statements, add } = gathered(rows => (rows.includes('bad') ? FAULT_OF_A_ROW : undefined))
  const answers = await Promise.allSettled(['a', 'b', 'bad', 'c'].map(row => add(row)))
  expect(answers.map(answer => (answer.status === 'fulfilled' ? answer.value : answer.reason))).toEqual([
    'a written',
    'b written',
    FAULT_OF_A_ROW,
    'c written',
  ])
  expect(statements).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']])
})

it('What may have been written is not written again', async () => {
  const { statements, add } = gathered(rows => (rows.length > 1 ? NO_CONNECTION : undefined))
  const answers = await Promise.allSettled(['a', 'b', 'c'].map(row => add(row)))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(statements).toEqual([['a'], ['b', 'c']])
  expect(await add('d')).toBe('d written')
})

it('Nobody waits for a statement that does not end', async () => {
  const gather = createGathering(() => false)
  const write = async (rows: unknown[]) => (rows.includes('stuck') ? never : rows)
  gather('tasks', 'stuck', write)
  expect(await Promise.all([gather('tasks', 'free', write), gather('tasks', 'too', write)])).toEqual(['free', 'too'])
})
