import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeSchema } from '../../src/db/describe-schema.ts'
import type { Database } from '../../src/db/postgres.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import {
  askCatalog,
  crosses,
  KEYS_WITHOUT_COMPANY,
  REFERENCES,
  type Reference,
  WITHOUT_COMPANY,
  WITHOUT_PRIMARY_KEY,
} from '../support/company-first.ts'
import { openTestDatabase } from '../support/database.ts'

const [apiDescription, adminDescription] = [describeApi(), describeAdmin()]

// A column and the descriptions have one list of values: none is offered that the database refuses.

interface Choice {
  enum?: string[]
  /** The schema of a list that has a name. */
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

/** These lists are not shown, or not as they are stored: audit, codes, apps and moves. */
const NOT_SHOWN = [
  'app_credentials.kind',
  'audit_entries.by_kind',
  'audit_entries.outcome',
  'companies.moving',
  'invitations.way',
]

// One company's row cannot point at another's, whatever the code does: the catalog of the database proves it.

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const valuesIn = (definition: string) => [...definition.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value)
const tables = <T>(query: string) => askCatalog<T>(database.pool, query)

it('src/db/schema.sql is what the migrations make on this engine: npm run schema writes it', async () => {
  expect(await describeSchema(database.db)).toBe(readFileSync('src/db/schema.sql', 'utf8'))
})

it('every table has a company_id that is never null, and a primary key; every unique index starts with it, those of digests aside', async () => {
  const names = (await tables<{ table_name: string }>('select table_name from tables')).map(row => row.table_name)
  expect(names).toEqual(expect.arrayContaining(['users', 'api_keys', 'personal_tokens', 'projects', 'audit_entries']))
  for (const query of [WITHOUT_COMPANY, WITHOUT_PRIMARY_KEY, KEYS_WITHOUT_COMPANY])
    expect([query, await tables(query)]).toEqual([query, []])
})

it('every reference to a table of a company leads with company_id on both sides', async () => {
  const references = await tables<Reference>(REFERENCES)
  expect(references.length).toBeGreaterThan(10)
  expect(references.filter(crosses)).toEqual([])
})

// A reference from the feed would have every write hold the row of its company, and so would one from the lines that count, which the upkeep
// removes; denials may be of no company; the log of requests is written so often that the check would cost more than the row; apps that
// ask for access, and what an identity provider told about somebody who has not chosen a company, are of no company yet.
it('every table but these reaches companies, by a reference of its own or through others', async () => {
  expect(
    await tables(`
      , reached as (
        select 'companies'::regclass::oid as oid
        union
        select k.conrelid from pg_constraint k join reached r on k.confrelid = r.oid where k.contype = 'f'
      )
      select table_name from tables where oid not in (select oid from reached) and table_name not in (
        'app_clients', 'app_requests', 'changes', 'count_changes', 'denial_counts', 'requests', 'shown_identities')`),
  ).toEqual([])
})

it('every table tells the planner to expect large companies', async () => {
  expect(
    await tables(`
      select table_name from tables t join pg_attribute a on a.attrelid = t.oid and a.attname = 'company_id'
      where a.attoptions is distinct from '{n_distinct=3}'`),
  ).toEqual([])
})

it('no reference empties company_id when its target goes', async () => {
  expect(
    await tables(`
      select table_name, conname from tables t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
      where k.confdeltype in ('n', 'd') and (k.confdelsetcols is null or k.conkey[1] = any (k.confdelsetcols))`),
  ).toEqual([])
})

it('A column that is checked against a list takes what the description offers, and nothing else; all such lists are named here', async () => {
  const { rows } = await database.pool.query<{ column: string; definition: string }>(`
    select k.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and array[a.attnum] = k.conkey
    where k.contype = 'c' and k.connamespace = 'public'::regnamespace and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%'`)
  const checked = Object.fromEntries(rows.map(({ column, definition }) => [column, valuesIn(definition)]))
  expect(Object.keys(checked).sort()).toEqual([...Object.keys(SHOWN_AS), ...NOT_SHOWN].sort())
  for (const [column, [description, schema, field]] of Object.entries(SHOWN_AS)) {
    const { schemas } = (description as Described).components
    const place = schemas[schema]?.properties?.[field]
    const offered = place?.enum ?? schemas[place?.$ref?.split('/').at(-1) ?? '']?.enum
    expect([column, offered?.filter(value => value !== null)]).toEqual([column, checked[column]])
  }
})
