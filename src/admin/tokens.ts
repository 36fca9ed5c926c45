import sql from 'sql-template-tag'
import Type from 'typebox'
import { forbidden, orNotFound } from '../domain/errors.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Deleted, Id, Instant, Name, Paging, Single } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { findUser, underUser } from './users.ts'

const fields = { id: Id(), name: Type.String(), last_four: Type.String(), created_at: Instant() }
const example = { id: 3, name: 'My laptop', last_four: 'x4Qz', created_at: '2026-11-15T08:30:00.000Z' }
const Token = Type.Object(fields, { title: 'PersonalToken', examples: [example] })
export const CreatedToken = Type.Object(
  { ...fields, token: Type.String({ description: 'Shown once' }) },
  { title: 'CreatedPersonalToken', examples: [{ ...example, token: 'svc_…' }] },
)
const NewToken = Type.Object({ name: Name() }, { examples: [{ name: 'My laptop' }] })

const columns = sql`t.id, t.name, t.last_four, t.created_at`

export const listTokens = adminEndpoint({
  name: 'list_tokens',
  since: '1.3.0',
  operation: 'tokens:read',
  who: 'the person or leaders',
  summary: "List a person's access tokens",
  method: 'GET',
  at: ['/companies/:company/users/:user/tokens'],
  query: Type.Object(Paging),
  returns: Collection(Token),
  async run(call) {
    const ofUser = sql`t.company_id = ${call.companyId} and t.user_id = u.id`
    return page(call.db, call.query, {
      under: underUser(call, sql`(select count(*) from personal_tokens t where ${ofUser})`),
      columns,
      from: sql`personal_tokens t where ${ofUser}`,
      order: [ascending(sql`t.id`)],
    })
  },
})

export const createToken = adminEndpoint({
  name: 'create_token',
  since: '1.3.0',
  operation: 'tokens:write',
  who: 'the person',
  audited: true,
  summary: 'Make a personal access token',
  description:
    'People make their own; the operator can make one for anybody. The token is shown in this answer and never again.',
  method: 'POST',
  at: ['/companies/:company/users/:user/tokens'],
  find: findUser,
  body: NewToken,
  status: 201,
  returns: Single(CreatedToken),
  run: async (call, user) => ({ data: await addToken(call, call.companyId, user.id, call.body.name) }),
})

export async function addToken(call: AdminCall, companyId: number, userId: number, name: string) {
  const created = await insertToken(call, companyId, userId, name)
  call.audit({ target: { type: 'token', id: created.id, name }, changes: { name: null } })
  return created
}

/** The first token of a company's owner has no entry of its own in the audit: the company has one. */
export async function insertToken(
  { db, mint }: Pick<AdminCall, 'db' | 'mint'>,
  companyId: number,
  userId: number,
  name: string,
): Promise<Type.Static<typeof CreatedToken>> {
  const { token, digest, last_four } = mint('svc_', companyId)
  const row = await db.one<Type.Static<typeof Token>>(sql`
    insert into personal_tokens as t (company_id, user_id, name, digest, last_four)
    values (${companyId}, ${userId}, ${name}, ${digest}, ${last_four}) returning ${columns}`)
  return { ...row, token }
}

async function findToken(call: AdminCall) {
  const user = await findUser(call)
  const id = requirePathId(call.params.token)
  const token = await orNotFound(
    call.db.maybe<{ id: number; name: string }>(sql`
    select id, name from personal_tokens
    where company_id = ${call.companyId} and user_id = ${user.id} and id = ${id} for update`),
  )
  return { ...token, user }
}

export const deleteToken = adminEndpoint({
  name: 'revoke_token',
  since: '1.3.0',
  operation: 'tokens:destructive',
  who: 'the person or leaders',
  audited: true,
  summary: 'Revoke a personal access token',
  method: 'DELETE',
  at: ['/companies/:company/users/:user/tokens/:token'],
  find: findToken,
  policy({ by }, { user }) {
    const isOthers = by !== 'operator' && by.id !== user.id
    if (isOthers && user.role === 'owner' && by.role !== 'owner')
      throw forbidden("Only an owner or the operator can revoke an owner's token.")
  },
  returns: Deleted({ token: Type.Object({ id: Id(), name: Type.String() }) }),
  async run({ db, companyId, audit }, { id, name }) {
    audit({ target: { type: 'token', id, name } })
    await db.run(sql`delete from personal_tokens where company_id = ${companyId} and id = ${id}`)
    return { data: { deleted: true, token: { id, name } } }
  },
})
