import type { Parent } from '../feed/entry.ts'
import type { Encryption } from '../installation/encryption.ts'
import type { WebhookRequest } from '../ports/webhook-sender.ts'
import { signature } from './signature.ts'
import { webhookSecretPurpose } from './webhooks.ts'

/** Where a message is sent, and the secrets to sign it with. */
export interface Destination {
  company_id: number
  url: string
  secret: Buffer
  /** Null when there is none, or it has expired. */
  previous_secret: Buffer | null
}

/** The body that a receiver gets. `data` is the record as it is now. */
export interface Message extends Parent {
  id: string | number
  type: string
  timestamp: string
  company_id: number
  project_id: string | null
  actor: string | null
  fields: string[] | null
  data: unknown
}

/** The request of one attempt. `messageId` is the same for all attempts, so that a receiver can recognise a repetition. */
export function requestOf(
  encryption: Encryption,
  { company_id, url, secret, previous_secret }: Destination,
  messageId: string,
  message: Message,
): WebhookRequest {
  const sealed = previous_secret ? [secret, previous_secret] : [secret]
  const secrets = sealed.map(each => encryption.decrypt(each, webhookSecretPurpose(company_id)))
  const body = JSON.stringify(message)
  return { company_id, url, headers: signedHeaders(secrets, messageId, body), body }
}

export function signedHeaders(secrets: string[], messageId: string, body: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': 'Diwan',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature(secrets, messageId, timestamp, body),
  }
}

const LARGEST_DATA_BYTES = 16_384

/** A record that is too large is left out: the receiver can read it by its id. */
export function dataOf(record: unknown): unknown {
  return Buffer.byteLength(JSON.stringify(record)) <= LARGEST_DATA_BYTES ? record : null
}
