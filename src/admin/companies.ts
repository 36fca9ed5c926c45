import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { assignments } from '../db/assignments.ts'
import type { Db } from '../db/db.ts'
import { SUBSCRIPTIONS } from '../domain/access/caller.ts'
import { PLANS } from '../domain/access/plans.ts'
import { rezoneAllDayEvents } from '../domain/all-day.ts'
import { changesBetween } from '../domain/audit.ts'
import { forbidden, orNotFound, unprocessable } from '../domain/errors.ts'
import { lockForWrite } from '../domain/locks.ts'
import { ascending } from '../http/order.ts'
import { page } from '../http/pagination.ts'
import { Changes, Collection, Email, Id, Instant, Name, Nullable, OneOf, Paging, Single } from '../http/schema.ts'
import { UMM_AL_QURA } from '../lib/hijri.ts'
import { isZone } from '../lib/zoned-time.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { insertToken } from './tokens.ts'
import { addUser } from './users.ts'

const Owner = Type.Object({ id: Id(), name: Type.String(), email: Type.String(), role: Type.String() })

const fields = {
  id: Id(),
  name: Type.String(),
  time_zone: Type.String(),
  plan: OneOf(PLANS),
  rest_api: Type.Boolean(),
  daily_calls: Nullable(Type.Integer()),
  subscription: OneOf(SUBSCRIPTIONS),
  second_calendar: Nullable(OneOf([UMM_AL_QURA])),
  created_at: Instant(),
  closed_at: Nullable(Instant({ description: 'When it was closed; 30 days later it is removed' })),
  owner: Owner,
}
const example = {
  id: 1,
  name: 'Najd Trading',
  time_zone: 'Asia/Riyadh',
  plan: 'productive',
  rest_api: true,
  daily_calls: null,
  subscription: 'active',
  second_calendar: null,
  created_at: '2026-11-15T08:30:00.000Z',
  closed_at: null,
  owner: { id: 1, name: 'Layla Haddad', email: 'layla@example.com', role: 'owner' },
}
export const Company = Type.Object(fields, { title: 'Company', examples: [example] })
const CreatedCompany = Type.Object(
  { ...fields, owner_token: Type.String({ description: "The owner's personal access token, shown once" }) },
  { title: 'CreatedCompany', examples: [{ ...example, owner_token: 'svc_…' }] },
)

const settings = {
  name: Name(),
  time_zone: Name({ maxLength: 64, description: 'An IANA zone', examples: ['Asia/Riyadh'] }),
  plan: OneOf(PLANS),
  rest_api: Type.Optional(Type.Boolean()),
  daily_calls: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Enterprise only; null is unlimited' })),
  ),
  second_calendar: Type.Optional(
    Nullable(OneOf([UMM_AL_QURA], { description: 'A second calendar for the dates in mails; null for none' })),
  ),
}
const NewCompany = Type.Object(
  { ...settings, owner: Type.Object({ name: Name(), email: Email() }) },
  {
    examples: [
      {
        name: 'Najd Trading',
        time_zone: 'Asia/Riyadh',
        plan: 'productive',
        rest_api: true,
        owner: { name: 'Layla Haddad', email: 'layla@example.com' },
      },
    ],
  },
)
const CompanyChanges = Changes(
  Type.Object(
    { ...settings, subscription: OneOf(SUBSCRIPTIONS) },
    { examples: [{ plan: 'advanced', rest_api: true }] },
  ),
)

// The first owner, for a company that has several.
const columns = sql`c.id, c.name, c.time_zone, c.plan, c.rest_api, c.daily_calls, c.subscription, c.second_calendar, c.created_at, c.closed_at,
  (select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role) from users u
   where u.company_id = c.id and u.role = 'owner' order by u.active desc, u.id limit 1) as owner`

export function showCompany({ db }: AdminCall, condition: Sql): Promise<CompanyRow> {
  return orNotFound(db.maybe(sql`select ${columns} from companies c where ${condition}`))
}

type CompanyRow = Type.Static<typeof Company>
const AUDITED: (keyof CompanyRow)[] = [
  'name',
  'time_zone',
  'plan',
  'rest_api',
  'daily_calls',
  'subscription',
  'second_calendar',
]

