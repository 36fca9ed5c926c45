import { CHANGED_KINDS, type ChangedKind, RECORDS } from '../../domain/records/records.ts'
import type { Json } from './schemas.ts'

/** The schema of what `data` is, by the kind of the record. */
const SHOWN_AS: Record<ChangedKind, string> = {
  project: 'Project',
  task_list: 'TaskList',
  task: 'Task',
  comment: 'Comment',
  discussion: 'Discussion',
  folder: 'Folder',
  file: 'StoredFile',
}

/** What a receiver of webhooks gets, kind by kind: the `webhooks` of the description. */
export function webhookMessages(): Json {
  const ofKinds = CHANGED_KINDS.map(kind => {
    const types = RECORDS[kind].feed.changes.map(change => `${kind}.${change}`)
    const record = {
      anyOf: [{ $ref: `#/components/schemas/${SHOWN_AS[kind]}` }, { type: 'null' }],
      description:
        'The record as it was when the message was sent; null when it has been deleted or is larger than 16 kB',
    }
    return [kind, received(kind, `A ${kind.replace('_', ' ')} was changed`, types, record)]
  })
  const ping = received('ping', 'A test that somebody sent from the console', ['ping'], { type: 'null' })
  return Object.fromEntries([...ofKinds, ['ping', ping]])
}

function received(name: string, summary: string, types: string[], data: Json): Json {
  return {
    post: {
      operationId: `receive${name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      summary,
      description:
        'Sent to the webhooks of the company that ask for this kind, signed by the rules of Standard Webhooks.',
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema: messageOf(types, data) } } },
      responses: { '2XX': { description: 'Taken. After any other answer the message is sent again.' } },
    },
  }
}

const HEADERS = [
  ['webhook-id', 'The same for every attempt: recognizes a message that comes twice'],
  ['webhook-timestamp', 'The time of the attempt, in seconds since 1970'],
  [
    'webhook-signature',
    '`v1,` and the HMAC-SHA-256 of id, timestamp and body; several, separated by spaces, after a rotation',
  ],
].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))

function messageOf(types: string[], data: Json): Json {
  const orNull = (type: string, description: string) => ({ type: [type, 'null'], description })
  const properties = {
    id: { type: ['string', 'integer'], description: 'The ref of the record, or its number where it has none' },
    type: { type: 'string', enum: types },
    timestamp: { type: 'string', format: 'date-time', description: 'When it changed' },
    company_id: { type: 'integer', format: 'int64' },
    project_id: orNull('string', 'The `prj-` ref'),
    parent_id: { type: ['string', 'integer', 'null'], description: 'What the record is in or on' },
    parent_kind: orNull('string', 'What `parent_id` names: `task_list`, `task`, `discussion` or `folder`'),
    actor: orNull('string', 'Who made the change; null if the service did'),
    fields: { type: ['array', 'null'], items: { type: 'string' }, description: 'The fields that an update changed' },
    data,
  }
  return { type: 'object', required: Object.keys(properties), properties }
}
