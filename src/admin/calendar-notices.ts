import sql from 'sql-template-tag'
import { forgetCalendar } from '../domain/calendars/calendars.ts'
import { notify } from '../domain/people/notifications.ts'
import type { AdminCall } from './gate.ts'

interface Connection {
  id: number
  url: string
  user_id: number
}

/**
 * Deletes a connection. It is audited, and its person is told: to be told of every connection and disconnection is how people
 * notice one that was not theirs.
 */
export async function disconnect(call: AdminCall, companyId: number, calendar: Connection): Promise<void> {
  call.audit({ target: targetOf(calendar), changes: { deleted_at: null } })
  await forgetCalendar(call.db, companyId, calendar.id)
  await notifyOwner(call, companyId, 'calendar_disconnected', calendar)
}

export async function disconnectAll(call: AdminCall, companyId: number, userId: number): Promise<void> {
  const connected = await call.db.many<Connection>(sql`
    select id, url, user_id from calendars where company_id = ${companyId} and user_id = ${userId} order by id for update`)
  for (const calendar of connected) await disconnect(call, companyId, calendar)
}

/** Audits a new connection, and tells its person. */
export async function noteConnected(call: AdminCall, calendar: Connection): Promise<void> {
  call.audit({ target: targetOf(calendar), changes: { created_at: null } })
  await notifyOwner(call, call.companyId, 'calendar_connected', calendar)
}

/**
 * A notice is stored with the person who caused it. The operator, and somebody who is just signing in, is no such person:
 * then it is the owner of the calendar. The mails do not name anybody.
 */
function notifyOwner(
  { db, enqueue, by }: AdminCall,
  companyId: number,
  kind: 'calendar_connected' | 'calendar_disconnected',
  calendar: Connection,
): Promise<void> {
  const { id, name } = targetOf(calendar)
  const { user_id } = calendar
  return notify(db, enqueue, companyId, by === 'operator' ? user_id : by.id || user_id, {
    kind,
    subject: { type: 'calendar', id: String(id), title: name, project_id: null },
    recipients: [user_id],
  })
}

/** Only the host: the rest of a URL can be a secret. */
export function targetOf({ id, url }: Pick<Connection, 'id' | 'url'>) {
  return { type: 'calendar', id, name: new URL(url).host } as const
}