function auditCompany({ audit }: AdminCall, before: CompanyRow | undefined, company: CompanyRow): void {
  const changes = changesBetween(before, company, AUDITED)
  if (changes) audit({ target: { type: 'company', id: company.id, name: company.name }, changes })
}

function requireZone(zone: string | undefined): void {
  if (zone !== undefined && !isZone(zone))
    throw unprocessable('time_zone', 'must be an IANA time zone such as Asia/Riyadh')
}

export const listCompanies = adminEndpoint({
  name: 'list_companies',
  since: '1.3.0',
  operation: 'companies:read',
  who: 'operator',
  summary: 'List companies',
  method: 'GET',
  at: ['/companies'],
  query: Type.Object(Paging),
  returns: Collection(Company),
  run: ({ db, query }) =>
    page(db, query, { columns, from: sql`companies c where true`, order: [ascending(sql`c.id`)] }),
})

export const createCompany = adminEndpoint({
  name: 'create_company',
  since: '1.3.0',
  operation: 'companies:write',
  who: 'operator',
  audited: true,
  summary: 'Create a company with its owner',
  method: 'POST',
  at: ['/companies'],
  body: NewCompany,
  status: 201,
  returns: Single(CreatedCompany),
  async run(call) {
    const { db, body } = call
    requireZone(body.time_zone)
    const id = await addCompany(db, body)
    const owner = await addUser(db, id, { ...body.owner, role: 'owner', can_manage_api_keys: true })
    const { token } = await insertToken(call, id, owner.id, 'Owner token')
    const company = await showCompany(call, sql`c.id = ${id}`)
    auditCompany(call, undefined, company)
    return { data: { ...company, owner_token: token } }
  },
})

/** It has nobody yet: whoever adds a company adds its owner too. */
export async function addCompany(db: Db, company: Omit<Type.Static<typeof NewCompany>, 'owner'>): Promise<number> {
  const { name, time_zone, plan, rest_api = false, daily_calls = null, second_calendar = null } = company
  const { id } = await db.one<{ id: number }>(sql`
    insert into companies (name, time_zone, plan, rest_api, daily_calls, second_calendar)
    values (${name}, ${time_zone}, ${plan}, ${rest_api}, ${daily_calls}, ${second_calendar}) returning id`)
  return id
}

export const getCompany = adminEndpoint({
  name: 'get_company',
  since: '1.3.0',
  operation: 'companies:read',
  who: 'leaders',
  summary: 'Get a company',
  method: 'GET',
  at: ['/companies/:company'],
  returns: Single(Company),
  run: async call => ({ data: await showCompany(call, sql`c.id = ${call.companyId}`) }),
})

export async function findCompany(call: AdminCall): Promise<CompanyRow> {
  await lockForWrite(call, sql`select from companies where id = ${call.companyId} for no key update`)
  return showCompany(call, sql`c.id = ${call.companyId}`)
}

const OPERATORS_OWN = ['plan', 'rest_api', 'daily_calls', 'subscription'] as const

export const updateCompany = adminEndpoint({
  name: 'update_company',
  since: '1.3.0',
  operation: 'companies:write',
  who: 'leaders',
  audited: true,
  summary: 'Update a company',
  description: 'Plan, flag, allowance and subscription are for the operator only.',
  method: 'PATCH',
  at: ['/companies/:company'],
  find: findCompany,
  body: CompanyChanges,
  returns: Single(Company),
  async run(call, before) {
    const { db, companyId, by, body } = call
    const reserved = OPERATORS_OWN.find(field => body[field] !== undefined)
    if (reserved && by !== 'operator') throw forbidden(`${reserved} is for the operator only.`)
    requireZone(body.time_zone)
    const changes = assignments(body)
    if (changes) await db.run(sql`update companies set ${changes} where id = ${companyId}`)
    if (body.time_zone !== undefined) await rezoneAllDayEvents(db, companyId, body.time_zone)
    const company = await showCompany(call, sql`c.id = ${companyId}`)
    auditCompany(call, before, company)
    return { data: company }
  },
})
