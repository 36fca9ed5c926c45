import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { CALENDAR_STATES, passwordPurpose, queueConnectedCalendar, queueOwed } from '../domain/calendars/calendars.ts'
import { forbidden, orNotFound, unprocessable } from '../domain/errors.ts'
import { type CalendarAccess, CalendarError } from '../domain/ports/calendar-server.ts'
import { lockForWrite } from '../domain/records/locks.ts'
import { refuseDuplicate } from '../domain/records/uniqueness.ts'
import { page } from '../http/answers/pagination.ts'
import {
  Changes,
  Collection,
  Deleted,
  Id,
  Instant,
  Name,
  Nullable,
  OneOf,
  Paging,
  Sentence,
  Single,
} from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { disconnect, noteConnected, targetOf } from './calendar-notices.ts'
import { type AdminCall, type Administrator, adminEndpoint, isLeader } from './gate.ts'
import { PersonInBrief, personInBrief } from './person.ts'
import { requireActivePerson } from './users.ts'

const Calendar = Type.Object(
  {
    id: Id(),
    user: PersonInBrief,
    url: Type.String(),
    username: Type.String(),
    state: OneOf(CALENDAR_STATES, {
      description: '`failing` when nothing could be sent for more than 24 hours',
    }),
    failing_since: Nullable(
      Instant({ description: 'Since when nothing could be sent; null if the last attempt succeeded' }),
    ),
    last_error: Nullable(Sentence({ description: 'Why the last attempt failed; null if it succeeded' })),
    last_synced_at: Nullable(Instant()),
    created_at: Instant(),
  },
  {
    title: 'Calendar',
    examples: [
      {
        id: 4,
        user: { id: 2, name: 'يوسف المنصور', email: 'yusuf@example.com' },
        url: 'https://calendar.example.com/yusuf/team/',
        username: 'yusuf',
        state: 'connected',
        failing_since: null,
        last_error: null,
        last_synced_at: '2026-11-15T08:30:00.000Z',
        created_at: '2026-11-15T08:29:12.000Z',
      },
    ],
  },
)
type CalendarRow = Type.Static<typeof Calendar>

const credentials = {
  username: Name(),
  password: Type.String({ maxLength: 1_024, description: 'Stored encrypted and never shown' }),
}

const Credentials = Changes(Type.Object(credentials, { examples: [{ password: 'a new app password' }] }))

const NewCalendar = Type.Object(
  {
    user_id: Type.Optional(Id({ description: 'Whose calendar it is; default the caller' })),
    url: Type.String({
      maxLength: 2_048,
      format: 'uri',
      description: 'The address of the calendar itself, http or https',
    }),
    ...credentials,
  },
  {
    examples: [{ url: 'https://calendar.example.com/yusuf/team/', username: 'yusuf', password: 'an app password' }],
  },
)

const columns = sql`c.id, ${personInBrief} as user, c.url, c.username, c.state,
  c.failing_since, c.last_error, c.last_synced_at, c.created_at`
const calendars = (companyId: number) =>
  sql`calendars c join users u on u.company_id = c.company_id and u.id = c.user_id where c.company_id = ${companyId}`

/** Whoever chooses where the events of a person go can read them, private ones too. So leaders may only disconnect. */
function mayConnect(by: Administrator, userId: number): boolean {
  return by === 'operator' || by.id === userId
}

function mayDisconnect(by: Administrator, userId: number): boolean {
  return by === 'operator' || isLeader(by) || by.id === userId
}

function showCalendar({ db, companyId }: AdminCall, condition: Sql): Promise<CalendarRow> {
  return orNotFound(db.maybe<CalendarRow>(sql`select ${columns} from ${calendars(companyId)} and ${condition}`))
}

async function findCalendar(call: AdminCall): Promise<CalendarRow> {
  const { companyId, params } = call
  const id = requirePathId(params.calendar)
  await lockForWrite(call, sql`select from calendars where company_id = ${companyId} and id = ${id} for update`)
  return showCalendar(call, sql`c.id = ${id}`)
}

export const listCalendars = adminEndpoint({
  name: 'list_calendars',
  since: '1.3.0',
  operation: 'calendars:read',
  who: 'everyone',
  summary: 'List connected calendars',
  description: 'Members see their own; owners, managers and the operator see everyone’s.',
  method: 'GET',
  at: ['/companies/:company/calendars'],
  query: Type.Object(Paging),
  returns: Collection(Calendar),
  run: ({ db, companyId, by, query }) =>
    page(db, query, {
      columns,
      from: sql`${calendars(companyId)} ${by === 'operator' || isLeader(by) ? empty : sql`and c.user_id = ${by.id}`}`,
      order: [ascending(sql`c.id`)],
    }),
})

