import { type Db, moreFollows } from '../../db/db.ts'
import { type EarlierAnswer, findAnswers, keepAnswers, type NoAnswer, type Repeat } from '../../domain/idempotency.ts'
import type { OneStatement } from './endpoint.ts'

/** What was written for a call. */
interface Written<Answer> {
  answer: Answer
  isNew: boolean
}

/** Does a write in a statement that other calls may share. Undefined when nothing was written for this call. */
export function writeTogether<Answer>(db: Db, one: OneStatement<Answer>): Promise<Written<Answer> | undefined> {
  return db.together(one.name, one.row, rows => written(db, one, rows))
}

/** A write of which the answer is kept, so that a repeat gets it again. */
interface RepeatableWrite {
  row: unknown
  repeat: Repeat
  status: number
  ignoredFields: string | undefined
}

interface Outcome<Answer> {
  earlier: EarlierAnswer | NoAnswer
  answer: Answer | undefined
}

/**
 * The same for a call that may be a repeat: in one transaction, the earlier answers of all calls are looked up, what is new is
 * written, and its answers are stored.
 */
export function writeTogetherOnce<Answer>(
  db: Db,
  one: OneStatement<Answer>,
  call: Omit<RepeatableWrite, 'row'>,
): Promise<Outcome<Answer>> {
  return db.together(`once ${one.name}`, { row: one.row, ...call }, calls =>
    db.transaction(tx => writeNew(tx, one, calls), { endsWithLast: true }),
  )
}

async function writeNew<Answer>(
  tx: Db,
  one: OneStatement<Answer>,
  calls: RepeatableWrite[],
): Promise<Outcome<Answer>[]> {
  const known = await findAnswers(
    tx,
    calls.map(({ repeat }) => repeat),
  )
  const outcomes = known.map(earlier => ({ earlier, answer: undefined as Answer | undefined }))
  const isNew = (n: number) => !known[n]?.is_running && known[n]?.answer === null
  const added = [...calls.keys()].filter(isNew)
  if (added.length === 0) return outcomes
  const rows = added.map(n => calls[n]?.row)
  const answers = await written(moreFollows(tx), one, rows)
  for (const [place, n] of added.entries()) (outcomes[n] as Outcome<Answer>).answer = answers[place]?.answer
  const answered = calls.flatMap(({ repeat, status, ignoredFields }, n) => {
    const answer = outcomes[n]?.answer
    return answer === undefined ? [] : [{ repeat, status, ignoredFields, answer: JSON.stringify(answer) }]
  })
  if (answered.length > 0) await keepAnswers(tx, answered)
  return outcomes
}

/** The answers in the order of the rows; undefined for each that was not written. */
async function written<Answer>(
  db: Db,
  { statement, answer, isNew }: OneStatement<Answer>,
  rows: unknown[],
): Promise<(Written<Answer> | undefined)[]> {
  const answers: (Written<Answer> | undefined)[] = rows.map(() => undefined)
  for (const { n, ...row } of await db.signed<{ n: number }>(signed => statement(rows, signed)))
    answers[n - 1] = { answer: answer(row), isNew: isNew?.(row) ?? false }
  return answers
}
