import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import type { Blobs } from '../../src/domain/ports/blob-store.ts'
import { AGED_TABLES, KEPT, REMOVED_AT_ONCE } from '../../src/domain/upkeep/retention.ts'
import { useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { leaveDelivery } from '../support/deliveries.ts'
import { newComment, newDiscussion } from '../support/factories.ts'
import { furnish } from '../support/furnished.ts'
import { doStep } from '../support/upkeep.ts'
import { tellPeople } from '../support/worker.ts'

const app = useOwnApp()
const ask = async <T>(query: string, values: unknown[] = []) => app.database.db.raw<T>(query, values)
const count = async (table: string, companyId: number) =>
  (await ask<{ n: number }>(`select count(*) as n from ${table} where company_id = $1`, [companyId]))[0]?.n

describe('The list of what is kept', () => {
  it('names every table once', async () => {
    const tables = await ask<{ name: string }>(
      `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    const listed = [...AGED_TABLES, ...KEPT.withCompany, ...KEPT.byDatabase].toSorted()
    // Only the embedded database checks for itself that it is durable.
    const ofThis = listed.filter(name => name !== 'durability_probe' || app.database.engine === 'embedded')
    expect(tables.map(({ name }) => name).toSorted()).toEqual(ofThis)
  })

  it('has an index for the age of each table whose rows are kept for a time', async () => {
    for (const table of AGED_TABLES) {
      const indexes = await ask<{ first: string }>(
        `select pg_get_indexdef(indexrelid, 1, true) as first from pg_index where indrelid = $1::regclass and indpred is null`,
        [table],
      )
      const age = `GREATEST(${KEPT.forDays[table].from}, '-infinity'`
      expect([table, indexes.filter(({ first }) => first.startsWith(age)).length]).toEqual([table, 1])
    }
  })
})

describe('What is kept for a time', () => {
  /** A company with a row in each table whose rows are kept for a time. */
  async function newCompany(): Promise<number> {
    const { company, named } = await furnish(app.diwan)
    const discussion = await newDiscussion(company, named.project as string)
    await newComment(company, `/discussions/${discussion.id}`)
    await signIn(app.diwan, { token: company.ownerToken })
    await company.api.get('/projects/none')
    await leaveDelivery(app.database.db, named.webhook)
    for (const statement of [
      `insert into denial_counts (company_id, credential, hour, count) values ($1, 'x', date_trunc('hour', now()), 1)
       on conflict do nothing`,
      `insert into idempotent_answers (company_id, repeater, name, request_digest, status, answer)
       select company_id, 'key:' || id, 'x', '', 201, '{}' from api_keys where company_id = $1`,
      `insert into requests (company_id, at, key_id, request_id, method, path, status, ms)
       values ($1, now(), 1, 'x', 'GET', '/', 404, 1)`,
      `insert into shown_identities (company_id, digest, state_digest, issuer, subject, email_verified)
       values ($1::bigint, sha256(convert_to($1::bigint::text, 'UTF8')), '', 'x', 'x', false)`,
      `delete from calls_by_day where company_id = $1`,
      `delete from calls_by_hour where company_id = $1`,
      `insert into calls_by_day (company_id, local_date, calls, last_granted) values ($1, current_date, 1, 1)`,
      `insert into calls_by_hour (company_id, local_date, hour, calls) values ($1, current_date, 1, 1)`,
      `insert into calls_by_key (company_id, local_date, key_id, operation, status, calls)
       select company_id, current_date, id, 'tasks:read', 299, 1 from api_keys where company_id = $1`,
      `insert into app_credentials (company_id, key_id, kind, digest, client_id, resource, expires_at)
       select company_id, id, 'access', digest, 'x', 'x', now() from api_keys where company_id = $1`,
      `insert into app_requests (company_id, browser_digest, client_id, client_name, client_host, redirect_uri,
         code_challenge, resource, issuer) values ($1, '', 'x', 'x', 'x', 'x', 'x', 'x', 'x')`,
    ])
      await ask(statement, [company.id])
    await tellPeople(app)
    return company.id
  }

  it('stays until its time is over, and is removed then, in every table', async () => {
    const company = await newCompany()
    // Those of apps that have registered are of no company: `oauth.test.ts` looks at them.
    for (const table of AGED_TABLES.filter(name => name !== 'app_clients')) {
      const { from, days } = KEPT.forDays[table]
      const before = await count(table, company)
      expect(before, table).toBeGreaterThan(0)
      const age = (interval: string) =>
        ask(`update ${table} set ${from} = now() - make_interval(days => ${days}) ${interval} where company_id = $1`, [
          company,
        ])
      await age(`+ interval '1 day'`)
      await doStep(app, table)
      expect(await count(table, company), table).toBe(before)
      await age(`- interval '1 second'`)
      await doStep(app, table)
      expect(await count(table, company), table).toBe(0)
    }
  })

  it('is removed a thousand rows at a time, as are entries of another database in the feed, and no other', async () => {
    const { company } = await furnish(app.diwan)
    const before = await count('changes', company.id)
    const add = (fields: string, values: string) =>
      ask(
        `insert into changes (company_id, kind, change, record_id, project_id, ${fields})
         select $1, 'task', 'created', 'x', 'x', ${values} from generate_series(1, 2500) n`,
        [company.id],
      )
    await add('at', `now() - interval '31 days' - n * interval '1 second'`)
    expect(await doStep(app, 'changes')).toEqual([REMOVED_AT_ONCE, REMOVED_AT_ONCE, 500])
    await add('tx', `(pg_current_xact_id()::text::bigint + 1000000 + n)::text::xid8`)
    expect(await doStep(app, 'foreign_changes')).toEqual([1_000, 1_000, 500])
    expect(await count('changes', company.id)).toBe(before)
  })
})

it('Jobs leave nothing when they are done, and are removed 30 days after they failed or were to be done', async () => {
  await ask('delete from pgboss.job')
  const payloads = Array.from({ length: 4 }, (_, n) => ({ company_id: 1, task_list_id: n }))
  await app.database.db.transaction(tx => app.jobs.enqueue(tx, 'remove-list', payloads))
  const take = () => app.jobs.take('remove-list', 0, [])
  const [done, failed, old] = [await take(), await take(), await take()]
  for (const job of [failed, old])
    await ask(
      `update pgboss.job set state = 'failed', completed_on = now() - make_interval(days => $2) where id = $1::uuid`,
      [job?.id, job === old ? 31 : 29],
    )
  await app.jobs.complete('remove-list', done?.id as string)
  expect(await ask('select id from pgboss.job')).toHaveLength(3)
  expect(await doStep(app, 'jobs')).toEqual([1])
  await ask(`update pgboss.job set keep_until = now() where state = 'created'`)
  expect(await doStep(app, 'jobs')).toEqual([1])
  expect(await ask('select id from pgboss.job')).toEqual([{ id: failed?.id }])
  await ask('delete from pgboss.job')
})

describe('Bytes', () => {
  it('that cannot be removed keep no others from it, and the step says so', async () => {
    const { id } = await app.diwan.company()
    const stored = ['a', 'b', 'c'].map(text => ({ text, digest: createHash('sha256').update(text).digest('hex') }))
    for (const { text, digest } of stored) await app.blobs.put(id, digest, Buffer.from(text))
    const listed: string[] = []
    const blobs: Blobs = {
      ...app.blobs,
      async *list() {
        for await (const blob of app.blobs.list()) {
          if (blob.companyId !== id) continue
          listed.push(blob.digest)
          yield { ...blob, storedAt: 0 }
        }
      },
      remove: async (companyId, digest, held) => {
        if (digest === listed[0]) throw new Error('It cannot be removed')
        return app.blobs.remove(companyId, digest, held)
      },
    }
    await expect(doStep(app, 'orphaned_bytes', blobs)).rejects.toThrow('It cannot be removed')
    const left = await Promise.all(listed.map(digest => app.blobs.has(id, digest)))
    expect(left).toEqual([true, false, false])
    await app.blobs.removeAll(id)
  })

  it('without a row are found with one statement for 500, and those with a row stay', async () => {
    const { company } = await furnish(app.diwan)
    const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
    const orphans = ['one', 'two', 'three'].map(digestOf)
    for (const text of ['one', 'two', 'three']) await app.blobs.put(company.id, digestOf(text), Buffer.from(text))
    const stored: string[] = []
    for await (const { digest } of app.blobs.list()) stored.push(digest)
    const hourAgo = { storedAt: Date.now() - 3_700_000 }
    const blobs = {
      ...app.blobs,
      async *list() {
        for await (const blob of app.blobs.list()) yield { ...blob, ...hourAgo }
      },
    }
    expect(await doStep(app, 'orphaned_bytes', blobs)).toEqual([3])
    const left: string[] = []
    for await (const { digest } of app.blobs.list()) left.push(digest)
    expect(left.toSorted()).toEqual(stored.filter(digest => !orphans.includes(digest)).toSorted())
    const sent: string[] = []
    const { db } = app.database
    const watched: Db = {
      ...db,
      many: query => {
        sent.push('statement')
        return db.many(query)
      },
      transaction: work => {
        sent.push('transaction')
        return db.transaction(work)
      },
    }
    const again = { ...app, database: { ...app.database, db: watched } }
    expect(await doStep(again, 'orphaned_bytes', blobs)).toEqual([0])
    expect(sent).toEqual(['statement'])
  })
})
