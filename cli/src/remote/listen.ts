import { createHash } from 'node:crypto'
import { type Change, type Diwan, DiwanError } from '../../../client/src/index.ts'
import { addressOf } from '../../../src/domain/records/addresses.ts'
import { dataOf, type Message, signedHeaders } from '../../../src/domain/webhooks/message.ts'
import { isWebhookSecret, newWebhookSecret } from '../../../src/domain/webhooks/signature.ts'
import { command, UsageError } from '../frame/command.ts'
import { note, print } from '../frame/output.ts'
import { connectPatiently, FEED_OPTIONS, followFeed } from './feed.ts'

const ANSWER_WITHIN_MS = 15_000

export const listen = command({
  name: 'listen',
  summary: 'Send what changes to a program on this machine, as a webhook would.',
  description:
    'Needs an API key in DIWAN_KEY. The messages are those of a webhook, signed with the secret that is printed at the start. Each is sent once.',
  options: {
    'forward-to': { type: 'text', value: 'ADDRESS', isRequired: true, help: 'Where your program takes messages' },
    // An API key does not know the number of its company.
    company: { type: 'number', value: 'ID', default: 0, help: 'The company_id in the messages' },
    secret: { type: 'text', value: 'SECRET', help: 'Sign with this whsec_… secret instead of a new one' },
    ...FEED_OPTIONS,
  },
  examples: [
    'listen --forward-to http://127.0.0.1:3000/hooks',
    'listen --forward-to http://127.0.0.1:3000/ --kind task',
  ],
  async run({ options: { 'forward-to': address, company, secret = newWebhookSecret(), kind, after, url } }) {
    if (!/^https?:\/\/[^/]/.test(address)) throw new UsageError('--forward-to must begin with http:// or https://')
    if (!isWebhookSecret(secret)) throw new UsageError('--secret must be whsec_ and at least 24 bytes in base64')
    const diwan = connectPatiently(url)
    note(`Signing with ${secret}`)
    for await (const change of followFeed(diwan, { kind, after })) {
      const message = await messageOf(diwan, company, change)
      print(
        `${change.at}  ${message.type.padEnd(22)}${String(change.id).padEnd(16)}${await forward(address, secret, change, message)}`,
      )
    }
  },
})

async function messageOf(diwan: Diwan, company_id: number, change: Change): Promise<Message> {
  const { id, kind, at: timestamp, project_id, parent_id, parent_kind, actor, fields } = change
  const type = `${kind}.${change.change}`
  const data = dataOf(await recordOf(diwan, change))
  return { id, type, timestamp, company_id, project_id, parent_id, parent_kind, actor, fields, data }
}

/** The record as it is now; null when it is gone, or the key may not read it. */
async function recordOf(diwan: Diwan, { kind, id, project_id, parent_id }: Change): Promise<unknown> {
  const parent = parent_id === null ? null : String(parent_id)
  const address = addressOf({ kind, record_id: String(id), project_id, parent_id: parent })
  try {
    return (await diwan.request<{ data: unknown }>('GET', address)).data
  } catch (error) {
    if (error instanceof DiwanError && [403, 404].includes(error.status)) return null
    throw error
  }
}

/** What came of sending it, in a few words. A change that comes twice has the same id both times. */
async function forward(address: string, secret: string, { cursor }: Change, message: Message): Promise<string> {
  const messageId = `msg_${createHash('sha256').update(cursor).digest('hex').slice(0, 32)}`
  const body = JSON.stringify(message)
  const startedMs = performance.now()
  try {
    const { status } = await fetch(address, {
      method: 'POST',
      headers: signedHeaders([secret], messageId, body),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return `${status} in ${Math.round(performance.now() - startedMs)} ms`
  } catch (error) {
    const { message: reason, cause } = error as Error & { cause?: { code?: string } }
    return `not delivered (${cause?.code ?? reason})`
  }
}
