import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { assignments } from '../db/assignments.ts'
import type { Db } from '../db/db.ts'
import { type AuditField, changesBetween } from '../domain/audit.ts'
import { forbidden, orNotFound, unprocessable } from '../domain/errors.ts'
import { lockForWrite } from '../domain/records/locks.ts'
import { say } from '../domain/sentences/sentences.ts'
import { rezoneAllDayEvents } from '../domain/time/all-day.ts'
import { Changes, Email, Id, Instant, Name, Nullable, OneOf, Single } from '../http/answers/schema.ts'
import { UMM_AL_QURA } from '../lib/hijri.ts'
import { isZone, localDay } from '../lib/zoned-time.ts'
import { type AdminCall, adminEndpoint, mayPromote } from './gate.ts'
import { insertToken } from './tokens.ts'
import { addUser } from './users.ts'
import { Language, Plan, Role, SubscriptionState } from './vocabulary.ts'

const Owner = Type.Object({ id: Id(), name: Type.String(), email: Type.String(), role: Role() })

const fields = {
  id: Id(),
  name: Type.String(),
  time_zone: Type.String(),
  plan: Plan(),
  rest_api: Type.Boolean(),
  daily_calls: Nullable(Type.Integer()),
  subscription: SubscriptionState(),
  language: Language({ description: 'The language of mail to people who have not chosen one' }),
  second_calendar: Nullable(OneOf([UMM_AL_QURA])),
  require_oidc: Type.Boolean({
    description: 'Whether its people must sign in to the console with the identity provider',
  }),
  created_at: Instant(),
  closed_at: Nullable(Instant({ description: 'When it was closed; 30 days later it is removed' })),
  moved_to: Nullable(
    Type.Integer({ description: 'The cell that it has moved to and that serves it; it is closed here (since 1.7.0)' }),
  ),
  sandbox: Type.Boolean({ description: 'Whether it is the sandbox of another company (since 1.7.0)' }),
  sandbox_of: Nullable(Id({ description: 'The company that it is the sandbox of (since 1.7.0)' })),
  sandbox_id: Nullable(Id({ description: 'Its open sandbox, if it has one (since 1.7.0)' })),
  owner: Owner,
  keys_count: Type.Integer({ description: 'Keys that are neither revoked nor expired' }),
  calls_today: Type.Integer({ description: 'API calls since midnight in the company zone' }),
  cell: Nullable(Type.Integer({ description: 'The cell that it lives in, where there are several (since 1.7.0)' })),
}
export const companyExample = {
  id: 1,
  name: 'Najd Trading',
  time_zone: 'Asia/Riyadh',
  plan: 'productive',
  rest_api: true,
  daily_calls: null,
  subscription: 'active',
  language: 'en',
  second_calendar: null,
  require_oidc: false,
  created_at: '2026-11-15T08:30:00.000Z',
  closed_at: null,
  moved_to: null,
  sandbox: false,
  sandbox_of: null,
  sandbox_id: null,
  owner: { id: 1, name: 'Layla Haddad', email: 'layla@example.com', role: 'owner' },
  keys_count: 3,
  calls_today: 412,
  cell: null,
}
export const Company = Type.Object(fields, { title: 'Company', examples: [companyExample] })
const CreatedCompany = Type.Object(
  { ...fields, owner_token: Type.String({ description: "The owner's personal access token, shown once" }) },
  { title: 'CreatedCompany', examples: [{ ...companyExample, owner_token: 'svc_…' }] },
)

const settings = {
  name: Name(),
  time_zone: Name({ maxLength: 64, description: 'An IANA zone', examples: ['Asia/Riyadh'] }),
  plan: Plan(),
  rest_api: Type.Optional(Type.Boolean()),
  daily_calls: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Enterprise only; null is unlimited' })),
  ),
  language: Type.Optional(Language({ description: 'Of mail to people who are added without one; default en' })),
  second_calendar: Type.Optional(
    Nullable(OneOf([UMM_AL_QURA], { description: 'A second calendar for the dates in mails; null for none' })),
  ),
}
export const NewCompany = Type.Object(
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
    {
      ...settings,
      subscription: SubscriptionState(),
      require_oidc: Type.Boolean({
        description:
          'Whether people must sign in to the console with the identity provider. It has an effect while the operator sets OIDC_REQUIRED; tokens go on working for programs',
      }),
    },
    { examples: [{ plan: 'advanced', rest_api: true }] },
  ),
)

// If a company has several owners, the first.
export const companyColumns = sql`c.id, c.name, c.time_zone, c.plan, c.rest_api, c.daily_calls, c.subscription, c.language, c.second_calendar, c.require_oidc, c.created_at, c.closed_at,
  case when c.moving = 'left' then c.moved_to end as moved_to,
  c.sandbox_of is not null as sandbox, c.sandbox_of,
  (select s.id from companies s where s.sandbox_of = c.id and s.closed_at is null) as sandbox_id,
  (select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role) from users u
   where u.company_id = c.id and u.role = 'owner' order by u.active desc, u.id limit 1) as owner,
  (select count(*) from api_keys k
   where k.company_id = c.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as keys_count,
  (select json_build_object('date', d.local_date, 'calls', d.calls) from calls_by_day d
   where d.company_id = c.id order by d.local_date desc limit 1) as last_day`

