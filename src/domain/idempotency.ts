import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { conflict, unprocessable } from './errors.ts'
import { KEPT } from './upkeep/retention.ts'

/** Whose repeats are recognised: a name belongs to the key or the person that used it. */
export interface Repeater {
  company_id: number
  /** `key:12` or `person:7`. */
  repeater: string
}

/** A named request: the same name from the same caller is a repeat if the digest is the same too. */
export interface Repeat extends Repeater {
  name: string
  request_digest: Buffer
}

export interface NoAnswer {
  is_running: boolean
  answer: null
}

export interface EarlierAnswer {
  is_running: false
  request_digest: Buffer
  status: number
  answer: string
  ignored_fields: string | null
}

const KEPT_FOR = sql`make_interval(days => ${KEPT.forDays.idempotent_answers.days})`

/** The answer that this request got before, if any. */
export async function findAnswer(tx: Db, repeat: Repeat): Promise<EarlierAnswer | undefined> {
  const [earlier = RUNNING] = await findAnswers(tx, [repeat])
  return answerTo(repeat, earlier)
}

const RUNNING: NoAnswer = { is_running: true, answer: null }

/**
 * What is known of requests of one caller, in their order. The locks are held until the transaction ends, so of two concurrent
 * repeats one does the work, on whichever node, and the other is told to retry.
 */
export async function findAnswers(tx: Db, repeats: Repeat[]): Promise<(EarlierAnswer | NoAnswer)[]> {
  const names = repeats.map(({ name }) => name)
  const known = await tx.many<EarlierAnswer | NoAnswer>(sql`
    select earlier.* from unnest(${names}::text[]) with ordinality sent (name, n) cross join lateral
      earlier_answer(${repeats[0]?.company_id}, ${repeats[0]?.repeater}, sent.name, now() - ${KEPT_FOR}) earlier
    order by n`)
  // A transaction can take a lock again that it has already, so a name that comes twice in this batch is noticed here.
  return known.map((earlier, n) => (names.indexOf(names[n] as string) < n ? RUNNING : earlier))
}

/** The earlier answer, if there is one and it was to this very request. */
export function answerTo(repeat: Repeat, earlier: EarlierAnswer | NoAnswer): EarlierAnswer | undefined {
  if (earlier.is_running) throw conflict('A request with this Idempotency-Key is still running. Try again in a moment.')
  if (earlier.answer === null) return undefined
  if (!repeat.request_digest.equals(earlier.request_digest)) {
    throw unprocessable('Idempotency-Key', 'was used for another request: choose a new one')
  }
  return earlier
}

/** A request, the status and the answer to it as JSON, and the fields of its body that the answer named as ignored. */
export interface AnsweredRepeat {
  repeat: Repeat
  status: number
  answer: string
  ignoredFields: string | undefined
}

/** The last statement of a write of one caller: answers are stored if and only if the write was done. */
export async function keepAnswers(tx: Db, answered: AnsweredRepeat[]): Promise<void> {
  const { company_id, repeater } = answered[0]?.repeat ?? {}
  await tx.last(sql`
    insert into idempotent_answers (company_id, repeater, name, request_digest, status, answer, ignored_fields)
    select ${company_id}, ${repeater}, answered.* from unnest(
      ${answered.map(({ repeat }) => repeat.name)}::text[],
      ${answered.map(({ repeat }) => repeat.request_digest)}::bytea[],
      ${answered.map(({ status }) => status)}::smallint[],
      ${answered.map(({ answer }) => answer)}::text[],
      ${answered.map(({ ignoredFields }) => ignoredFields ?? null)}::text[]) answered
    on conflict (company_id, repeater, name) do update set request_digest = excluded.request_digest,
      status = excluded.status, answer = excluded.answer, ignored_fields = excluded.ignored_fields, created_at = now()`)
}
