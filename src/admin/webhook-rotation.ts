import sql from 'sql-template-tag'
import { newWebhookSecret } from '../domain/webhooks/signature.ts'
import { webhookSecretPurpose } from '../domain/webhooks/webhooks.ts'
import { Single } from '../http/answers/schema.ts'
import { adminEndpoint } from './gate.ts'
import { findWebhook, WebhookWithSecret, webhookTarget } from './webhooks.ts'

export const rotateWebhookSecret = adminEndpoint({
  name: 'rotate_webhook_secret',
  since: '1.5.0',
  operation: 'webhooks:write',
  who: 'key administrators',
  audited: true,
  summary: 'Rotate the secret of a webhook',
  description:
    'The new secret is shown in this answer and never again. For 24 hours, messages are signed with both the old and the new secret.',
  method: 'POST',
  at: ['/companies/:company/webhooks/:webhook/rotate'],
  find: findWebhook,
  returns: Single(WebhookWithSecret),
  async run({ db, companyId, encryption, audit }, webhook) {
    const secret = newWebhookSecret()
    await db.run(sql`
      update webhooks set previous_secret = secret, previous_secret_until = now() + interval '24 hours',
        secret = ${encryption.encrypt(secret, webhookSecretPurpose(companyId))}
      where company_id = ${companyId} and id = ${webhook.id}`)
    audit({ target: webhookTarget(webhook), changes: { secret: null } })
    return { data: { ...webhook, secret } }
  },
})
