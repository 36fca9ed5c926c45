import sql from 'sql-template-tag'
import type { JobPayloads } from '../domain/jobs.ts'
import { composeNotification, type NotificationFacts } from './mail-text.ts'
import type { WorkerParts } from './parts.ts'

interface Pending extends NotificationFacts {
  email: string
  active: boolean
}

/** Mails one stored notification. Run again after a crash, it finds out by `emailed_at` whether there is still something to do. */
export async function mailNotification(
  { db, mailer }: Pick<WorkerParts, 'db' | 'mailer'>,
  { company_id, notification_id }: JobPayloads['mail-notification'],
): Promise<void> {
  if (!mailer) return
  const pending = await db.maybe<Pending>(sql`
    select n.kind, n.subject_title as title, u.name, u.email, u.active, u.language, a.name as actor,
      p.name as project, n.event, c.time_zone, f.scan_finding, f.scan_message
    from notifications n
    join companies c on c.id = n.company_id
    join users u on u.company_id = n.company_id and u.id = n.user_id
    join users a on a.company_id = n.company_id and a.id = n.actor_id
    left join projects p on p.company_id = n.company_id and p.id = n.project_id
    left join files f on n.subject_type = 'file' and f.company_id = n.company_id and f.ref = n.subject_id
    where n.company_id = ${company_id} and n.id = ${notification_id} and n.emailed_at is null`)
  if (!pending?.active) return
  await mailer.send({
    to: pending.email,
    messageId: `<notification-${company_id}-${notification_id}@diwan>`,
    ...composeNotification(pending),
  })
  await db.run(sql`update notifications set emailed_at = now()
                   where company_id = ${company_id} and id = ${notification_id} and emailed_at is null`)
}
