import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { addFollowers } from '../domain/people/discussion-followers.ts'
import { type JobPayloads, type JobQueue, NotYet } from '../domain/ports/job-queue.ts'
import { secondsUntilDue } from '../domain/upkeep/stored-jobs.ts'
import { audienceOf, type Notice } from './audiences.ts'

/** How many people one step tells: it takes milliseconds, however many there are. */
const AT_ONCE = 200

interface Untold extends Notice {
  told_up_to: number
  /** An earlier notice about the same thing is still being told. */
  must_wait: boolean
  is_deleted: boolean
}

type NoticeParts = { db: Db; jobs: Pick<JobQueue, 'enqueue'> }
type Payload = JobPayloads['notify-people']

/**
 * Tells the next people of a notice: each gets a notification, and a job that mails it. A step is one transaction, and the
 * notice remembers how far it came, so a killed worker loses nothing and nobody is told twice. The same job does the next step.
 *
 * Notices about one thing are told in their order: who is told of a reply follows the discussion because of an earlier one.
 */
export function notifyPeople(parts: NoticeParts, payload: Payload): Promise<NotYet | undefined> {
  return parts.db.onBehalfOf(payload.company_id).transaction(async tx => {
    const notice = await holdUntold(tx, payload)
    if (!notice) return
    if (notice.must_wait) return new NotYet(1)
    const people = await nextPeople(tx, notice)
    const isLastStep = people.length < AT_ONCE
    await addNotifications(tx, parts, payload, notice, people)
    await tx.run(sql`
      update notices set told_up_to = ${people.at(-1) ?? notice.told_up_to}, told_at = ${isLastStep ? sql`now()` : null}
      where company_id = ${payload.company_id} and id = ${payload.notice_id}`)
    return isLastStep ? undefined : new NotYet(0)
  })
}

function holdUntold(tx: Db, { company_id, notice_id }: Payload): Promise<Untold | undefined> {
  return tx.maybe<Untold>(sql`
    select w.company_id, w.kind, w.project_id, w.actor_id, w.recipients, w.told_up_to, d.id as discussion_id,
      coalesce(d.deleted_at, p.deleted_at) is not null as is_deleted,
      exists (
        select from notices o
        where o.company_id = w.company_id and o.subject_type = w.subject_type and o.subject_id = w.subject_id
          and o.id < w.id and o.told_at is null
          and ${secondsUntilDue('notify-people', sql`o.job_id`)} is not null) as must_wait
    from notices w
    left join discussions d on w.subject_type = 'discussion' and d.company_id = w.company_id and d.ref = w.subject_id
    left join projects p on p.company_id = d.company_id and p.id = d.project_id
    where w.company_id = ${company_id} and w.id = ${notice_id} and w.told_at is null
    for no key update of w`)
}

async function nextPeople(tx: Db, notice: Untold): Promise<number[]> {
  const people = await tx.many<{ id: number }>(sql`
    select people.id from (${audienceOf(notice)}) people where people.id > ${notice.told_up_to}
    order by people.id limit ${AT_ONCE}`)
  return people.map(({ id }) => id)
}

/** Nobody is told of a discussion that has been deleted meanwhile. It keeps its followers, because it may be restored. */
async function addNotifications(
  tx: Db,
  { jobs }: NoticeParts,
  { company_id, notice_id }: Payload,
  { kind, discussion_id, is_deleted }: Untold,
  people: number[],
): Promise<void> {
  const theirIds = sql`select unnest(${people}::bigint[]) as id`
  if (kind === 'discussion_created')
    await addFollowers({ db: tx, company: { id: company_id } }, discussion_id, theirIds)
  if (is_deleted) return
  const told = await tx.many<{ id: number; mail_id: string }>(sql`
    insert into notifications (company_id, notice_id, user_id)
    select ${company_id}, ${notice_id}, people.id from (${theirIds}) people on conflict do nothing
    returning id, mail_id`)
  await jobs.enqueue(
    tx,
    'mail-notification',
    told.map(({ id }) => ({ company_id, notification_id: id })),
    told.map(({ mail_id }) => mail_id),
  )
}
