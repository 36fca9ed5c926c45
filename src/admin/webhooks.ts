import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { LOCKS, takeLock } from '../db/advisory-locks.ts'
import { assignments } from '../db/assignments.ts'
import { type AuditField, changesBetween } from '../domain/audit.ts'
import { orNotFound, unprocessable } from '../domain/errors.ts'
import { lockForWrite } from '../domain/records/locks.ts'
import { say } from '../domain/sentences/sentences.ts'
import { newWebhookSecret } from '../domain/webhooks/signature.ts'
import { fromNowOn, MOST_WEBHOOKS, NO_FAILURES, webhookSecretPurpose } from '../domain/webhooks/webhooks.ts'
import { page } from '../http/answers/pagination.ts'
import {
  Changes,
  Collection,
  Deleted,
  Id,
  Instant,
  Name,
  Nullable,
  OneOf,
  Paging,
  Single,
} from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { PersonInBrief, personInBrief } from './person.ts'
import { WebhookKind } from './vocabulary.ts'

const fields = {
  id: Id(),
  name: Type.String(),
  url: Type.String(),
  kinds: Type.Array(WebhookKind()),
  project: Nullable(
    Type.String({ description: 'The `prj-` ref of the project whose changes it receives; null for all projects' }),
  ),
  active: Type.Boolean({ description: 'False while it is switched off and nothing is sent' }),
  failing_since: Nullable(
    Instant({ description: 'The first failure since the last successful delivery; null when there is none' }),
  ),
  switched_off_at: Nullable(Instant({ description: 'When Diwan switched it off by itself' })),
  switched_off_because: Nullable(
    OneOf(['failing', 'gone'], {
      description: '`failing`: every delivery failed for 5 days; `gone`: the receiver answered 410',
    }),
  ),
  created_by: Nullable(PersonInBrief),
  created_at: Instant(),
}
const example = {
  id: 3,
  name: 'Warehouse',
  url: 'https://warehouse.example.com/hooks/diwan?tenant=7',
  kinds: ['task.completed', 'discussion.*'],
  project: null,
  active: true,
  failing_since: null,
  switched_off_at: null,
  switched_off_because: null,
  created_by: { id: 1, name: 'Layla Haddad', email: 'layla@example.com' },
  created_at: '2026-11-15T08:30:00.000Z',
}
const Webhook = Type.Object(fields, { title: 'Webhook', examples: [example] })
export const WebhookWithSecret = Type.Object(
  { ...fields, secret: Type.String({ description: 'Messages are signed with it; shown once' }) },
  { title: 'WebhookWithSecret', examples: [{ ...example, secret: 'whsec_…' }] },
)
export type WebhookRow = Type.Static<typeof Webhook>
const AUDITED: (keyof WebhookRow & AuditField)[] = ['name', 'url', 'kinds', 'project', 'active']

const settings = {
  name: Name(),
  url: Type.String({ maxLength: 2_048, format: 'uri', description: 'https, with any path and query' }),
  kinds: Type.Array(WebhookKind(), {
    description: 'Which changes are sent: `task.completed`, `task.*` for every change of a kind, `*` for all',
  }),
  project: Type.Optional(
    Nullable(
      Type.String({
        description: 'The ref of a project, to receive its changes only; null or omitted for all projects',
      }),
    ),
  ),
  active: Type.Optional(Type.Boolean({ description: 'Default true' })),
}
const NewWebhook = Type.Object(settings, {
  examples: [{ name: 'Warehouse', url: 'https://warehouse.example.com/hooks', kinds: ['task.completed'] }],
})
const WebhookChanges = Changes(Type.Object(settings, { examples: [{ kinds: ['task.*'] }] }))
type Settings = Type.Static<typeof NewWebhook>

const columns = sql`w.id, w.name, w.url, w.kinds, p.ref as project, w.active, w.failing_since, w.switched_off_at,
  w.switched_off_because, w.created_at, case when u.id is not null then ${personInBrief} end as created_by`
const webhooks = (companyId: number) => sql`webhooks w
  left join projects p on p.company_id = w.company_id and p.id = w.project_id
  left join users u on u.company_id = w.company_id and u.id = w.created_by
  where w.company_id = ${companyId}`

function showWebhook({ db, companyId }: AdminCall, condition: Sql): Promise<WebhookRow> {
  return orNotFound(db.maybe<WebhookRow>(sql`select ${columns} from ${webhooks(companyId)} and ${condition}`))
}

export async function findWebhook(call: AdminCall): Promise<WebhookRow> {
  const { companyId, params } = call
  const id = requirePathId(params.webhook)
  await lockForWrite(call, sql`select from webhooks where company_id = ${companyId} and id = ${id} for update`)
  return showWebhook(call, sql`w.id = ${id}`)
}

/** Only the name: what follows the host in a URL can be a secret. */
export const webhookTarget = ({ id, name }: WebhookRow) => ({ type: 'webhook' as const, id, name })

function auditWebhook({ audit }: AdminCall, before: WebhookRow | undefined, webhook: WebhookRow): void {
  const changes = changesBetween(before, webhook, AUDITED)
  if (changes) audit({ target: webhookTarget(webhook), changes })
}

/** Done before the transaction of the write: a host name may have to be looked up. */
async function requireUsableUrl({ webhookSender, companyId }: AdminCall, url: string | undefined): Promise<void> {
  const problem = url === undefined ? undefined : await webhookSender.problemOf(url, companyId)
  if (problem) throw unprocessable('url', problem)
}

