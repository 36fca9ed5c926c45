import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCellProof } from '../../src/domain/cells/proof.ts'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { startHaproxyOfCells } from '../support/haproxy.ts'
import {
  type Env,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  withPostgres,
} from '../support/server-process.ts'
import { freePort, POSTGRES_TEMPLATE, until } from '../support/servers.ts'

/** As a cell of the same installation asks at the internal address. */
const AS_A_CELL = { authorization: `Bearer ${createCellProof(SERVER_SECRET).bearer}` }

describeWith('postgres', 'Two cells', () => {
  let databases: Awaited<ReturnType<typeof createPostgresDatabase>>[]
  let envs: [Env, Env]
  let cells: [ServerProcess, ServerProcess]
  /** One in each cell. */
  let [here, there]: TestCompany[] = []

  const one = () => cells[0].diwan
  const two = () => cells[1].diwan
  const statusIn = async (cell: ServerProcess, key: string) => (await cell.diwan.api(key).get('/me')).status

  beforeAll(async () => {
    databases = [await createPostgresDatabase(POSTGRES_TEMPLATE), await createPostgresDatabase(POSTGRES_TEMPLATE)]
    const ports = [await freePort(), await freePort()]
    const CELLS = `1=http://127.0.0.1:${ports[0]}, 7=http://127.0.0.1:${ports[1]}`
    envs = databases.map(({ url }, n) =>
      withPostgres(url, {
        PORT: String(ports[n]),
        CELL: String([1, 7][n]),
        CELLS,
        TRUST_PROXY: 'loopback',
        WORKER: 'off',
      }),
    ) as typeof envs
    cells = [await serve(envs[0]), await serve(envs[1])]
    here = await one().company({ name: 'Company here' })
    there = await two().company({ name: 'Company there', daily_calls: 100_000 })
  })
  afterAll(async () => {
    await Promise.all(cells?.map(cell => cell.end('SIGKILL')) ?? [])
    await Promise.all(databases?.map(database => database.drop()) ?? [])
  })

  it('number their companies apart, and answer calls, people and the operator in either', async () => {
    const { id, key, ownerToken, owner } = there as TestCompany
    expect([here?.id, id]).toEqual([1_000_001, 7_000_001])
    expect(key).toMatch(/^svc_api_7000001_[0-9A-Za-z]{49}$/)
    const before = Number((await two().api(key).get('/me')).headers.get('x-ratelimit-remaining'))
    const passedOn = await one().api(key).get('/me')
    expect([passedOn.status, passedOn.body.data.company.name]).toEqual([200, 'Company there'])
    expect(passedOn.headers.get('x-ratelimit-remaining')).toBe(String(before - 1))
    const signedIn = await one().client('/admin/v1').post('/sessions', { token: ownerToken })
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] as string
    for (const cell of [one(), two()]) {
      const me = await cell.client('/admin/v1').get('/me', { cookie })
      expect([me.status, me.body.data.user.id]).toEqual([200, owner.id])
      const { body } = await cell.operator.get('/companies')
      expect(body.data.map(({ id, cell }: { id: number; cell: number }) => [id, cell])).toEqual([
        [1_000_001, 1],
        [7_000_001, 7],
      ])
    }
    const where = await two().client('/internal').get('/where?company=7000001', AS_A_CELL)
    expect(where.body).toEqual({ cell: 7, company: 7_000_001 })
    expect((await two().client('/internal').get('/where?company=7000001')).status).toBe(404)
  })

  it('have a company whole in exactly one of them when its move is killed, goes on, and is found from both', async () => {
    const company = await one().company()
    const { id: project } = await one().project(company)
    await created(company.api.post(`/projects/${project}/files`, { name: 'a.txt', content: 'The plan' }))
    const shownIn = async (cell: ServerProcess) => {
      const api = cell.diwan.api(company.key)
      return [(await api.get(`/projects/${project}`)).body, (await api.get(`/projects/${project}/files`)).body]
    }
    const before = await shownIn(cells[0])
    const to = join(newFolder(), 'cell.env')
    const settings = { CELL: '7', DATABASE_URL: envs[1].DATABASE_URL, DATA_DIR: envs[1].DATA_DIR }
    writeFileSync(
      to,
      Object.entries(settings)
        .map(([name, value]) => `${name}="${value}"\n`)
        .join(''),
    )
    const args = ['company', 'move', String(company.id), '--to', to]
    const command = launch(envs[0], args)
    await until(async () => command.stderr().includes('Copying rows') || command.hasExited())
    await command.end('SIGKILL')
    expect(await diwan(envs[0], ...args)).toMatchObject({ code: 0 })
    const { body } = await two().operator.get(`/companies/${company.id}`)
    expect(body.data).toMatchObject({ cell: 7, closed_at: null })
    for (const cell of cells) expect(await shownIn(cell)).toEqual(before)
  })

  it('go on when the other is gone: its companies get 503, and the list says what is missing', async () => {
    await cells[1].end('SIGKILL')
    expect([await statusIn(cells[0], there?.key ?? ''), await statusIn(cells[0], here?.key ?? '')]).toEqual([503, 200])
    expect((await one().operator.get('/companies')).body.meta.cells_away).toEqual([7])
    cells[1] = await serve(envs[1])
    expect(await statusIn(cells[0], there?.key ?? '')).toBe(200)
  })

  describeWith('haproxy', 'behind HAProxy', ({ haproxy }) => {
    it('are found with its map, which is changed while it runs, and without; what they tell each other stays inside', async () => {
      const proxy = await startHaproxyOfCells(
        haproxy,
        cells.map(({ url }) => new URL(url).host),
      )
      const isLoggedBy = async (cell: ServerProcess, id: string) => {
        const headers = { authorization: `Bearer ${there?.key}`, 'x-request-id': id }
        expect((await proxy.ask('/api/v1/me', { headers })).status).toBe(200)
        // Later lines are logged later.
        await cell.diwan.client('/api/v1').get('/me', { 'x-request-id': `after-${id}` })
        await until(async () => cell.stderr().includes(`"after-${id}"`))
        return cell.stderr().includes(`"${id}"`)
      }
      expect(await isLoggedBy(cells[0], 'without')).toBe(true)
      expect(await proxy.tell(`add map ${proxy.map} 7000001 cell-2`)).toBe('')
      expect(await isLoggedBy(cells[0], 'with')).toBe(false)
      expect((await proxy.ask('/internal/where?company=7000001', { headers: AS_A_CELL })).status).toBe(404)
      expect((await proxy.ask('/metrics', { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })).status).toBe(404)
      await proxy.stop()
    })
  })
})
