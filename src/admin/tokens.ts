import sql from 'sql-template-tag'
import Type from 'typebox'
import { forbidden, notFound } from '../domain/errors.ts'
import { page } from '../http/pagination.ts'
import { readId } from '../http/query.ts'
import { Collection, Deleted, Id, Instant, Name, Paging, Single } from '../http/schema.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { findUser } from './users.ts'

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
  find: findUser,
  query: Type.Object(Paging),
  returns: Collection(Token),
  run: ({ db, companyId, query }, user) =>
    page(db, query, {
      columns,
      from: sql`personal_tokens t where t.company_id = ${companyId} and t.user_id = ${user.id}`,
      order: sql`t.id`,
    }),
})

export const createToken = adminEndpoint({
  name: 'create_token',
  since: '1.3.0',
  operation: 'tokens:write',
  who: 'the person',
  audited: true,
  summary: 'Make a personal access token',
  description: 'For oneself, or by the operator. The token is shown in this answer and never again.',
  method: 'POST',
  at: ['/companies/:company/users/:user/tokens'],
  find: findUser,
  body: NewToken,
  status: 201,
  returns: Single(CreatedToken),
  run: async (call, user) => ({ data: await addToken(call, call.companyId, user.id, call.body.name) }),
})

export async function addToken({ db, mint, audit }: AdminCall, companyId: number, userId: number, name: string) {
  const { token, digest, last_four } = mint('svc_')
  const row = await db.one<Type.Static<typeof Token>>(sql`
    insert into personal_tokens as t (company_id, user_id, name, digest, last_four)
    values (${companyId}, ${userId}, ${name}, ${digest}, ${last_four}) returning ${columns}`)
  audit({ target: { type: 'token', id: row.id, name }, changes: { name: null } })
  return { ...row, token }
}

async function findToken(call: AdminCall) {
  const user = await findUser(call)
  const id = readId(call.params.token as string)
  const token =
    id &&
    (await call.db.maybe<{ id: number; name: string }>(sql`
    select id, name from personal_tokens
    where company_id = ${call.companyId} and user_id = ${user.id} and id = ${id} for update`))
  if (!token) throw notFound()
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
      throw forbidden("An owner's token is revoked by an owner or the operator.")
  },
  returns: Deleted({ token: Type.Object({ id: Id(), name: Type.String() }) }),
  async run({ db, companyId, audit }, { id, name }) {
    audit({ target: { type: 'token', id, name } })
    await db.run(sql`delete from personal_tokens where company_id = ${companyId} and id = ${id}`)
    return { data: { deleted: true, token: { id, name } } }
  },
})