/** The columns behind the fields that were sent. */
async function toColumns({ db, companyId }: AdminCall, { project, kinds, ...rest }: Partial<Settings>) {
  if (kinds?.length === 0) throw unprocessable('kinds', "can't be empty")
  const found = project
    ? await db.maybe<{ id: number }>(sql`
        select id from projects where company_id = ${companyId} and ref = ${project} and deleted_at is null`)
    : undefined
  if (project && !found) throw unprocessable('project', 'must be the ref of a project, such as prj-4k7q2m9x0c')
  const project_id = project === undefined ? undefined : (found?.id ?? null)
  return { ...rest, project_id, kinds: kinds && [...new Set(kinds)] }
}

export const listWebhooks = adminEndpoint({
  name: 'list_webhooks',
  since: '1.5.0',
  operation: 'webhooks:read',
  who: 'key administrators',
  summary: 'List webhooks',
  method: 'GET',
  at: ['/companies/:company/webhooks'],
  query: Type.Object(Paging),
  returns: Collection(Webhook),
  run: ({ db, companyId, query }) =>
    page(db, query, { columns, from: webhooks(companyId), order: [ascending(sql`w.id`)] }),
})

export const createWebhook = adminEndpoint({
  name: 'create_webhook',
  since: '1.5.0',
  operation: 'webhooks:write',
  who: 'key administrators',
  audited: true,
  summary: 'Create a webhook',
  description: `It receives changes from now on. The secret is shown in this answer and never again. A company can have ${MOST_WEBHOOKS} webhooks; one more is 422.`,
  method: 'POST',
  at: ['/companies/:company/webhooks'],
  body: NewWebhook,
  prepare: call => requireUsableUrl(call, call.body.url),
  status: 201,
  returns: Single(WebhookWithSecret),
  async run(call) {
    const { db, companyId, by, body, encryption } = call
    await takeLock(db, LOCKS.webhooksOf(companyId))
    const { count } = await db.one<{ count: number }>(
      sql`select count(*) as count from webhooks where company_id = ${companyId}`,
    )
    if (count >= MOST_WEBHOOKS)
      throw unprocessable(
        'webhooks',
        say('are limited to {most} in a company: delete one first', { most: MOST_WEBHOOKS }),
      )
    const { name, url, kinds, project_id = null, active = true } = await toColumns(call, body)
    const secret = newWebhookSecret()
    const { id } = await db.one<{ id: number }>(sql`
      insert into webhooks (company_id, name, url, kinds, project_id, active, secret, tx, change_id, told_since, created_by)
      values (${companyId}, ${name}, ${url}, ${kinds}, ${project_id}, ${active},
        ${encryption.encrypt(secret, webhookSecretPurpose(companyId))}, ${fromNowOn.tx}, ${fromNowOn.change_id}, ${fromNowOn.told_since},
        ${by === 'operator' ? null : by.id}) returning id`)
    const webhook = await showWebhook(call, sql`w.id = ${id}`)
    auditWebhook(call, undefined, webhook)
    return { data: { ...webhook, secret } }
  },
})

export const getWebhook = adminEndpoint({
  name: 'get_webhook',
  since: '1.5.0',
  operation: 'webhooks:read',
  who: 'key administrators',
  summary: 'Get a webhook',
  method: 'GET',
  at: ['/companies/:company/webhooks/:webhook'],
  find: findWebhook,
  returns: Single(Webhook),
  run: async (_call, webhook) => ({ data: webhook }),
})

export const updateWebhook = adminEndpoint({
  name: 'update_webhook',
  since: '1.5.0',
  operation: 'webhooks:write',
  who: 'key administrators',
  audited: true,
  summary: 'Update a webhook',
  description:
    'A webhook that is switched on again receives the deliveries that were waiting when it was switched off, and changes from then on.',
  method: 'PATCH',
  at: ['/companies/:company/webhooks/:webhook'],
  find: findWebhook,
  body: WebhookChanges,
  prepare: call => requireUsableUrl(call, call.body.url),
  returns: Single(Webhook),
  async run(call, before) {
    const { db, companyId, body } = call
    const sent = await toColumns(call, body)
    const isSwitchedOn = body.active === true && !before.active
    const isElsewhere = body.url !== undefined && body.url !== before.url
    const changes = assignments({
      ...sent,
      ...((isSwitchedOn || isElsewhere) && NO_FAILURES),
      ...(isSwitchedOn && fromNowOn),
    })
    if (changes) await db.run(sql`update webhooks set ${changes} where company_id = ${companyId} and id = ${before.id}`)
    const webhook = await showWebhook(call, sql`w.id = ${before.id}`)
    auditWebhook(call, before, webhook)
    return { data: webhook }
  },
})

export const deleteWebhook = adminEndpoint({
  name: 'delete_webhook',
  since: '1.5.0',
  operation: 'webhooks:destructive',
  who: 'key administrators',
  audited: true,
  summary: 'Delete a webhook',
  description: 'Permanently, with its log. Deliveries that are waiting are not sent.',
  method: 'DELETE',
  at: ['/companies/:company/webhooks/:webhook'],
  find: findWebhook,
  returns: Deleted({ webhook: Type.Object({ id: Id(), name: Type.String() }) }),
  async run({ db, companyId, audit }, webhook) {
    const { id, name } = webhook
    audit({ target: webhookTarget(webhook) })
    await db.run(sql`delete from webhooks where company_id = ${companyId} and id = ${id}`)
    return { data: { deleted: true, webhook: { id, name } } }
  },
})
