import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { bodyFor, call, furnishContract, type Route, type World, WRITES } from '../support/contract.ts'
import { wrongCounters } from '../support/counters.ts'
import type { TestCompany } from '../support/diwan.ts'
import { Faults } from '../support/faulty-database.ts'
import { feedSettled } from '../support/feed.ts'
import { random, seed } from '../support/random.ts'
import { HAS_TIME } from '../support/suites.ts'

// Every write is made in two companies with the same records: in one the database is well, in the other its statements fail
// before and after they have taken effect. Whoever repeats a call until it is answered must find no difference.

const faults = new Faults()
const app = useOwnApp({ faults })
afterEach(() => faults.end())

const CHANCE = 0.12
const ROUNDS = HAS_TIME ? 3 : 1
/** What a caller is told to try again. */
const TRY_AGAIN = [409, 503]

/** Each write of the API at one of its addresses. */
const EACH = WRITES.filter(({ endpoint, address }) => address === endpoint.at.at(-1))
const isDeletion = ({ endpoint }: Route) => endpoint.method === 'DELETE'

/** The statuses of all answers to a call that is repeated, under one name, until it need not be. */
async function answersTo({ api, names }: World, name: string, route: Route): Promise<number[]> {
  const body = bodyFor(route.endpoint.name, names)
  const repeatable = route.endpoint.method === 'POST' || route.endpoint.method === 'PUT'
  const headers: Record<string, string> = repeatable ? { 'idempotency-key': name } : {}
  const statuses: number[] = []
  do {
    statuses.push((await call(api, route, names, { body, headers })).status)
  } while (TRY_AGAIN.includes(statuses.at(-1) as number) && statuses.length < 100)
  return statuses
}

/** What the feed tells of a company, without what differs from one company to the next. */
async function feedOf({ id }: TestCompany): Promise<unknown[]> {
  await feedSettled(app.database.pool)
  const { rows } = await app.database.pool.query(
    `select kind, change, fields from changes where company_id = $1 order by tx, id`,
    [id],
  )
  return rows
}

/** Where calls are counted, a call that was repeated counts again; and counts are summed up now and then. */
const COUNTED = ['calls_by_day', 'calls_by_hour', 'calls_by_key', 'requests', 'count_changes', 'denial_counts']

/** How many rows each table has of a company. */
async function rowsOf({ id }: TestCompany): Promise<Record<string, number>> {
  const { pool } = app.database
  const { rows: tables } = await pool.query(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'company_id' and table_type = 'BASE TABLE'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables.filter(({ name }) => !COUNTED.includes(name))) {
    // Somebody who is refused twice is recorded twice.
    const told = name === 'audit_entries' ? `and outcome <> 'denied'` : ''
    const { rows } = await pool.query(`select count(*)::int as count from ${name} where company_id = $1 ${told}`, [id])
    counts[name] = rows[0].count
  }
  return counts
}

const inAnyOrder = <T>(list: T[]) =>
  fc.sample(fc.shuffledSubarray(list, { minLength: list.length }), {
    numRuns: 1,
    seed: Math.floor(random() * 2 ** 31),
  })[0] as T[]

/** At which moments a commit was struck so far. */
function momentsOfCommits(): Set<string | undefined> {
  const commits = [...faults.struck.keys()].filter(name => name.endsWith('commit'))
  return new Set(commits.map(name => name.split(' ').at(-2)))
}

it(`Whatever statement fails, a write that is repeated under its name happens once and in whole, and nothing is 500 (seed ${seed})`, async () => {
  for (let round = 0; round < ROUNDS || (momentsOfCommits().size < 2 && round < 10 * ROUNDS); round++) {
    const [well, ill] = [await furnishContract(app.diwan), await furnishContract(app.diwan)]
    const [deletions, others] = [EACH.filter(isDeletion), EACH.filter(write => !isDeletion(write))]
    for (const [n, write] of [...inAnyOrder(others), ...inAnyOrder(deletions)].entries()) {
      const [expected] = await answersTo(well, `write-${n}`, write)
      faults.begin(Math.floor(random() * 2 ** 31), CHANCE)
      const answers = await answersTo(ill, `write-${n}`, write)
      faults.end()
      const last = answers.pop()
      expect(
        answers.filter(status => !TRY_AGAIN.includes(status)),
        write.title,
      ).toEqual([])
      // A deletion has no name: if it happened and its answer was lost, the record is not found when it is repeated, by the
      // caller or, after a serialization failure, by the server.
      const isGone = isDeletion(write) && last === 404
      expect(isGone ? expected : last, write.title).toBe(expected)
    }
    expect(await feedOf(ill.company)).toEqual(await feedOf(well.company))
    expect(await rowsOf(ill.company)).toEqual(await rowsOf(well.company))
    expect(await wrongCounters(app.database.db, ill.company.id)).toEqual([])
  }
  // It proves nothing unless commits were struck, before and after they took effect.
  expect(momentsOfCommits()).toEqual(new Set(['before', 'after']))
}, 120_000)
