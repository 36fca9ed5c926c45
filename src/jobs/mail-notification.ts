import sql from 'sql-template-tag'
import { isOpenTo } from '../domain/access/sight.ts'
import { eventAsSeenBy } from '../domain/calendars/event-invitations.ts'
import { codePurpose } from '../domain/people/invitations.ts'
import { type JobPayloads, NotYet } from '../domain/ports/job-queue.ts'
import { secondsUntilDue } from '../domain/upkeep/stored-jobs.ts'
import { composeNotification, type NotificationFacts } from './mail/text.ts'
import type { WorkerParts } from './parts.ts'

interface Pending extends NotificationFacts {
  user_id: number
  email: string
  active: boolean
  /** Set for an invitation, until it is mailed. */
  code_to_mail: Buffer | null
  mail_id: string
  /** A later mail about the same thing has gone out, so this one would be out of date. Each reply is news of its own. */
  is_overtaken: boolean
  /** It is about a project that the person no longer sees. */
  is_hidden: boolean
  /** In how many seconds the mails that must go out before this one will have been tried again. */
  held_for: number | null
  references: string[]
}

type MailParts = Pick<WorkerParts, 'db' | 'mailer' | 'encryption' | 'publicUrl'>
type Payload = JobPayloads['mail-notification']

/** Mails one stored notification, unless it is in a sandbox, from which nothing is ever mailed. If it runs again after a crash, `emailed_at` tells whether there is still something to do. */
export async function mailNotification(parts: MailParts, payload: Payload): Promise<NotYet | undefined> {
  const { db, mailer, encryption, publicUrl } = parts
  if (!mailer) return
  const pending = await findPending(parts, payload)
  if (!pending?.active || pending.is_overtaken || pending.is_hidden) return
  if (pending.held_for !== null) return new NotYet(Math.max(0, pending.held_for) + 1)
  const { kind, user_id, code_to_mail, event } = pending
  // Used, void, or mailed with a later one: there is nothing left to send.
  if (kind === 'invitation' && code_to_mail === null) return
  const code = code_to_mail && encryption.decrypt(code_to_mail, codePurpose(payload.company_id, user_id))
  await mailer.send({
    to: pending.email,
    messageId: messageId(pending.mail_id),
    references: pending.references.map(messageId),
    ...composeNotification({
      ...pending,
      event: event && eventAsSeenBy(event, pending),
      code,
      public_url: publicUrl(),
    }),
  })
  if (code_to_mail)
    await db.run(sql`update invitations set code_to_mail = null
      where company_id = ${payload.company_id} and user_id = ${user_id} and code_to_mail = ${code_to_mail}`)
  await db.run(sql`update notifications set emailed_at = now()
    where company_id = ${payload.company_id} and id = ${payload.notification_id} and emailed_at is null`)
}

const messageId = (mailId: string) => `<${mailId}@diwan>`

/**
 * Mails to one person about one thing keep their order. An earlier mail holds back a later one while its own job is still to be
 * done, and for a day at most.
 */
function findPending({ db }: MailParts, { company_id, notification_id }: Payload): Promise<Pending | undefined> {
  const aboutTheSame = sql`
    from notices ow join notifications o on o.company_id = ow.company_id and o.notice_id = ow.id and o.user_id = n.user_id
    where ow.company_id = w.company_id and ow.subject_type = w.subject_type and ow.subject_id = w.subject_id`
  return db.maybe<Pending>(sql`
    select w.kind, n.user_id, i.code_to_mail, w.subject_title as title, u.name, u.email, u.active, u.language, a.name as actor, p.name as project,
      json_build_object('company_id', w.company_id, 'subject_id', w.subject_id, 'project_ref', p.ref) as about,
      w.event, w.event_before, c.time_zone, c.second_calendar, f.scan_finding, n.mail_id,
      w.subject_type <> 'discussion' and exists (
        select ${aboutTheSame} and ow.id > w.id and o.emailed_at is not null) as is_overtaken,
      u.role = 'member' and p.id is not null and not ${isOpenTo(sql`u.id`)} as is_hidden,
      (select max(${secondsUntilDue('mail-notification', sql`o.mail_id`)}) ${aboutTheSame}
        and ow.id < w.id and o.emailed_at is null and n.created_at > now() - interval '1 day') as held_for,
      array(select o.mail_id::text from (
        select ow.id, o.mail_id ${aboutTheSame} and ow.id < w.id and o.emailed_at is not null
        order by ow.id desc limit 10) o order by o.id) as references
    from notifications n
    join notices w on w.company_id = n.company_id and w.id = n.notice_id
    join companies c on c.id = n.company_id
    join users u on u.company_id = n.company_id and u.id = n.user_id
    join users a on a.company_id = w.company_id and a.id = w.actor_id
    left join invitations i on w.kind = 'invitation' and i.company_id = n.company_id and i.user_id = n.user_id and i.way = 'mailed'
    left join projects p on p.company_id = w.company_id and p.id = w.project_id
    left join files f on w.subject_type = 'file' and f.company_id = w.company_id and f.ref = w.subject_id
    where n.company_id = ${company_id} and n.id = ${notification_id} and n.emailed_at is null and c.sandbox_of is null`)
}
