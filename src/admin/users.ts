import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { assignments } from '../db/assignments.ts'
import type { Db } from '../db/db.ts'
import { type AuditField, changesBetween, type Target } from '../domain/audit.ts'
import { queuePersonChange } from '../domain/calendars/calendars.ts'
import { forbidden, orNotFound, unprocessable } from '../domain/errors.ts'
import { refuseDuplicate } from '../domain/records/uniqueness.ts'
import { page } from '../http/answers/pagination.ts'
import { Changes, Collection, Email, Id, Instant, Name, Nullable, Paging, Single } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { gainsRights, startAfresh } from './fresh-start.ts'
import { type AdminCall, adminEndpoint, mayPromote } from './gate.ts'
import { exampleInvitation, Invitation, invite, sendsMail } from './invite.ts'
import { Language, Role } from './vocabulary.ts'

const fields = {
  id: Id(),
  name: Type.String(),
  email: Type.String(),
  role: Role(),
  can_manage_api_keys: Type.Boolean(),
  active: Type.Boolean(),
  language: Language({ description: 'The language of the person’s mail' }),
  created_at: Instant(),
}
const example = {
  id: 2,
  name: 'يوسف المنصور',
  email: 'yusuf@example.com',
  role: 'member',
  can_manage_api_keys: false,
  active: true,
  language: 'ar',
  created_at: '2026-11-15T08:30:00.000Z',
}
const User = Type.Object(
  {
    ...fields,
    first_token_at: Nullable(
      Instant({ description: 'When the person was first given a token; null until then (since 1.7.0)' }),
    ),
    has_token: Type.Boolean({
      description:
        'Whether the person can sign in, with a token or a linked account of the identity provider: somebody who was invited can from the acceptance on (since 1.7.0)',
    }),
    invited_until: Nullable(
      Instant({
        description:
          'While the person has no token: when the latest invitation expires, or has expired. Null when there is none (since 1.7.0)',
      }),
    ),
  },
  {
    title: 'User',
    examples: [{ ...example, first_token_at: '2026-11-15T09:10:00.000Z', has_token: true, invited_until: null }],
  },
)
const CreatedUser = Type.Object(
  { ...fields, invitation: Nullable(Invitation) },
  { title: 'CreatedUser', examples: [{ ...example, invitation: exampleInvitation }] },
)
const UpdatedUser = Type.Object(
  { ...fields, invitation: Nullable(Invitation) },
  { title: 'UpdatedUser', examples: [{ ...example, invitation: null }] },
)
type UserRow = Omit<Type.Static<typeof User>, 'has_token' | 'invited_until'>

const NewUser = Type.Object(
  {
    name: Name(),
    email: Email(),
    role: Type.Optional(Role({ description: 'Default member' })),
    can_manage_api_keys: Type.Optional(Type.Boolean()),
    active: Type.Optional(Type.Boolean()),
    language: Type.Optional(Language({ description: 'Default: the language of the company' })),
  },
  { examples: [{ name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'member' }] },
)

const columns = sql`u.id, u.name, u.email, u.role, u.can_manage_api_keys, u.active, u.language, u.created_at, u.first_token_at`
const hasToken = sql`(
  exists (select from personal_tokens t where t.company_id = u.company_id and t.user_id = u.id)
  or exists (select from sign_in_links l where l.company_id = u.company_id and l.user_id = u.id))`
/** What readers see: also whether the person has come in yet. */
const shownColumns = sql`${columns}, ${hasToken} as has_token,
  (select max(i.expires_at) from invitations i
   where i.company_id = u.company_id and i.user_id = u.id and not ${hasToken}) as invited_until`
const AUDITED: (keyof UserRow & AuditField)[] = ['name', 'email', 'role', 'can_manage_api_keys', 'active', 'language']

/** People type a word or two to find somebody. */
const LONGEST_QUESTION = 255

/** The condition that `u` is the person that the URL names. */
const isUser = ({ companyId, params }: AdminCall) =>
  sql`u.company_id = ${companyId} and u.id = ${requirePathId(params.user)}`

/** For a write, the gate has already locked the person. */
export async function findUser(call: AdminCall): Promise<UserRow> {
  return orNotFound(call.db.maybe<UserRow>(sql`select ${columns} from users u where ${isUser(call)}`))
}

