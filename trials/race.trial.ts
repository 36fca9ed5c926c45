import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectNobodyLifted } from '../test/rounds/races/demotions.ts'
import { expectNoOrphans } from '../test/rounds/races/doomed-lists.ts'
import { expectMovedThroughEveryWrite } from '../test/rounds/races/moves.ts'
import { expectNothingEnters, expectOneOfTwoChanges } from '../test/rounds/races/records.ts'
import { expectDistinctSlugs } from '../test/rounds/races/slugs.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import {
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  withoutJobs,
} from '../test/support/server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const ROUNDS = rounds(6, 200)
const PASSES = rounds(1, 15)
const PROXIED = { TRUST_PROXY: 'loopback' }

/** Every race, on servers that share a database. */
function describeRaces(start: () => Promise<ServerProcess[]>): void {
  let nodes: ServerProcess[]
  beforeAll(async () => {
    nodes = await start()
  })
  afterAll(() => Promise.all(nodes?.map(node => node.end('SIGKILL')) ?? []))

  it(`gives records of one name a slug each, in ${ROUNDS} rounds`, () => expectDistinctSlugs(nodes, ROUNDS))

  it(`leaves no task behind when its list is deleted, in ${ROUNDS} rounds`, () => expectNoOrphans(nodes, ROUNDS))

  it('finds a task that is being moved, whatever is written meanwhile', async () => {
    tell('race', { 'writes against a move': await expectMovedThroughEveryWrite(nodes, PASSES) })
  })

  it(`lets one of two change a record with the same tag, in ${ROUNDS} rounds`, () =>
    expectOneOfTwoChanges(nodes, ROUNDS))

  it(`lets nothing into or out of a project once it is archived, in ${ROUNDS} rounds`, () =>
    expectNothingEnters(nodes, ROUNDS))

  it(`lets nobody lift themselves who is demoted, in ${ROUNDS} rounds`, () => expectNobodyLifted(nodes, ROUNDS))
}

describe('The embedded database', () => describeRaces(async () => [await serve({ ...withoutJobs(), ...PROXIED })]))

describeWith('postgres', 'PostgreSQL, reached by two nodes', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  afterAll(async () => {
    if (!database) return
    // Each costs its callers a second, and is tried again.
    const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()'
    tell('race', { deadlocks: await askPostgres(database.url, deadlocks) })
    await database.drop()
  })

  describeRaces(async () => {
    database = await createPostgresDatabase(POSTGRES_TEMPLATE)
    const shared = { DATABASE_URL: database.url, SERVER_SECRET, OPERATOR_TOKEN, WORKER: 'off' }
    const env = { ...shared, BURST_PER_MINUTE: '0', ...PROXIED }
    return Promise.all([1, 2].map(() => serve({ ...env, DATA_DIR: newFolder() })))
  })
})
