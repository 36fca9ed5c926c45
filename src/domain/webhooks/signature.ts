import { createHmac, randomBytes } from 'node:crypto'

// Standard Webhooks 1.0.0: the key is what follows the prefix of the secret, decoded, and id.timestamp.body is signed.

const PREFIX = 'whsec_'

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

export function isWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text)
}

/** One signature for each secret: while a secret is being replaced, a receiver may know either one. */
export function signature(secrets: string[], id: string, timestamp: number, body: string): string {
  return secrets.map(secret => `v1,${mac(secret, `${id}.${timestamp}.${body}`)}`).join(' ')
}

function mac(secret: string, content: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')
}