type CompanyRow = Type.Static<typeof Company>
/** The current day in a zone is computed here: the database may know other zones. */
export type StoredCompany = Omit<CompanyRow, 'calls_today' | 'cell'> & {
  last_day: { date: string; calls: number } | null
}

export function companyAnswer({ last_day, ...company }: StoredCompany, cell: number | null): CompanyRow {
  const today = localDay(company.time_zone, Date.now()).date
  return { ...company, calls_today: last_day?.date === today ? last_day.calls : 0, cell }
}

export async function showCompany({ db, cell }: AdminCall, condition: Sql): Promise<CompanyRow> {
  const stored = db.maybe<StoredCompany>(sql`select ${companyColumns} from companies c where ${condition}`)
  return companyAnswer(await orNotFound(stored), cell)
}

const AUDITED: (keyof CompanyRow & AuditField)[] = [
  'name',
  'time_zone',
  'plan',
  'rest_api',
  'daily_calls',
  'subscription',
  'language',
  'second_calendar',
  'require_oidc',
]

export function auditCompany({ audit }: AdminCall, before: CompanyRow | undefined, company: CompanyRow): void {
  const changes = changesBetween(before, company, AUDITED)
  if (changes) audit({ target: { type: 'company', id: company.id, name: company.name }, changes })
}

function requireZone(zone: string | undefined): void {
  if (zone !== undefined && !isZone(zone))
    throw unprocessable('time_zone', 'must be an IANA time zone such as Asia/Riyadh')
}

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
    const { id, token } = await addCompanyWithOwner(call, call.body)
    const company = await showCompany(call, sql`c.id = ${id}`)
    auditCompany(call, undefined, company)
    return { data: { ...company, owner_token: token } }
  },
})

/** Returns the token of the owner, which is stored nowhere. */
export async function addCompanyWithOwner(
  call: Pick<AdminCall, 'db' | 'mint'>,
  { owner, ...company }: Type.Static<typeof NewCompany>,
): Promise<{ id: number; token: string }> {
  requireZone(company.time_zone)
  const id = await addCompany(call.db, company)
  const user = await addUser(call.db, id, { ...owner, role: 'owner', can_manage_api_keys: true })
  const { token } = await insertToken(call, id, user.id, 'Owner token')
  return { id, token }
}

type CompanyToAdd = Omit<Type.Static<typeof NewCompany>, 'owner'> &
  Partial<Pick<CompanyRow, 'subscription' | 'sandbox_of'>>

/** The company has no people yet: whoever adds it also adds its owner. */
export async function addCompany(db: Db, company: CompanyToAdd): Promise<number> {
  const {
    name,
    time_zone,
    plan,
    rest_api = false,
    daily_calls = null,
    language = 'en',
    second_calendar = null,
    subscription = 'active',
    sandbox_of = null,
  } = company
  const { id } = await db.one<{ id: number }>(sql`
    insert into companies (name, time_zone, plan, rest_api, daily_calls, language, second_calendar, subscription, sandbox_of)
    values (${name}, ${time_zone}, ${plan}, ${rest_api}, ${daily_calls}, ${language}, ${second_calendar},
      ${subscription}, ${sandbox_of}) returning id`)
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
  description:
    'Plan, flag, allowance and subscription are for the operator only, and `require_oidc` for owners and the operator.',
  method: 'PATCH',
  at: ['/companies/:company'],
  find: findCompany,
  body: CompanyChanges,
  returns: Single(Company),
  async run(call, before) {
    const { db, companyId, by, body } = call
    const reserved = OPERATORS_OWN.find(field => body[field] !== undefined)
    if (reserved && by !== 'operator') throw forbidden(say('{field} is for the operator only.', { field: reserved }))
    if (body.require_oidc !== undefined && !mayPromote(by))
      throw forbidden('Only an owner or the operator can decide how people sign in.')
    requireZone(body.time_zone)
    const changes = assignments(body)
    if (changes) await db.run(sql`update companies set ${changes} where id = ${companyId}`)
    await passTermsOn(call)
    if (body.time_zone !== undefined) await rezoneAllDayEvents(db, companyId, body.time_zone)
    const company = await showCompany(call, sql`c.id = ${companyId}`)
    auditCompany(call, before, company)
    return { data: company }
  },
})

/** What the operator allows a company is also what its sandbox may do: else the sandbox would be a way around it. */
async function passTermsOn({ db, companyId, body }: AdminCall & { body: Type.Static<typeof CompanyChanges> }) {
  const { plan, rest_api, daily_calls, subscription } = body
  const terms = assignments({ plan, rest_api, daily_calls, subscription })
  if (terms) await db.run(sql`update companies set ${terms} where sandbox_of = ${companyId}`)
}
