import { AUDIT_OPERATIONS } from '../domain/access/admin-operations.ts'
import { SUBSCRIPTIONS } from '../domain/access/caller.ts'
import { KEY_KINDS, KEY_STATES } from '../domain/access/keyring.ts'
import { ACCESS, LEVELS, OPERATIONS, RIGHTS } from '../domain/access/operations.ts'
import { PLANS } from '../domain/access/plans.ts'
import { ROLES } from '../domain/access/roles.ts'
import { AUDIT_FIELDS, DOER_KINDS, OUTCOMES, TARGET_TYPES } from '../domain/audit.ts'
import { LANGUAGES } from '../domain/languages.ts'
import { NOTIFICATION_KINDS, SUBJECT_TYPES, TIMELINE_KINDS } from '../domain/people/notifications.ts'
import { JOB_KINDS } from '../domain/ports/job-queue.ts'
import { SCAN_STATES } from '../domain/ports/virus-scanner.ts'
import { CHANGED_KINDS, CHANGES } from '../domain/records/records.ts'
import { DELIVERY_SELECTIONS, DELIVERY_STATES, WEBHOOK_KINDS } from '../domain/webhooks/webhooks.ts'
import { OneOf } from '../http/answers/schema.ts'

/** Terms of the domain as a schema. It has a name in the description, so that generated clients have a type for it. */
const term =
  <const T extends readonly string[]>(title: string, values: T) =>
  (options: { description?: string; notBlank?: boolean } = {}) =>
    OneOf(values, { title, ...options })

export const Access = term('Access', ACCESS)
export const AuditField = term('AuditField', AUDIT_FIELDS)
export const AuditOperation = term('AuditOperation', AUDIT_OPERATIONS)
export const AuditOutcome = term('AuditOutcome', OUTCOMES)
export const ChangedKind = term('ChangedKind', CHANGED_KINDS)
export const ChangeName = term('ChangeName', CHANGES)
export const DeliverySelection = term('DeliverySelection', DELIVERY_SELECTIONS)
export const DeliveryState = term('DeliveryState', DELIVERY_STATES)
export const DoerKind = term('DoerKind', DOER_KINDS)
export const JobKind = term('JobKind', JOB_KINDS)
export const KeyKind = term('KeyKind', KEY_KINDS)
export const KeyState = term('KeyState', KEY_STATES)
export const Language = term('Language', LANGUAGES)
export const Level = term('OperationLevel', LEVELS)
export const NotificationKind = term('NotificationKind', NOTIFICATION_KINDS)
export const Operation = term('Operation', OPERATIONS)
export const Plan = term('Plan', PLANS)
export const Right = term('Right', RIGHTS)
export const Role = term('Role', ROLES)
export const ScanState = term('ScanState', SCAN_STATES)
export const SubjectType = term('SubjectType', SUBJECT_TYPES)
export const SubscriptionState = term('SubscriptionState', SUBSCRIPTIONS)
export const TargetType = term('TargetType', TARGET_TYPES)
export const TimelineKind = term('TimelineKind', TIMELINE_KINDS)
export const WebhookKind = term('WebhookKind', WEBHOOK_KINDS)
