import sql, { empty, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { assignments } from '../db/assignments.ts'
import { toTimestamp } from '../db/instants.ts'
import { insertKey, keyPrefix, type KeySettings as NewKeySettings } from '../domain/access/keyring.ts'
import { permits, presetOperations, presetRights } from '../domain/access/operations.ts'
import { type AuditField, changesBetween } from '../domain/audit.ts'
import { forbidden, orNotFound, unprocessable } from '../domain/errors.ts'
import { lockForWrite } from '../domain/records/locks.ts'
import { say } from '../domain/sentences/sentences.ts'
import { companyZone } from '../domain/time/company-zone.ts'
import { readTime } from '../domain/time/dates.ts'
import { page } from '../http/answers/pagination.ts'
import { Changes, Collection, Id, Instant, Name, Nullable, Paging, Single } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { type AdminCall, type Administrator, adminEndpoint, mayPromote } from './gate.ts'
import { PersonInBrief, personInBrief } from './person.ts'
import { requireActivePerson } from './users.ts'
import { Access, KeyKind, KeyState, Operation, Right } from './vocabulary.ts'

const KeyInBrief = Type.Object({ id: Id(), name: Type.String(), last_four: Type.String() })

const fields = {
  id: Id(),
  name: Type.String(),
  kind: KeyKind({ description: '`app` for the key of an app that was connected by OAuth (since 1.7.0)' }),
  app_host: Nullable(Type.String({ description: 'Where the app is at home (since 1.7.0)' })),
  access: Access(),
  operations: Type.Array(Operation()),
  rights: Type.Array(Right()),
  last_four: Type.String(),
  expires_at: Nullable(Instant()),
  revoked_at: Nullable(Instant()),
  last_used_at: Nullable(Instant()),
  created_by: PersonInBrief,
  created_at: Instant(),
  replaces: Nullable({ ...KeyInBrief, description: 'The key that was rotated to make this one (since 1.7.0)' }),
  replaced_by: Nullable({
    ...KeyInBrief,
    description: 'The newest key that a rotation of this one made (since 1.7.0)',
  }),
}
const example = {
  id: 5,
  name: 'Reporting',
  kind: 'key',
  app_host: null,
  access: 'read',
  operations: ['account:read', 'projects:read'],
  rights: [],
  last_four: 'k7Qp',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  created_by: { id: 1, name: 'Layla Haddad', email: 'layla@example.com' },
  created_at: '2026-11-15T08:30:00.000Z',
  replaces: { id: 2, name: 'Reporting', last_four: 'x0Lm' },
  replaced_by: null,
}
export const Key = Type.Object(fields, { title: 'Key', examples: [example] })
export const CreatedKey = Type.Object(
  { ...fields, key: Type.String({ description: 'The key itself, shown once' }) },
  { title: 'CreatedKey', examples: [{ ...example, key: 'svc_api_…' }] },
)
export type KeyRow = Type.Static<typeof Key>
const AUDITED: (keyof KeyRow & AuditField)[] = [
  'name',
  'access',
  'operations',
  'rights',
  'expires_at',
  'created_by',
  'revoked_at',
]

export const KeySettings = {
  name: Name(),
  access: Access(),
  operations: Type.Optional(
    Type.Array(Operation(), { description: 'Default: the preset of `access`, which holds nothing destructive' }),
  ),
  rights: Type.Optional(Type.Array(Right(), { description: 'Default: `manage_files` for write access' })),
  expires_at: Type.Optional(
    Nullable(Type.String({ description: 'ISO 8601, not in the past; without an offset in the company zone' })),
  ),
}
const NewKey = Type.Object(
  {
    ...KeySettings,
    created_by: Type.Optional(
      Id({
        description:
          'The person who signs what the key does. By default the caller; for the operator, the owner. Only an owner or the operator can name somebody else.',
      }),
    ),
  },
  { examples: [{ name: 'Reporting', access: 'read' }] },
)
const KeyChanges = Changes(Type.Object(KeySettings, { examples: [{ name: 'Reporting, nightly' }] }))

const keyInBrief = sql`json_build_object('id', o.id, 'name', o.name, 'last_four', o.last_four)`
const columns = sql`k.id, k.name, k.kind, k.app_host, k.access, k.operations, k.rights, k.last_four, k.expires_at, k.revoked_at, k.last_used_at,
  k.created_at, ${personInBrief} as created_by,
  (select ${keyInBrief} from api_keys o where o.company_id = k.company_id and o.id = k.replaces) as replaces,
  (select ${keyInBrief} from api_keys o where o.company_id = k.company_id and o.replaces = k.id
   order by o.id desc limit 1) as replaced_by`
const keys = (companyId: number) => sql`api_keys k join users u on u.company_id = k.company_id and u.id = k.created_by
  where k.company_id = ${companyId}`

export async function findKey(call: AdminCall): Promise<KeyRow> {
  const { companyId, params } = call
  const id = requirePathId(params.key)
  await lockForWrite(call, sql`select from api_keys where company_id = ${companyId} and id = ${id} for no key update`)
  return showKey(call, sql`k.id = ${id}`)
}

export function showKey({ db, companyId }: AdminCall, condition: Sql): Promise<KeyRow> {
  return orNotFound(db.maybe<KeyRow>(sql`select ${columns} from ${keys(companyId)} and ${condition}`))
}

/** A change that changes nothing has no entry. */
export function auditKey({ audit }: AdminCall, before: KeyRow | undefined, key: KeyRow): void {
  const changes = changesBetween(before, key, AUDITED)
  if (changes) audit({ target: { type: 'key', id: key.id, name: key.name }, changes })
}

export function requireWithinScope(access: NewKeySettings['access'], operations: NewKeySettings['operations']): void {
  const beyond = operations.filter(operation => !permits(access, operation))
  if (beyond.length > 0)
    throw unprocessable(
      'operations',
      say("can't include {operations} with {access} access", { operations: beyond.join(', '), access }),
    )
}

async function requireSignature(call: AdminCall, userId: number | undefined): Promise<number> {
  const { by } = call
  if (userId === undefined && by !== 'operator') return by.id
  if (userId !== undefined) requireMaySignAs(by, userId)
  const condition = userId === undefined ? sql`u.role = 'owner'` : sql`u.id = ${userId}`
  return (await requireActivePerson(call, 'created_by', condition)).id
}

/** A key signs what it does: only an owner or the operator may create one that signs as somebody else. */
export function requireMaySignAs(by: Administrator, userId: number): void {
  if (!mayPromote(by) && by.id !== userId)
    throw forbidden('Only an owner or the operator can make a key that signs as somebody else.')
}

/**
 * It is shown in UTC, where the last hours of 9999 in zones to the west are already in the year 10000, which few programs can
 * read.
 */
const LAST_EXPIRY = Date.parse('9999-12-31T23:59:59.999Z')

/** A time without an offset is read in the company zone. One in the past would make a dead key, or be a way to revoke. */
export async function readExpiry(
  { db, companyId }: AdminCall,
  text: string | null | undefined,
): Promise<string | null | undefined> {
  if (text === null || text === undefined) return text
  const { at } = readTime('expires_at', text, await companyZone(db, companyId))
  if (at <= Date.now()) throw unprocessable('expires_at', "can't be in the past")
  return toTimestamp(Math.min(at, LAST_EXPIRY))
}

/** A revoked key stays revoked, even if it would have expired since. */
const state = sql`case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'live' end`

export const listKeys = adminEndpoint({
  name: 'list_keys',
  since: '1.3.0',
  operation: 'keys:read',
  who: 'key administrators',
  summary: 'List API keys',
  description: '`state` selects keys that work, that have expired, or that were revoked.',
  method: 'GET',
  at: ['/companies/:company/keys'],
  query: Type.Object({ state: Type.Optional(KeyState()), ...Paging }),
  returns: Collection(Key),
  run: ({ db, companyId, query }) =>
    page(db, query, {
      columns,
      from: sql`${keys(companyId)} ${query.state ? sql`and ${state} = ${query.state}` : empty}`,
      order: [ascending(sql`k.id`)],
    }),
})

export const getKey = adminEndpoint({
  name: 'get_key',
  since: '1.4.0',
  operation: 'keys:read',
  who: 'key administrators',
  summary: 'Get an API key',
  method: 'GET',
  at: ['/companies/:company/keys/:key'],
  find: findKey,
  returns: Single(Key),
  run: async (_call, key) => ({ data: key }),
})

export const createKey = adminEndpoint({
  name: 'create_key',
  since: '1.3.0',
  operation: 'keys:write',
  who: 'key administrators',
  audited: true,
  summary: 'Make an API key',
  description: 'The key is shown in this answer and never again: only a digest of it is stored.',
  method: 'POST',
  at: ['/companies/:company/keys'],
  body: NewKey,
  status: 201,
  returns: Single(CreatedKey),
  async run(call) {
    const { body } = call
    const { name, access, operations = presetOperations(access), rights = presetRights(access) } = body
    requireWithinScope(access, operations)
    const created_by = await requireSignature(call, body.created_by)
    const expires_at = (await readExpiry(call, body.expires_at)) ?? null
    return { data: await addKey(call, { name, access, operations, rights, expires_at, created_by }) }
  },
})

export async function addKey(call: AdminCall, settings: NewKeySettings): Promise<Type.Static<typeof CreatedKey>> {
  const { db, companyId, mint } = call
  const operations = unique(settings.operations)
  const rights = unique(settings.rights)
  const minted = mint(await keyPrefix(db, companyId), companyId)
  const id = await insertKey(db, companyId, minted, { ...settings, operations, rights })
  const key = await showKey(call, sql`k.id = ${id}`)
  auditKey(call, undefined, key)
  return { ...key, key: minted.token }
}

export const updateKey = adminEndpoint({
  name: 'update_key',
  since: '1.3.0',
  operation: 'keys:write',
  who: 'key administrators',
  audited: true,
  summary: 'Update an API key',
  method: 'PATCH',
  at: ['/companies/:company/keys/:key'],
  find: findKey,
  body: KeyChanges,
  returns: Single(Key),
  async run(call, key) {
    const { db, companyId, body } = call
    requireWithinScope(body.access ?? key.access, body.operations ?? key.operations)
    const expires_at = await readExpiry(call, body.expires_at)
    const changes = assignments({
      ...body,
      expires_at,
      operations: unique(body.operations),
      rights: unique(body.rights),
    })
    if (changes) await db.run(sql`update api_keys set ${changes} where company_id = ${companyId} and id = ${key.id}`)
    const saved = await showKey(call, sql`k.id = ${key.id}`)
    auditKey(call, key, saved)
    return { data: saved }
  },
})

export const revokeKey = adminEndpoint({
  name: 'revoke_key',
  since: '1.3.0',
  operation: 'keys:destructive',
  who: 'key administrators',
  audited: true,
  summary: 'Revoke an API key',
  description: 'Takes effect at once, on every node, and cannot be undone.',
  method: 'DELETE',
  at: ['/companies/:company/keys/:key'],
  find: findKey,
  returns: Type.Object({ data: Type.Object({ deleted: Type.Boolean(), key: Key }) }),
  async run(call, key) {
    const { db, companyId } = call
    await db.run(
      sql`update api_keys set revoked_at = now() where company_id = ${companyId} and id = ${key.id} and revoked_at is null`,
    )
    const revoked = await showKey(call, sql`k.id = ${key.id}`)
    auditKey(call, key, revoked)
    return { data: { deleted: true, key: revoked } }
  },
})

function unique<T extends string[] | undefined>(values: T): T {
  return (values && [...new Set(values)]) as T
}
