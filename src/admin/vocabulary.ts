import { SUBSCRIPTIONS } from '../domain/access/caller.ts'
import { KEY_STATES } from '../domain/access/keyring.ts'
import { ACCESS, OPERATIONS, RIGHTS } from '../domain/access/operations.ts'
import { PLANS } from '../domain/access/plans.ts'
import { ROLES } from '../domain/access/roles.ts'
import { DOER_KINDS, OUTCOMES } from '../domain/audit.ts'
import { LANGUAGES } from '../domain/languages.ts'
import { JOB_KINDS } from '../domain/ports/job-queue.ts'
import { SCAN_STATES } from '../domain/ports/virus-scanner.ts'
import { WEBHOOK_KINDS } from '../domain/webhooks.ts'
import { OneOf } from '../http/schema.ts'

/** A list of the domain as a schema. It has a name in the description, so that generated clients have a type for it. */
const term =
  <const T extends readonly string[]>(title: string, values: T) =>
  (options: { description?: string } = {}) =>
    OneOf(values, { title, ...options })

export const Access = term('Access', ACCESS)
export const AuditOutcome = term('AuditOutcome', OUTCOMES)
export const DoerKind = term('DoerKind', DOER_KINDS)
export const JobKind = term('JobKind', JOB_KINDS)
export const KeyState = term('KeyState', KEY_STATES)
export const Language = term('Language', LANGUAGES)
export const Operation = term('Operation', OPERATIONS)
export const Plan = term('Plan', PLANS)
export const Right = term('Right', RIGHTS)
export const Role = term('Role', ROLES)
export const ScanState = term('ScanState', SCAN_STATES)
export const SubscriptionState = term('SubscriptionState', SUBSCRIPTIONS)
export const WebhookKind = term('WebhookKind', WEBHOOK_KINDS)
