import sql from 'sql-template-tag'
import Type from 'typebox'
import { forbidden, orNotFound } from '../domain/errors.ts'
import { linkName } from '../domain/people/sign-in-links.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Deleted, Id, Instant, Nullable, Paging } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { findUser, underUser } from './users.ts'

const SignInLink = Type.Object(
  {
    id: Id(),
    issuer: Type.String({ description: 'The identity provider' }),
    subject: Type.String({ description: 'Its name for the account' }),
    email: Nullable(Type.String({ description: 'As it was told at the last sign-in' })),
    created_at: Instant(),
    last_used_at: Instant({ description: 'The last sign-in' }),
  },
  {
    title: 'SignInLink',
    examples: [
      {
        id: 2,
        issuer: 'https://id.example.com/realms/staff',
        subject: '7d0f2c4e-8f5c-4c1e-9a0b-3f6f1f0f6a11',
        email: 'layla@example.com',
        created_at: '2026-11-15T08:30:00.000Z',
        last_used_at: '2026-11-16T06:12:00.000Z',
      },
    ],
  },
)

export const listSignInLinks = adminEndpoint({
  name: 'list_sign_in_links',
  since: '1.7.0',
  operation: 'sign_in_links:read',
  who: 'the person or leaders',
  summary: "List a person's accounts at the identity provider",
  description: 'A link is made when somebody signs in to the console with the identity provider for the first time.',
  method: 'GET',
  at: ['/companies/:company/users/:user/sign-in-links'],
  query: Type.Object(Paging),
  returns: Collection(SignInLink),
  run(call) {
    const ofUser = sql`sign_in_links l where l.company_id = ${call.companyId} and l.user_id = u.id`
    return page<Type.Static<typeof SignInLink>>(call.db, call.query, {
      under: underUser(call, sql`(select count(*) from ${ofUser})`),
      columns: sql`l.id, l.issuer, l.subject, l.email, l.created_at, l.last_used_at`,
      from: ofUser,
      order: [ascending(sql`l.id`)],
    })
  },
})

async function findLink(call: AdminCall) {
  const user = await findUser(call)
  const id = requirePathId(call.params.link)
  const link = await orNotFound(
    call.db.maybe<{ id: number; name: string }>(sql`
      select l.id, ${linkName} as name from sign_in_links l
      where l.company_id = ${call.companyId} and l.user_id = ${user.id} and l.id = ${id} for update`),
  )
  return { ...link, user }
}

export const deleteSignInLink = adminEndpoint({
  name: 'delete_sign_in_link',
  since: '1.7.0',
  operation: 'sign_in_links:destructive',
  who: 'the person or leaders',
  audited: true,
  summary: 'Undo a link with the identity provider',
  description:
    "Its sessions end. The next sign-in with the provider makes a new link if the account's verified address is the person's.",
  method: 'DELETE',
  at: ['/companies/:company/users/:user/sign-in-links/:link'],
  find: findLink,
  policy({ by }, { user }) {
    const isOthers = by !== 'operator' && by.id !== user.id
    if (isOthers && user.role === 'owner' && by.role !== 'owner')
      throw forbidden("Only an owner or the operator can undo an owner's link.")
  },
  returns: Deleted({ sign_in_link: Type.Object({ id: Id() }) }),
  async run({ db, companyId, audit }, { id, name }) {
    audit({ target: { type: 'sign_in_link', id, name } })
    await db.run(sql`delete from sign_in_links where company_id = ${companyId} and id = ${id}`)
    return { data: { deleted: true, sign_in_link: { id } } }
  },
})
