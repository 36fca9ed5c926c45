import Type from 'typebox'
import { AUDIT_OPERATIONS } from '../domain/access/admin-operations.ts'
import {
  ACCESS,
  levelOf,
  OPERATIONS,
  presetOperations,
  presetRights,
  RIGHTS,
  resourceOf,
} from '../domain/access/operations.ts'
import { PLANS, planTerms } from '../domain/access/plans.ts'
import { ROLES } from '../domain/access/roles.ts'
import { AUDIT_FIELDS, DOER_KINDS, OUTCOMES } from '../domain/audit.ts'
import { LANGUAGES } from '../domain/languages.ts'
import { NOTIFICATION_KINDS } from '../domain/people/notifications.ts'
import { JOB_KINDS } from '../domain/ports/job-queue.ts'
import { SCAN_STATES } from '../domain/ports/virus-scanner.ts'
import { CHANGED_KINDS, RECORDS } from '../domain/records/records.ts'
import { Nullable, Single } from '../http/answers/schema.ts'
import { adminEndpoint } from './gate.ts'
import {
  Access,
  AuditField,
  AuditOperation,
  AuditOutcome,
  ChangedKind,
  ChangeName,
  DoerKind,
  JobKind,
  Language,
  Level,
  NotificationKind,
  Operation,
  Plan,
  Right,
  Role,
  ScanState,
} from './vocabulary.ts'

const Catalog = Type.Object(
  {
    operations: Type.Array(
      Type.Object({
        name: Operation(),
        resource: Type.String(),
        level: Level(),
      }),
      { description: 'What keys can be allowed to do' },
    ),
    presets: Type.Array(
      Type.Object({ access: Access(), operations: Type.Array(Operation()), rights: Type.Array(Right()) }),
      { description: 'What a new key gets when nothing else is said' },
    ),
    rights: Type.Array(Right()),
    plans: Type.Array(
      Type.Object({
        name: Plan(),
        title: Type.Object({ en: Type.String(), ar: Type.String() }),
        api: Type.Boolean({ description: 'Whether the plan includes the API' }),
        daily_calls: Nullable(
          Type.Integer({ description: 'Calls a day; null where `daily_calls` of the company says' }),
        ),
        time_tracking: Type.Boolean(),
      }),
    ),
    roles: Type.Array(Role()),
    languages: Type.Array(Language()),
    webhook_events: Type.Array(Type.Object({ kind: ChangedKind(), changes: Type.Array(ChangeName()) }), {
      description: 'What webhooks can be told of: a kind and a change make `task.completed`',
    }),
    notification_kinds: Type.Array(NotificationKind()),
    audit_operations: Type.Array(AuditOperation(), {
      description: 'What an entry of the audit can be about: those of keys and those of the administration',
    }),
    audit_fields: Type.Array(AuditField(), { description: 'The fields whose changes the audit keeps' }),
    audit_outcomes: Type.Array(AuditOutcome()),
    audit_by_kinds: Type.Array(DoerKind()),
    scan_states: Type.Array(ScanState()),
    job_kinds: Type.Array(JobKind()),
  },
  { title: 'Catalog' },
)

/** It is the same for everyone until the next release. */
const CATALOG: Type.Static<typeof Catalog> = {
  operations: OPERATIONS.map(name => ({ name, resource: resourceOf(name), level: levelOf(name) })),
  presets: ACCESS.map(access => ({
    access,
    operations: presetOperations(access),
    rights: presetRights(access),
  })),
  rights: [...RIGHTS],
  plans: PLANS.map(name => ({ name, ...planTerms(name) })),
  roles: [...ROLES],
  languages: [...LANGUAGES],
  webhook_events: CHANGED_KINDS.map(kind => ({ kind, changes: [...RECORDS[kind].feed.changes] })),
  notification_kinds: [...NOTIFICATION_KINDS],
  audit_operations: [...AUDIT_OPERATIONS],
  audit_fields: [...AUDIT_FIELDS],
  audit_outcomes: [...OUTCOMES],
  audit_by_kinds: [...DOER_KINDS],
  scan_states: [...SCAN_STATES],
  job_kinds: [...JOB_KINDS],
}

export const getCatalog = adminEndpoint({
  name: 'get_catalog',
  since: '1.6.0',
  operation: 'catalog:read',
  who: 'everyone',
  summary: 'Get the catalog',
  description:
    'The lists that programs and people choose from: operations, presets, rights, plans, roles, languages and the events of webhooks.',
  method: 'GET',
  at: ['/catalog'],
  returns: Single(Catalog),
  run: async () => ({ data: CATALOG }),
})
