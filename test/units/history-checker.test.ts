import { expect, it } from 'vitest'
import type { Attempt, Write } from '../rounds/history.ts'
import { contradictions, type Outcome, spendingOf } from '../rounds/history-checker.ts'

// Of a trial that passes, only this tells that it could have failed.

const sent = (at: number, status?: number, more: Partial<NonNullable<Attempt['answer']>> = {}): Attempt => ({
  sentAt: at,
  calls: 1,
  ...(status && { answer: { at: at + 1, status, hasPassedAllowance: true, isReplay: false, ...more } }),
})

const write = (fields: Partial<Write>): Write => ({
  name: 'w1',
  method: 'POST',
  path: '/lists/lst-1/tasks',
  marks: [],
  places: [],
  attempts: [],
  ...fields,
})

/** A task is created, after an attempt whose answer was lost; then its title is changed, by two clients. */
const creation = write({
  marks: ['m1'],
  places: ['lst-1'],
  attempts: [sent(1), sent(3, 201, { isReplay: true })],
  answer: { status: 201, ids: ['tsk-1'], body: {} },
})
const changed = (title: string, ...attempts: Attempt[]): Write =>
  write({
    name: title,
    method: 'PATCH',
    path: '/tasks/tsk-1',
    target: 'tsk-1',
    title,
    attempts,
    answer: { status: 200, ids: ['tsk-1'], body: {} },
  })
const deletion = write({
  method: 'DELETE',
  path: '/tasks/tsk-1',
  target: 'tsk-1',
  attempts: [sent(30, 200)],
  answer: { status: 200, ids: [], body: {} },
})
const WRITES = [creation, changed('First', sent(10, 200)), changed('Second', sent(20, 200))]

const entry = (change: string, cursor: string) => ({ cursor, kind: 'task', change, id: 'tsk-1' })
const OUTCOME: Outcome = {
  records: new Map([['tsk-1', { mark: 'm1', title: 'Second' }]]),
  slugs: ['/lists/lst-1/tasks second'],
  counts: [{ of: 'lst-1', shown: [1], there: [1] }],
  spent: 4,
  feed: [entry('created', 'a'), entry('updated', 'b'), entry('updated', 'c')],
  followed: new Map([
    ['created tsk-1', 1],
    ['updated tsk-1', 2],
  ]),
  differing: [],
  deliveries: ['created', 'updated', 'updated'].map((change, n) => ({
    message_id: `msg_${n}`,
    type: `task.${change}`,
    record_id: 'tsk-1',
    state: n === 2 ? 'pending' : 'delivered',
  })),
  received: new Set(['msg_0', 'msg_1']),
}

const found = (outcome: Partial<Outcome>, writes = WRITES) =>
  contradictions(
    writes.flatMap(({ attempts }) => attempts),
    writes,
    { ...OUTCOME, ...outcome },
  )

it('A history that fits has no contradiction, whether the lost attempt was spent or not', () => {
  expect(found({})).toEqual([])
  expect(found({ spent: 3 })).toEqual([])
})

it.each<[string, Partial<Outcome>, string]>([
  [
    'a record that was acknowledged is missing',
    { records: new Map() },
    'tsk-1 of w1 was acknowledged and is not there',
  ],
  [
    'a record has the mark of another',
    { records: new Map([['tsk-1', { mark: 'm2', title: 'Second' }]]) },
    'tsk-1 has the mark m2 instead of m1',
  ],
  [
    'a name has two effects',
    { records: new Map([...OUTCOME.records, ['tsk-2', { mark: 'm1', title: null }]]) },
    'what m1 marks was created twice',
  ],
  [
    'a title is one that was overwritten',
    { records: new Map([['tsk-1', { mark: 'm1', title: 'First' }]]) },
    'tsk-1 has the title "First", which was overwritten',
  ],
  ['too few calls are spent', { spent: 2 }, '2 calls were spent, and not 3 to 4'],
  ['too many calls are spent', { spent: 5 }, '5 calls were spent, and not 3 to 4'],
  ['a count is wrong', { counts: [{ of: 'lst-1', shown: [2], there: [1] }] }, 'lst-1 shows 2 and has 1'],
  ['a slug is there twice', { slugs: ['a', 'a'] }, 'the slug a is there twice'],
  [
    'a follower has missed a change',
    { followed: new Map([['created tsk-1', 1]]) },
    'updated tsk-1 is 2 times in the feed, and was followed undefined times',
  ],
  ['a follower has another copy', { differing: ['task tsk-1'] }, 'who followed the feed has another task tsk-1'],
  [
    'a change is not listed for the webhook',
    { deliveries: OUTCOME.deliveries.slice(0, 2) },
    'task.updated tsk-1 has 1 deliveries instead of 2',
  ],
  [
    'what counts as delivered has not arrived',
    { received: new Set(['msg_0']) },
    'msg_1 counts as delivered and did not arrive',
  ],
])('Where %s, the checker says so', (_, outcome, problem) => expect(found(outcome)).toContain(problem))

it('What was acknowledged as deleted is gone, and what may have been deleted may be', () => {
  const gone = [...WRITES, deletion]
  expect(found({ spent: 5 }, gone)).toContain('tsk-1 was acknowledged as deleted and is there')
  expect(found({ spent: 5 }, gone)).toContain('the feed has deleted tsk-1 0 times')
  const { answer: _, ...unanswered } = deletion
  const maybe = [...WRITES, { ...unanswered, attempts: [sent(30)] }]
  expect(found({}, maybe)).toEqual([])
  expect(found({ records: new Map() }, maybe)).toEqual([])
})

it('A batch spends a call for each of its tasks, a replay of it one, and one without an answer any number', () => {
  const batch = (status?: number, isReplay = false) => ({ ...sent(1, status, { isReplay }), calls: 3 })
  expect(spendingOf([batch(201)])).toEqual([3, 3])
  expect(spendingOf([batch(201, true)])).toEqual([1, 1])
  expect(spendingOf([batch(404)])).toEqual([1, 3])
  expect(spendingOf([batch()])).toEqual([0, 3])
})