/** The person that the URL names, for what is listed under them. */
export function underUser(call: AdminCall, total: Sql) {
  return { from: sql`users u`, where: isUser(call), total }
}

type PersonFound = Pick<UserRow, 'id' | 'name' | 'email' | 'role'>

/** The first active person of the company who meets a condition on `u`; 422 when there is none. */
export async function requireActivePerson(
  { db, companyId }: AdminCall,
  field: string,
  condition: Sql,
): Promise<PersonFound> {
  const person = await db.maybe<PersonFound>(sql`
    select u.id, u.name, u.email, u.role from users u
    where u.company_id = ${companyId} and u.active and ${condition} order by u.id limit 1`)
  if (!person) throw unprocessable(field, 'must be the id of an active person of the company')
  return person
}

export const listUsers = adminEndpoint({
  name: 'list_users',
  since: '1.3.0',
  operation: 'users:read',
  who: 'leaders',
  summary: 'List the people of a company',
  method: 'GET',
  at: ['/companies/:company/users'],
  description:
    '`q` finds people by part of their name, with the same spelling rules as search, or of their e-mail address.',
  query: Type.Object({
    q: Type.Optional(Type.String({ description: 'Part of the name or of the e-mail address' })),
    ...Paging,
  }),
  returns: Collection(User),
  run: ({ db, companyId, query }) =>
    page(db, query, {
      columns: shownColumns,
      from: sql`users u where u.company_id = ${companyId} ${isCalled(query.q)}`,
      order: [ascending(sql`u.id`)],
    }),
})

/** As search normalises it, a name has no character that is special to LIKE; an email address can have one. */
function isCalled(q = ''): Sql {
  const wanted = q.trim().slice(0, LONGEST_QUESTION)
  if (wanted === '') return empty
  const name = sql`search_name(${wanted})`
  return sql`and (${name} <> '' and search_name(u.name) like '%' || ${name} || '%'
    or strpos(lower(u.email), lower(${wanted})) > 0)`
}

export const getUser = adminEndpoint({
  name: 'get_user',
  since: '1.4.0',
  operation: 'users:read',
  who: 'leaders',
  summary: 'Get a person',
  method: 'GET',
  at: ['/companies/:company/users/:user'],
  returns: Single(User),
  run: async call => ({
    data: await orNotFound(
      call.db.maybe<Type.Static<typeof User>>(sql`select ${shownColumns} from users u where ${isUser(call)}`),
    ),
  }),
})

export const createUser = adminEndpoint({
  name: 'create_user',
  since: '1.3.0',
  operation: 'users:write',
  who: 'leaders',
  audited: true,
  summary: 'Add a person',
  description:
    'Only an owner or the operator can give a role other than member, or the right to manage API keys. The person is invited: if mail is set up, a code is mailed; another one is shown in this answer and never again, unless mail is set up and the person is more than a plain member. People who are added as inactive are not invited.',
  method: 'POST',
  at: ['/companies/:company/users'],
  body: NewUser,
  status: 201,
  returns: Single(CreatedUser),
  async run(call) {
    const { db, companyId, by, audit, body } = call
    const { role = 'member', can_manage_api_keys = false, active = true } = body
    if ((role !== 'member' || can_manage_api_keys) && !mayPromote(by))
      throw forbidden('Only an owner or the operator can give somebody a role other than member.')
    const user = await addUser(db, companyId, body)
    const invitation = active ? await invite(call, user) : null
    const changes = changesBetween<UserRow>(undefined, user, AUDITED)
    audit({ target: targetOf(user), changes: { ...changes, ...(invitation && { invitation: null }) } })
    return { data: { ...user, invitation } }
  },
})

const EMAIL_IS_TAKEN = 'is already used by another person of the company'

export function addUser(db: Db, companyId: number, user: Type.Static<typeof NewUser>): Promise<UserRow> {
  const { name, email, role = 'member', can_manage_api_keys = false, active = true, language } = user
  const added = db.one<UserRow>(sql`
    insert into users as u (company_id, name, email, role, can_manage_api_keys, active, language)
    values (${companyId}, ${name}, ${email}, ${role}, ${can_manage_api_keys}, ${active},
      coalesce(${language}, (select language from companies where id = ${companyId}))) returning ${columns}`)
  return refuseDuplicate(added, 'email', EMAIL_IS_TAKEN)
}

