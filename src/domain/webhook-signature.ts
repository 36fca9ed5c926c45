import { createHmac, randomBytes } from 'node:crypto'

// Standard Webhooks 1.0.0: the secret is what follows the prefix, decoded, and what is signed is id.timestamp.body.

const PREFIX = 'whsec_'

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

/** One signature for each secret: while a secret is being replaced, a receiver may know either. */
export function signature(secrets: string[], id: string, timestamp: number, body: string): string {
  return secrets.map(secret => `v1,${mac(secret, `${id}.${timestamp}.${body}`)}`).join(' ')
}

function mac(secret: string, content: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')
}
