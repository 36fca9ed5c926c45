import { DiwanError } from './error.ts'
import type { Change, Comment, Discussion, Folder, Project, StoredFile, Task, TaskList } from './types.ts'

/** What the `data` of a message is, by the kind of its record. */
interface Records extends Record<Change['kind'], object> {
  project: Project
  task_list: TaskList
  task: Task
  comment: Comment
  discussion: Discussion
  folder: Folder
  file: StoredFile
}

interface Message<Type extends string, Data>
  extends Pick<Change, 'id' | 'parent_id' | 'parent_kind' | 'actor' | 'fields'> {
  type: Type
  /** When it changed. */
  timestamp: string
  company_id: number
  project_id: string | null
  /** The record as it was when the message was sent; null when it has been deleted or is too large. */
  data: Data
}

/** The message that a webhook receives. `type` tells which record `data` is. */
export type Webhook =
  | { [Kind in keyof Records & string]: Message<`${Kind}.${Change['change']}`, Records[Kind] | null> }[Change['kind']]
  | Message<'ping', null>

export interface ReceivedWebhook {
  /** `whsec_…`; several while one replaces another. */
  secret: string | string[]
  /** The headers of the request, as `Headers` or as Node.js provides them. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** Exactly as it arrived, before anything has parsed it. */
  body: string | Uint8Array
  /** How old a message may be. Default: 300. */
  toleranceSeconds?: number
}

const MOST_SIGNATURES = 10

/** The message, if Diwan signed it and it is fresh; otherwise throws `webhook_unverified`. */
export async function verifyWebhook(received: ReceivedWebhook): Promise<Webhook> {
  const { secret, headers, body, toleranceSeconds = 300 } = received
  const header = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    return typeof value === 'string' ? value : ''
  }
  const timestamp = header('webhook-timestamp')
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN))
  if (!(ageSeconds <= toleranceSeconds)) throw unverified('The message is too old, or has no time.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${header('webhook-id')}.${timestamp}.${text}`)
  const signatures = header('webhook-signature').split(' ', MOST_SIGNATURES)
  for (const each of [secret].flat()) if (await isSignedWith(each, signatures, signed)) return JSON.parse(text)
  throw unverified('The message is not signed with this secret.')
}

/** Compared by Web Crypto, in a time that reveals nothing. */
async function isSignedWith(secret: string, signatures: string[], signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new TypeError('secret must be whsec_ and base64')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const signature of signatures) {
    const mac = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
    if (mac && (await crypto.subtle.verify('HMAC', key, mac, signed))) return true
  }
  return false
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const unverified = (message: string) => new DiwanError({ code: 'webhook_unverified', message })
