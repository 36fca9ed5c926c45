import sql from 'sql-template-tag'
import Type from 'typebox'
import type { FieldChanges, Target } from '../domain/audit.ts'
import { page } from '../http/answers/pagination.ts'
import { BoundedCollection, COUNTED_UP_TO, Id, Instant, Nullable, Paging, Sentence } from '../http/answers/schema.ts'
import { preferredLanguage } from '../http/requests/language.ts'
import { isPreferred } from '../lib/accept.ts'
import { auditCsv } from './audit-csv.ts'
import { AuditFilters, filteredEntries, NEWEST_FIRST } from './audit-filters.ts'
import { adminEndpoint } from './gate.ts'
import { AuditOperation, AuditOutcome, DoerKind, KeyKind, TargetType } from './vocabulary.ts'

const TargetOfEntry = Type.Object(
  {
    type: TargetType(),
    id: Type.Unsafe<Target['id']>({ type: ['string', 'integer'], description: 'The ref, or the id of what has none' }),
    name: Type.String({ description: 'As it was then' }),
  },
  { description: 'The record that was changed; null for a denial' },
)
const Changes = Type.Unsafe<FieldChanges>({
  type: 'object',
  additionalProperties: { type: ['object', 'null'], properties: { from: {}, to: {} }, required: ['from', 'to'] },
  description:
    'The fields that changed. A value is null where it is not kept: only roles, grants, plans, flags, allowances, the subscription, the time zone, rights, operations and access are.',
})

const AuditEntry = Type.Object(
  {
    id: Id(),
    created_at: Instant(),
    outcome: AuditOutcome(),
    operation: AuditOperation(),
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    reason: Sentence(),
    by: Type.Object({
      kind: DoerKind(),
      id: Nullable(Id({ description: 'Of the key or the person; null for the operator' })),
      name: Type.String({ description: 'As it was then' }),
    }),
    actor: Type.String({
      description: 'The name of the person behind it: the creator of the key, the person, or the operator',
    }),
    key: Nullable(
      Type.Object({ id: Id(), name: Type.String(), kind: KeyKind() }, { description: 'The key that did it' }),
    ),
    target: Nullable(TargetOfEntry),
    changes: Changes,
    request_id: Type.String(),
    count: Type.Integer({
      description:
        'How many denials the entry stands for: 1, except in the entry that counts those beyond 100 in an hour',
    }),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: 9,
        created_at: '2026-11-15T08:30:00.000Z',
        outcome: 'allowed',
        operation: 'users:write',
        method: 'PATCH',
        path: '/admin/v1/companies/1/users/2',
        status: 200,
        reason: 'Permitted.',
        by: { kind: 'person', id: 1, name: 'Layla Haddad' },
        actor: 'Layla Haddad',
        key: null,
        target: { type: 'user', id: 2, name: 'يوسف المنصور' },
        changes: { role: { from: 'member', to: 'manager' }, email: null },
        request_id: '0f4c3f0e-5a0e-4f51-9c7e-3d2a5f0f8a11',
        count: 1,
      },
    ],
  },
)

const columns = sql`a.id, a.created_at, a.outcome, a.operation, a.method, a.path, a.status, a.reason, a.actor, a.changes,
  a.request_id, a.count, json_build_object('kind', a.by_kind, 'id', a.by_id, 'name', a.by_name) as by,
  (select json_build_object('id', k.id, 'name', k.name, 'kind', k.kind) from api_keys k
   where k.company_id = a.company_id and k.id = a.key_id) as key,
  case when a.target_type is not null then json_build_object('type', a.target_type, 'name', a.target_name,
    'id', case when a.target_id ~ '^[0-9]+$' then to_json(a.target_id::bigint) else to_json(a.target_id) end) end as target`

function auditOf(address: string, who: 'leaders' | 'operator', summary: string, description: string) {
  return adminEndpoint({
    name: who === 'operator' ? 'list_service_audit_entries' : 'list_audit_entries',
    since: who === 'operator' ? '1.4.0' : '1.3.0',
    operation: 'audit:read',
    who,
    summary,
    description: `${description} Newest first, kept for 400 days. For each key or person up to 100 denials an hour are kept one by one; any more are counted in a single entry. A filter that cannot be read is 422. With \`Accept: text/csv\` the answer has every entry that matches, without paging.`,
    method: 'GET',
    at: [address],
    query: Type.Object({ ...AuditFilters, ...Paging }),
    refusesQuery: true,
    alsoAs: 'text/csv',
    returns: BoundedCollection(AuditEntry),
    async run(call) {
      const { entries, counted } = await filteredEntries(call)
      if (isPreferred('text/csv', call.headers.accept))
        return auditCsv(call.db, entries, preferredLanguage(call.headers['accept-language']))
      return page<Type.Static<typeof AuditEntry>>(call.db, call.query, {
        columns,
        from: entries,
        order: NEWEST_FIRST,
        count: { of: counted, upTo: COUNTED_UP_TO },
      })
    },
  })
}

export const listAudit = auditOf(
  '/companies/:company/audit',
  'leaders',
  'Read the audit',
  'Denied calls, everything that was deleted or restored, and changes to the company, its people, tokens, sessions, invitations, memberships and keys.',
)

/** Its entries have company 0, as do calls that belong to no company. */
export const listServiceAudit = auditOf(
  '/audit',
  'operator',
  'Read the audit of the service',
  'The creation, closing, reopening and removal of companies, and the sessions of the operator.',
)