export const connectCalendar = adminEndpoint({
  name: 'connect_calendar',
  since: '1.3.0',
  operation: 'calendars:write',
  who: 'everyone',
  audited: true,
  summary: "Connect a person's calendar",
  description:
    'People connect their own; the operator can connect anybody’s. The person is told. A calendar on a CalDAV server. The connection is tried first: an address that does not answer, is not allowed, is not a calendar or refuses the credentials is 422. The person’s upcoming events are added to it.',
  method: 'POST',
  at: ['/companies/:company/calendars'],
  body: NewCalendar,
  async prepare(call) {
    await requirePerson(call, call.body.user_id)
    return usableUrl(call, call.body)
  },
  status: 201,
  returns: Single(Calendar),
  async run(call) {
    const { db, companyId, enqueue, encryption, body, prepared: url } = call
    // Checked again: the server may have taken its time, and the person may no longer be active.
    const userId = await requirePerson(call, body.user_id)
    const password = encryption.encrypt(body.password, passwordPurpose(companyId, userId))
    const { id } = await refuseDuplicate(
      db.one<{ id: number }>(sql`
        insert into calendars (company_id, user_id, url, username, password)
        values (${companyId}, ${userId}, ${url}, ${body.username}, ${password}) returning id`),
      'url',
      'is connected already: a calendar takes one connection',
    )
    await queueConnectedCalendar(db, enqueue, { company_id: companyId, id, user_id: userId, url })
    await noteConnected(call, { id, url, user_id: userId })
    return { data: await showCalendar(call, sql`c.id = ${id}`) }
  },
})

async function requirePerson(call: AdminCall, wanted: number | undefined): Promise<number> {
  const { by } = call
  const userId = wanted ?? (by === 'operator' ? null : by.id)
  if (userId !== null && !mayConnect(by, userId)) throw forbidden('You can connect only your own calendar.')
  return (await requireActivePerson(call, 'user_id', sql`u.id = ${userId}`)).id
}

/** The URL under which a calendar that answers is to be used; 422 for one that does not answer. */
function usableUrl(
  { calendarServer, companyId }: AdminCall,
  access: Omit<CalendarAccess, 'company_id'>,
): Promise<string> {
  return calendarServer.check({ ...access, company_id: companyId }).catch(error => {
    throw error instanceof CalendarError ? unprocessable(error.field, error.problem) : error
  })
}

export const updateCalendar = adminEndpoint({
  name: 'update_calendar',
  since: '1.4.0',
  operation: 'calendars:write',
  who: 'everyone',
  audited: true,
  summary: 'Change the credentials of a connection',
  description:
    'The new credentials are tried first: if the calendar refuses them, the answer is 422 and the old ones stay. Changes that could not be sent in the meantime follow at once.',
  method: 'PATCH',
  at: ['/companies/:company/calendars/:calendar'],
  find: findCalendar,
  policy({ by }, { user }) {
    if (!mayConnect(by, user.id)) throw forbidden('You can change only your own calendar connection.')
  },
  body: Credentials,
  async prepare(call, calendar) {
    if (Object.keys(call.body).length === 0) return undefined
    const { username = calendar.username, password = await storedPassword(call, calendar) } = call.body
    await usableUrl(call, { url: calendar.url, username, password })
    return { username, password }
  },
  returns: Single(Calendar),
  async run(call, calendar) {
    const { db, companyId, enqueue, encryption, audit, prepared } = call
    if (!prepared) return { data: calendar }
    const { id, user } = calendar
    const password = encryption.encrypt(prepared.password, passwordPurpose(companyId, user.id))
    // Both are written, even if only one was sent: the server has accepted them together, and somebody else may have changed
    // the other.
    await db.run(sql`
      update calendars set username = ${prepared.username}, password = ${password}, state = 'connected', failing_since = null,
        last_error = null where company_id = ${companyId} and id = ${id}`)
    audit({ target: targetOf(calendar), changes: { credentials: null } })
    await queueOwed(db, enqueue, companyId, sql`c.id = ${id}`)
    return { data: await showCalendar(call, sql`c.id = ${id}`) }
  },
})

async function storedPassword({ db, companyId, encryption }: AdminCall, { id, user }: CalendarRow): Promise<string> {
  const { password } = await orNotFound(
    db.maybe<{ password: Buffer }>(sql`select password from calendars where company_id = ${companyId} and id = ${id}`),
  )
  try {
    return encryption.decrypt(password, passwordPurpose(companyId, user.id))
  } catch {
    throw unprocessable('password', "must be sent too: the stored one can't be read any more")
  }
}

export const disconnectCalendar = adminEndpoint({
  name: 'disconnect_calendar',
  since: '1.3.0',
  operation: 'calendars:destructive',
  who: 'everyone',
  audited: true,
  summary: 'Disconnect a calendar',
  description:
    'Leaders can disconnect the calendars of others too. The person is told. The credentials are deleted at once, so events that are already in the calendar stay there. If the same person connects the same calendar again, it is brought up to date.',
  method: 'DELETE',
  at: ['/companies/:company/calendars/:calendar'],
  find: findCalendar,
  policy({ by }, { user }) {
    if (!mayDisconnect(by, user.id)) throw forbidden('You can disconnect only your own calendar.')
  },
  returns: Deleted({ calendar: Type.Object({ id: Id(), url: Type.String() }) }),
  async run(call, { id, url, user }) {
    await disconnect(call, call.companyId, { id, url, user_id: user.id })
    return { data: { deleted: true, calendar: { id, url } } }
  },
})
