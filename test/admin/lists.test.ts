import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/postgres.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import { openTestDatabase } from '../support/database.ts'

const [apiDescription, adminDescription] = [describeApi(), describeAdmin()]

// What a column may hold and what the descriptions say of it are one list: no value is offered that the database refuses.

interface Choice {
  enum?: string[]
  /** Of a list that has a name. */
  $ref?: string
}
interface Described {
  components: { schemas: Record<string, Choice & { properties?: Record<string, Choice> }> }
}

/** The columns that the database checks against a list, and the field that shows each of them. */
const SHOWN_AS: Record<string, [description: object, schema: string, field: string]> = {
  'api_keys.access': [adminDescription, 'Key', 'access'],
  'api_keys.kind': [adminDescription, 'Key', 'kind'],
  'calendars.state': [adminDescription, 'Calendar', 'state'],
  'companies.language': [adminDescription, 'Company', 'language'],
  'companies.plan': [adminDescription, 'Company', 'plan'],
  'companies.subscription': [adminDescription, 'Company', 'subscription'],
  'files.scan_state': [apiDescription, 'StoredFile', 'scan_state'],
  'task_lists.priority': [apiDescription, 'TaskList', 'priority'],
  'users.language': [adminDescription, 'User', 'language'],
  'users.role': [adminDescription, 'User', 'role'],
  'webhook_deliveries.state': [adminDescription, 'WebhookDelivery', 'state'],
  'webhooks.switched_off_because': [adminDescription, 'Webhook', 'switched_off_because'],
}

/** Those of the audit are not shown as they are stored; how a code was given out, what apps hold and moves are not shown at all. */
const NOT_SHOWN = [
  'app_credentials.kind',
  'audit_entries.by_kind',
  'audit_entries.outcome',
  'companies.moving',
  'invitations.way',
]

let database: Database
let checked: Record<string, string[]>
beforeAll(async () => {
  database = await openTestDatabase()
  const { rows } = await database.pool.query<{ column: string; definition: string }>(`
    select k.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and array[a.attnum] = k.conkey
    where k.contype = 'c' and k.connamespace = 'public'::regnamespace and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%'`)
  checked = Object.fromEntries(rows.map(({ column, definition }) => [column, valuesIn(definition)]))
})
afterAll(() => database.close())

const valuesIn = (definition: string) => [...definition.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value)

it('The lists that the database knows are those spoken of here', () => {
  expect(Object.keys(checked).sort()).toEqual([...Object.keys(SHOWN_AS), ...NOT_SHOWN].sort())
})

it('A column takes what the description offers, and nothing else', () => {
  for (const [column, [description, schema, field]] of Object.entries(SHOWN_AS)) {
    const { schemas } = (description as Described).components
    const place = schemas[schema]?.properties?.[field]
    const offered = place?.enum ?? schemas[place?.$ref?.split('/').at(-1) ?? '']?.enum
    expect([column, offered?.filter(value => value !== null)]).toEqual([column, checked[column]])
  }
})
