import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { conflict, unprocessable } from './errors.ts'
import { KEPT } from './retention.ts'

/** Whose repeats are recognised: a name belongs to the key that used it. */
export interface Repeater {
  company_id: number
  key_id: number
}

/** A named request: the same name from the same key is a repeat if the digest is the same too. */
export interface Repeat extends Repeater {
  name: string
  request_digest: Buffer
}

interface NoAnswer {
  is_running: boolean
  answer: null
}

interface EarlierAnswer {
  is_running: false
  request_digest: Buffer
  answer: string
  ignored_fields: string | null
}

const KEPT_FOR = sql`make_interval(days => ${KEPT.forDays.idempotent_answers.days})`

/**
 * The answer that this request got before, if any. The lock is held until the transaction ends, so of two concurrent repeats
 * one does the work, on whichever node, and the other is told to retry.
 */
export async function findAnswer(
  tx: Db,
  { company_id, key_id, name, request_digest }: Repeat,
): Promise<EarlierAnswer | undefined> {
  const earlier = await tx.one<EarlierAnswer | NoAnswer>(
    sql`select * from earlier_answer(${company_id}, ${key_id}, ${name}, now() - ${KEPT_FOR})`,
  )
  if (earlier.is_running) throw conflict('A request with this Idempotency-Key is still running. Try again in a moment.')
  if (earlier.answer === null) return undefined
  if (!request_digest.equals(earlier.request_digest)) {
    throw unprocessable('Idempotency-Key', 'was used for another request: choose a new one')
  }
  return earlier
}

/** The last statement of the write: an answer is stored if and only if the write was done. */
export async function keepAnswer(
  tx: Db,
  repeat: Repeat,
  answer: string,
  ignoredFields: string | undefined,
): Promise<void> {
  const { company_id, key_id, name, request_digest } = repeat
  await tx.last(sql`
    insert into idempotent_answers (company_id, key_id, name, request_digest, answer, ignored_fields)
    values (${company_id}, ${key_id}, ${name}, ${request_digest}, ${answer}, ${ignoredFields ?? null})
    on conflict (company_id, key_id, name) do update set request_digest = excluded.request_digest,
      answer = excluded.answer, ignored_fields = excluded.ignored_fields, created_at = now()`)
}
