import sql from 'sql-template-tag'
import Type from 'typebox'
import { countUnread } from '../domain/people/seen-notifications.ts'
import { Id, Instant, Nullable, OneOf, Single } from '../http/answers/schema.ts'
import { UMM_AL_QURA } from '../lib/hijri.ts'
import { viewerOf } from './admission.ts'
import type { Identity } from './callers.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { Plan, Role } from './vocabulary.ts'

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
        plan: Plan(),
        rest_api: Type.Boolean({ description: 'Whether the API is switched on; the plan must include it too' }),
        daily_calls: Nullable(Type.Integer({ description: 'Enterprise only; null is unlimited' })),
        sandbox: Type.Boolean({ description: 'True in a sandbox, where nothing is real (since 1.7.0)' }),
      }),
    ),
    unread_notifications: Type.Integer({ description: 'How many notifications you have not read; 0 for the operator' }),
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
        company: {
          id: 1,
          name: 'Najd Trading',
          time_zone: 'Asia/Riyadh',
          second_calendar: null,
          plan: 'productive',
          rest_api: true,
          daily_calls: null,
          sandbox: false,
        },
        unread_notifications: 2,
        may: ['get_me', 'get_company'],
        session: null,
      },
    ],
  },
)
type MeRow = Type.Static<typeof Me>

export async function showMe(call: Pick<AdminCall, 'db' | 'mayCall'>, { by, session }: Identity): Promise<MeRow> {
  const may = call.mayCall(by)
  if (by === 'operator') return { kind: by, user: null, company: null, unread_notifications: 0, may, session }
  const { id, name, email, role, can_manage_api_keys } = by
  const { company } = await call.db.one<{ company: MeRow['company'] }>(sql`
    select json_build_object('id', c.id, 'name', c.name, 'time_zone', c.time_zone,
      'second_calendar', c.second_calendar, 'plan', c.plan, 'rest_api', c.rest_api, 'daily_calls', c.daily_calls,
      'sandbox', c.sandbox_of is not null) as company
    from companies c where c.id = ${by.company_id}`)
  const unread_notifications = await countUnread(call.db, viewerOf({ by, companyId: by.company_id }))
  return {
    kind: 'person',
    user: { id, name, email, role, can_manage_api_keys },
    company,
    unread_notifications,
    may,
    session,
  }
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
