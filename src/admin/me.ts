import sql from 'sql-template-tag'
import Type from 'typebox'
import { Id, Nullable, OneOf, Single } from '../http/schema.ts'
import { adminEndpoint } from './gate.ts'

const Me = Type.Object(
  {
    kind: OneOf(['person', 'operator']),
    user: Nullable(
      Type.Object({
        id: Id(),
        name: Type.String(),
        email: Type.String(),
        role: Type.String(),
        can_manage_api_keys: Type.Boolean(),
      }),
    ),
    company: Nullable(Type.Object({ id: Id(), name: Type.String() })),
  },
  {
    title: 'Me',
    examples: [
      {
        kind: 'person',
        user: { id: 1, name: 'Layla Haddad', email: 'layla@example.com', role: 'owner', can_manage_api_keys: true },
        company: { id: 1, name: 'Najd Trading' },
      },
    ],
  },
)

export const getMe = adminEndpoint({
  name: 'get_me',
  since: '1.4.0',
  operation: 'me:read',
  who: 'everyone',
  summary: 'Who the token belongs to',
  description: 'The person and the company; both are null for the operator.',
  method: 'GET',
  at: ['/me'],
  returns: Single(Me),
  async run({ db, by }) {
    if (by === 'operator') return { data: { kind: by, user: null, company: null } }
    const { id, name, role, can_manage_api_keys } = by
    const { email, company } = await db.one<{ email: string; company: { id: number; name: string } }>(sql`
      select u.email, json_build_object('id', c.id, 'name', c.name) as company
      from users u join companies c on c.id = u.company_id where u.company_id = ${by.company_id} and u.id = ${id}`)
    return { data: { kind: 'person' as const, user: { id, name, email, role, can_manage_api_keys }, company } }
  },
})
