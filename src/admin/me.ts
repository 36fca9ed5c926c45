import sql from 'sql-template-tag'
import Type from 'typebox'
import { Id, Instant, Nullable, OneOf, Single } from '../http/answers/schema.ts'
import { UMM_AL_QURA } from '../lib/hijri.ts'
import type { Identity } from './callers.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { Role } from './vocabulary.ts'

export const Me = Type.Object(
  {
    kind: OneOf(['person', 'operator']),
    user: Nullable(
      Type.Object({
        id: Id(),
        name: Type.String(),
        email: Type.String(),
        role: Role(),
        can_manage_api_keys: Type.Boolean(),
      }),
    ),
    company: Nullable(
      Type.Object({
        id: Id(),
        name: Type.String(),
        time_zone: Type.String(),
        second_calendar: Nullable(OneOf([UMM_AL_QURA])),
      }),
    ),
    may: Type.Array(Type.String(), {
      description: 'The endpoints of the administration that the caller may call in their own company, by name',
    }),
    session: Nullable(
      Type.Object(
        {
          id: Id(),
          created_at: Instant(),
          expires_at: Instant({ description: '12 hours after it began' }),
          idle_until: Instant({ description: 'When it ends unless it is used before' }),
        },
        { description: 'The session of the console that the request came with; null with a token' },
      ),
    ),
  },
  {
    title: 'Me',
    examples: [
      {
        kind: 'person',
        user: { id: 1, name: 'Layla Haddad', email: 'layla@example.com', role: 'owner', can_manage_api_keys: true },
        company: { id: 1, name: 'Najd Trading', time_zone: 'Asia/Riyadh', second_calendar: null },
        may: ['get_me', 'get_company'],
        session: null,
      },
    ],
  },
)
type MeRow = Type.Static<typeof Me>

export async function showMe(call: Pick<AdminCall, 'db' | 'mayCall'>, { by, session }: Identity): Promise<MeRow> {
  const may = call.mayCall(by)
  if (by === 'operator') return { kind: by, user: null, company: null, may, session }
  const { id, name, role, can_manage_api_keys } = by
  const { email, company } = await call.db.one<{ email: string; company: MeRow['company'] }>(sql`
    select u.email, json_build_object('id', c.id, 'name', c.name, 'time_zone', c.time_zone,
      'second_calendar', c.second_calendar) as company
    from users u join companies c on c.id = u.company_id where u.company_id = ${by.company_id} and u.id = ${id}`)
  return { kind: 'person', user: { id, name, email, role, can_manage_api_keys }, company, may, session }
}

export const getMe = adminEndpoint({
  name: 'get_me',
  since: '1.4.0',
  operation: 'me:read',
  who: 'everyone',
  summary: 'Who you are',
  description:
    'The person and the company, which are both null for the operator, and the names of the endpoints that you may call.',
  method: 'GET',
  at: ['/me'],
  returns: Single(Me),
  run: async call => ({ data: await showMe(call, call) }),
})
