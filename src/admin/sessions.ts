import sql from 'sql-template-tag'
import Type from 'typebox'
import { forbidden, orNotFound } from '../domain/errors.ts'
import { isLive, userOfSession } from '../domain/people/console-sessions.ts'
import { linkName } from '../domain/people/sign-in-links.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Deleted, Id, Instant, Nullable, Paging } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { findUser, underUser } from './users.ts'

export const SessionInList = Type.Object(
  {
    id: Id(),
    created_at: Instant(),
    last_used_at: Instant({ description: 'To the minute' }),
    expires_at: Instant(),
    user_agent: Nullable(Type.String({ description: 'What the browser says that it is' })),
    address: Type.String({ description: 'The address from which it was begun' }),
    token: Nullable(
      Type.Object(
        { id: Id(), name: Type.String() },
        { description: 'The token it was begun with; null for the operator and with the identity provider' },
      ),
    ),
    sign_in_link: Nullable(
      Type.Object(
        { id: Id(), issuer: Type.String(), email: Nullable(Type.String()) },
        { description: 'The link with the identity provider, if it was begun there' },
      ),
    ),
    current: Type.Boolean({ description: 'True for the session that this request came with' }),
  },
  {
    title: 'Session',
    examples: [
      {
        id: 4,
        created_at: '2026-11-15T08:30:00.000Z',
        last_used_at: '2026-11-15T09:12:00.000Z',
        expires_at: '2026-11-15T20:30:00.000Z',
        user_agent: 'Mozilla/5.0',
        address: '192.0.2.7',
        token: { id: 3, name: 'My laptop' },
        sign_in_link: null,
        current: true,
      },
    ],
  },
)
export const EndedSession = Deleted({ session: Type.Object({ id: Id() }) })

/** The columns of the session `s`, for whoever calls. */
export const columnsFor = ({ session }: AdminCall) => sql`
  s.id, s.created_at, s.last_used_at, s.expires_at, s.user_agent, s.address, s.id = ${session?.id ?? 0} as current,
  (select json_build_object('id', t.id, 'name', t.name) from personal_tokens t
   where t.company_id = s.company_id and t.id = s.token_id) as token,
  (select json_build_object('id', l.id, 'issuer', l.issuer, 'email', l.email) from sign_in_links l
   where l.company_id = s.company_id and l.id = s.link_id) as sign_in_link`

/** Ends a session and, if it is the caller's own, makes the browser forget it. */
export async function endSession(call: AdminCall, companyId: number, id: number) {
  const { name } = await orNotFound(
    call.db.maybe<{ name: string }>(sql`
      delete from console_sessions s where s.company_id = ${companyId} and s.id = ${id} and ${isLive}
      returning coalesce(
        (select t.name from personal_tokens t where t.company_id = s.company_id and t.id = s.token_id),
        (select ${linkName} from sign_in_links l where l.company_id = s.company_id and l.id = s.link_id), 'operator') as name`),
  )
  call.audit({ target: { type: 'session', id, name } })
  if (id === call.session?.id) call.byBody.setCookie(null)
  return { data: { deleted: true, session: { id } } }
}

export const endCurrentSession = adminEndpoint({
  name: 'end_current_session',
  since: '1.6.0',
  operation: 'sessions:destructive',
  who: 'everyone',
  audited: true,
  summary: 'Sign out of the console',
  description: 'Ends the session whose cookie the request came with. A request with a token has none: 404.',
  method: 'DELETE',
  at: ['/sessions/current'],
  find: ({ session }) => orNotFound(Promise.resolve(session ?? undefined)),
  returns: EndedSession,
  run: (call, { id }) => endSession(call, call.by === 'operator' ? 0 : call.by.company_id, id),
})

export const listSessions = adminEndpoint({
  name: 'list_sessions',
  since: '1.6.0',
  operation: 'sessions:read',
  who: 'the person or leaders',
  summary: "List a person's sessions",
  description: 'The sessions of the console that have not ended.',
  method: 'GET',
  at: ['/companies/:company/users/:user/sessions'],
  query: Type.Object(Paging),
  returns: Collection(SessionInList),
  async run(call) {
    const ofUser = sql`console_sessions s where s.company_id = ${call.companyId} and ${isLive} and (
      s.token_id in (select t.id from personal_tokens t where t.company_id = ${call.companyId} and t.user_id = u.id) or
      s.link_id in (select l.id from sign_in_links l where l.company_id = ${call.companyId} and l.user_id = u.id))`
    return page<Type.Static<typeof SessionInList>>(call.db, call.query, {
      under: underUser(call, sql`(select count(*) from ${ofUser})`),
      columns: columnsFor(call),
      from: ofUser,
      order: [ascending(sql`s.id`)],
    })
  },
})

async function findSession(call: AdminCall) {
  const user = await findUser(call)
  const id = requirePathId(call.params.session)
  const session = await orNotFound(
    call.db.maybe<{ id: number }>(sql`
      select s.id from console_sessions s
      where s.company_id = ${call.companyId} and s.id = ${id} and ${userOfSession} = ${user.id}`),
  )
  return { ...session, user }
}

export const deleteSession = adminEndpoint({
  name: 'end_session',
  since: '1.6.0',
  operation: 'sessions:destructive',
  who: 'the person or leaders',
  audited: true,
  summary: "End a person's session",
  method: 'DELETE',
  at: ['/companies/:company/users/:user/sessions/:session'],
  find: findSession,
  policy({ by }, { user }) {
    const isOthers = by !== 'operator' && by.id !== user.id
    if (isOthers && user.role === 'owner' && by.role !== 'owner')
      throw forbidden("Only an owner or the operator can end an owner's session.")
  },
  returns: EndedSession,
  run: (call, { id }) => endSession(call, call.companyId, id),
})
