import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { audit } from '../../domain/audit.ts'
import { notify } from '../../domain/people/notifications.ts'
import type { Said } from '../../domain/sentences/sentences.ts'
import type { WorkerParts } from '../parts.ts'
import { type Claim, type Outcome, recordOutcome, type Tried } from './claims.ts'

const HOUR_MS = 3_600_000
const WARN_AFTER_MS = 24 * HOUR_MS
const SWITCH_OFF_AFTER_MS = 5 * 24 * HOUR_MS
const GONE = 410

interface Health {
  id: number
  name: string
  url: string
  /** The person who stands for the webhook where one is needed: its creator, or an owner. */
  person_id: number
  failing_for_ms: number
  is_warned: boolean
}

/** The webhook is locked first, as when a delivery is claimed, so that there are no deadlocks. */
async function lockWebhook(tx: Db, { company_id, webhook_id }: Claim): Promise<void> {
  await tx.run(sql`select from webhooks where company_id = ${company_id} and id = ${webhook_id} for no key update`)
}

export async function noteSuccess(db: Db, claim: Claim, attempt: Tried): Promise<void> {
  const { company_id, webhook_id } = claim
  await db.onBehalfOf(company_id).transaction(async tx => {
    await lockWebhook(tx, claim)
    if (!(await recordOutcome(tx, claim, { ...attempt, state: 'delivered', pauseMs: null }))) return
    await tx.run(sql`
      update webhooks set failing_since = null, warned_at = null
      where company_id = ${company_id} and id = ${webhook_id} and failing_since is not null`)
  })
}

/**
 * Postpones the delivery, or gives it up. If a webhook has had nothing but failures, people are told after a day, and it is
 * switched off after five; one whose receiver answers that it is gone is switched off at once.
 */
export async function noteFailure(
  { db, jobs }: Pick<WorkerParts, 'db' | 'jobs'>,
  claim: Claim,
  attempt: Tried,
  pauseMs: number | undefined,
): Promise<void> {
  const { company_id, webhook_id } = claim
  const isGone = attempt.status === GONE
  const isOver = isGone || pauseMs === undefined
  const outcome: Outcome = { ...attempt, state: isOver ? 'failed' : 'pending', pauseMs: isOver ? null : pauseMs }
  await db.onBehalfOf(company_id).transaction(async tx => {
    await lockWebhook(tx, claim)
    if (!(await recordOutcome(tx, claim, outcome))) return
    const health = await tx.one<Health>(sql`
      update webhooks w set failing_since = coalesce(failing_since, now())
      where w.company_id = ${company_id} and w.id = ${webhook_id}
      returning w.id, w.name, w.url, warned_at is not null as is_warned,
        extract(epoch from now() - failing_since)::float * 1000 as failing_for_ms,
        coalesce(w.created_by, (
          select u.id from users u where u.company_id = w.company_id and u.role = 'owner' order by u.id limit 1)) as person_id`)
    if (isGone) await switchOff(tx, jobs, claim, health, 'gone')
    else if (health.failing_for_ms > SWITCH_OFF_AFTER_MS) await switchOff(tx, jobs, claim, health, 'failing')
    else if (health.failing_for_ms > WARN_AFTER_MS && !health.is_warned) await warn(tx, jobs, company_id, health)
  })
}

async function warn(tx: Db, jobs: WorkerParts['jobs'], companyId: number, health: Health): Promise<void> {
  await tx.run(sql`update webhooks set warned_at = now() where company_id = ${companyId} and id = ${health.id}`)
  await notifyKeyManagers(tx, jobs, companyId, health, 'webhook_failing')
}

const REASONS = {
  failing: 'Switched off by Diwan: every delivery failed for 5 days.',
  gone: 'Switched off by Diwan: the receiver answered 410.',
} satisfies Record<string, Said>

async function switchOff(
  tx: Db,
  jobs: WorkerParts['jobs'],
  { company_id, message_id }: Claim,
  health: Health,
  because: keyof typeof REASONS,
): Promise<void> {
  const { id, name } = health
  const switchedOff = await tx.run(sql`
    update webhooks set active = false, switched_off_at = now(), switched_off_because = ${because}
    where company_id = ${company_id} and id = ${id} and active`)
  if (switchedOff === 0) return
  await notifyKeyManagers(tx, jobs, company_id, health, 'webhook_switched_off')
  // There is no caller: it is recorded as an action of the operator's service, with the message's id as that of the request.
  await audit(tx, {
    company_id,
    outcome: 'allowed',
    operation: 'webhooks:write',
    method: 'PATCH',
    path: `/admin/v1/companies/${company_id}/webhooks/${id}`,
    status: 200,
    reason: REASONS[because],
    by: { kind: 'operator', id: null, name: 'operator' },
    actor: 'operator',
    target: { type: 'webhook', id, name },
    changes: { active: null },
    request_id: message_id,
  })
}

/** Notifies everybody who may change the webhook. */
function notifyKeyManagers(
  tx: Db,
  jobs: WorkerParts['jobs'],
  companyId: number,
  { id, name, person_id }: Health,
  kind: 'webhook_failing' | 'webhook_switched_off',
): Promise<void> {
  return notify(tx, jobs.enqueue, companyId, person_id, {
    kind,
    subject: { type: 'webhook', id: String(id), title: name, project_id: null },
  })
}