export const updateUser = adminEndpoint({
  name: 'update_user',
  since: '1.3.0',
  operation: 'users:write',
  who: 'leaders',
  audited: true,
  summary: 'Update a person',
  description:
    'Only an owner or the operator can change roles, the right to manage API keys, the e-mail address of somebody who has it, or anything about an owner. Where people sign in with an identity provider, so is the e-mail address of somebody who has signed in before, and that of another owner is for the operator. Changing the role, the right, the e-mail address or `active` cancels an open invitation. A higher role, the right or another e-mail address ends every token, session and link with the identity provider that the person has, except the one that the call comes with. If that ends any, an owner or the operator invites the person again with the same call.',
  method: 'PATCH',
  at: ['/companies/:company/users/:user'],
  find: findUser,
  body: Changes(NewUser),
  returns: Single(UpdatedUser),
  async run(call, user) {
    const { db, enqueue, companyId, audit, body } = call
    requireMayChange(call, user)
    const changes = assignments(body)
    if (!changes) return { data: { ...user, invitation: null } }
    const saved = await refuseDuplicate(
      db.one<UserRow>(
        sql`update users u set ${changes} where u.company_id = ${companyId} and u.id = ${user.id} returning ${columns}`,
      ),
      'email',
      EMAIL_IS_TAKEN,
    )
    await requireOwner(db, companyId, body.active === false ? 'active' : 'role')
    await queuePersonChange(db, enqueue, companyId, user, saved)
    const audited = changesBetween(user, saved, AUDITED)
    if (audited) audit({ target: targetOf(saved), changes: audited })
    const isAnother = saved.email !== user.email || gainsRights(user, saved)
    const ended = isAnother ? await startAfresh(call, companyId, user.id) : 0
    return { data: { ...saved, invitation: ended > 0 ? await letBackIn(call, user, saved) : null } }
  },
})

function requireMayChange(call: AdminCall & { body: Partial<UserRow> }, user: UserRow): void {
  const { by, body, identityProvider } = call
  const changed = { ...user, ...body }
  const isReaddressed = changed.email !== user.email && by !== 'operator' && by.id !== user.id
  // With the identity provider, whoever has the new address is this person: the same rules as for another invitation.
  if (identityProvider && isReaddressed && user.first_token_at !== null) {
    if (user.role === 'owner')
      throw forbidden('Only the operator can change the address of another owner who has signed in.')
    if (!mayPromote(by))
      throw forbidden('Only an owner or the operator can change the address of somebody who has signed in.')
  }
  if (mayPromote(by)) return
  const promotes = changed.role !== user.role || changed.can_manage_api_keys !== user.can_manage_api_keys
  if (promotes) throw forbidden('Only an owner or the operator can change roles.')
  if (user.role === 'owner') throw forbidden('Only an owner or the operator can change the account of an owner.')
  // Invitation codes are mailed to this address, so whoever changes it could sign in as this person.
  if (user.can_manage_api_keys && isReaddressed)
    throw forbidden('Only an owner or the operator can change the address of somebody who manages API keys.')
}

/**
 * A new invitation for somebody whose tokens have just ended. Its code is shown to the caller or mailed to an address that
 * the caller may have set, and with it the caller could sign in as that person. So an owner does not get one for another
 * owner, unless the person has just become one and the code is mailed.
 */
async function letBackIn(call: AdminCall, before: UserRow, after: UserRow) {
  const { by } = call
  if (!mayPromote(by) || !after.active) return null
  const isOwners = before.role === 'owner' || (after.role === 'owner' && !(await sendsMail(call)))
  if (by !== 'operator' && (by.id === after.id || isOwners)) return null
  const invitation = await invite(call, after)
  call.audit({ target: targetOf(after), changes: { invitation: null } })
  return invitation
}

export function targetOf({ id, name }: { id: number; name: string }): Target {
  return { type: 'user', id, name }
}

/**
 * Nobody could manage a company without an owner. People who give up that role wait for one another here, at the company's row,
 * and count afterwards: so two cannot leave at once.
 */
async function requireOwner(db: Db, companyId: number, field: string): Promise<void> {
  await db.run(sql`select from companies where id = ${companyId} for no key update`)
  const owner = await db.maybe(
    sql`select 1 from users where company_id = ${companyId} and role = 'owner' and active limit 1`,
  )
  if (!owner) throw unprocessable(field, "can't change: a company needs at least one active owner")
}
