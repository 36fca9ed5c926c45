import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { noonZone } from '../test/support/noon-zone.ts'
import { random } from '../test/support/random.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../test/support/server-process.ts'
import { POSTGRES_TEMPLATE } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const ALLOWANCE = rounds(300, 1_000)
const CALLS = rounds(600, 5_000)
const COMPANIES = rounds(1, 10)
const CALLERS = 40

describeWith('postgres', 'Four nodes that share an allowance', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let nodes: ServerProcess[]
  beforeAll(async () => {
    database = await createPostgresDatabase(POSTGRES_TEMPLATE)
    const env = { DATABASE_URL: database.url, SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0', WORKER: 'off' }
    nodes = await Promise.all([1, 2, 3, 4].map(() => serve({ ...env, DATA_DIR: newFolder() })))
  })
  afterAll(async () => {
    await Promise.all(nodes?.map(node => node.end('SIGKILL')) ?? [])
    await database?.drop()
  })

  it(`let exactly ${ALLOWANCE} of ${CALLS} calls through, for each of ${COMPANIES} companies`, async () => {
    for (let n = 0; n < COMPANIES; n++) {
      const [first] = nodes as [ServerProcess]
      const company = await first.diwan.company({ time_zone: noonZone(), daily_calls: ALLOWANCE })
      const statuses: number[] = []
      let spent = 0
      let left = CALLS
      const call = async () => {
        for (; left > 0; left--) {
          const api = nodes[Math.floor(random() * nodes.length)]?.diwan.api(company.key)
          const { status } = (await api?.get('/projects')) ?? { status: 0 }
          statuses.push(status)
          if (status === 200) spent++
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, call))
      expect(new Set(statuses)).toEqual(new Set([200, 429]))
      expect(spent).toBe(ALLOWANCE)
      const { body } = await first.diwan.operator.get(`/companies/${company.id}/usage?days=1`)
      expect(body.data[0].calls).toBe(ALLOWANCE)
    }
    tell('quota', { companies: COMPANIES, calls: CALLS * COMPANIES, granted: ALLOWANCE * COMPANIES })
  })
})
