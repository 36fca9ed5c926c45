import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { expectEachRowOnce, tasksDone } from '../rounds/killed-imports.ts'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { type Destination, destination, manyRows, written } from '../support/importing.ts'
import { noonZone } from '../support/noon-zone.ts'
import { type PlannedProxy, startPlannedProxy } from '../support/planned-proxy.ts'
import {
  type Env,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  withoutJobs,
} from '../support/server-process.ts'
import { freePort, POSTGRES_TEMPLATE, until } from '../support/servers.ts'

let server: ServerProcess
let settings: Env
let to: Destination
beforeAll(async () => {
  settings = { ...withoutJobs(), PORT: String(await freePort()) }
  server = await serve(settings)
  to = await destination(server)
})
afterAll(() => server?.end('SIGKILL'))

/** The number of tasks in the project, and the titles that occur more than once. */
async function counted({ lists }: Destination): Promise<{ tasks: number; twice: string[] }> {
  const titles = Object.values(await lists()).flatMap(tasks => tasks.map(({ title }) => title))
  return { tasks: titles.length, twice: titles.filter((title, n) => titles.indexOf(title) !== n) }
}
const stateOf = (file: string) => JSON.parse(readFileSync(`${file}.diwan-import.json`, 'utf8'))

describe('An import that was finished', () => {
  it('says so and writes nothing, unless it is to begin anew', async () => {
    const there = await destination(server)
    const file = written('Title\na\nb\n')
    await there.run(file)
    const { code, stdout } = await there.run(file)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ was already imported at .+Z\. Use --again/)])
    expect(await counted(there)).toEqual({ tasks: 2, twice: [] })
    expect((await there.run(file, '--again')).stdout).toContain('Imported 2 tasks')
    expect(await counted(there)).toEqual({ tasks: 4, twice: ['a', 'b'] })
  })

  it('refuses another file and other options, and says what to do', async () => {
    const there = await destination(server)
    const file = written('Title\na\nb\n')
    await there.run(file)
    expect((await there.run(file, '--batch', '7')).stderr).toBe(
      'diwan: --batch was 100 when this import began (2 tasks imported). Use the same value to continue, or use --again to start over, which imports every task again\n',
    )
    writeFileSync(file, 'Title\na\nb\nc\n')
    expect((await there.run(file)).stderr).toBe(
      'diwan: FILE has changed since its import began (2 tasks imported). Restore the original file to continue, or use --again to start over, which imports every task again\n',
    )
    writeFileSync(`${file}.diwan-import.json`, '{')
    expect((await there.run(file)).stderr).toMatch(
      / is not the state of an import by this version of Diwan\. Delete it to start over/,
    )
    expect(await counted(there)).toEqual({ tasks: 2, twice: [] })
  })
})

describe('An import that is interrupted', () => {
  it('finishes its batch at Ctrl-C, says how to go on, and does', async () => {
    const there = await destination(server)
    const file = written(manyRows(1_000, 2))
    const importing = launch(there.env, ['import', file, '--project', there.project, '--batch', '20'])
    await until(async () => tasksDone(file) > 100)
    expect(await importing.end('SIGINT')).toEqual({ code: 1, signal: null })
    const done = tasksDone(file)
    // After ten seconds it reports its progress.
    const said = importing.stderr().replace(/^\d+ of 1000 tasks, .*\n/gm, '')
    expect(said).toBe(`${done} of 1000 tasks imported\ndiwan: Stopped. Run the same command to continue\n`)
    expect(await counted(there)).toEqual({ tasks: done, twice: [] })
    const { stderr } = await there.run(file, '--batch', '20')
    expect(stderr).toMatch(new RegExp(`^Continuing after ${done} of 1000 tasks\n`))
    expect(await counted(there)).toEqual({ tasks: 1_000, twice: [] })
  })

  it('ends when the file is changed under it', async () => {
    const there = await destination(server)
    const file = written(manyRows(1_000, 2))
    const importing = launch(there.env, ['import', file, '--project', there.project, '--batch', '20'])
    await until(async () => tasksDone(file) > 0)
    writeFileSync(file, manyRows(1_001, 2))
    expect((await importing.exited).code).toBe(1)
    expect(importing.stderr()).toContain('tasks.csv was changed during the import\n')
  })

  it('outlives a server that is killed and started again', async () => {
    const file = written(manyRows(1_000, 2))
    const importing = launch(to.env, ['import', file, '--project', to.project, '--batch', '20'])
    await until(async () => tasksDone(file) > 200)
    await server.end('SIGKILL')
    server = await serve(settings)
    expect(await importing.exited, importing.stderr()).toEqual({ code: 0, signal: null })
    expect(importing.stderr()).toContain('Retrying')
    expect(await counted(to)).toEqual({ tasks: 1_000, twice: [] })
  })

  it('goes on on the day after when the allowance is spent', async () => {
    const there = await destination(server, { time_zone: noonZone(), daily_calls: 200 })
    const file = written(manyRows(300, 1))
    const { code, stderr } = await there.run(file)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^diwan: The daily allowance of 200 calls is used up, .+ resets at \d{4}-.+Z\. Run the same command then to continue\n$/,
      ),
    ])
    expect(tasksDone(file)).toBe(100)
    await server.diwan.operator.patch(`/companies/${there.company.id}`, { daily_calls: null })
    expect((await there.run(file)).code).toBe(0)
    expect(await counted(there)).toEqual({ tasks: 300, twice: [] })
  })
})

describe('A call that goes wrong on the way', () => {
  let proxy: PlannedProxy
  beforeAll(async () => {
    proxy = await startPlannedProxy(server.url)
  })

  it('is made again, whether the server was busy, the calls too fast or the answer lost', async () => {
    const there = await destination(server)
    const file = written('Title,Done\na,yes\nb,no\nc,yes\n')
    const tooFast = JSON.stringify({ error: 'Too many requests. Try again in 1 second.' })
    // The project and its members; then the tasks that are there, the lists, the new list, the batch and what is completed.
    proxy.fates = [
      ...(['pass', 'pass', 'pass', 'pass', 'cut after', 'pass'] as const),
      response => response.writeHead(503).end('Not now'),
      response => response.writeHead(429, { 'retry-after': '1' }).end(tooFast),
      ...(['cut after', 'cut before', 'pass', 'cut after'] as const),
    ]
    const { code, stderr } = await there.run(file, '--url', proxy.url)
    expect([code, stderr]).toEqual([0, expect.stringContaining('503: the server gave no reason. Retrying\n')])
    const { 'Imported tasks': tasks, ...others } = await there.lists()
    expect([tasks?.map(({ title, completed }) => [title, completed]), others]).toEqual([
      [
        ['a', true],
        ['b', false],
        ['c', true],
      ],
      {},
    ])
    const posts = proxy.seen.filter(({ method }) => method === 'POST')
    expect(posts.every(({ headers }) => headers['idempotency-key'] !== undefined)).toBe(true)
  })

  it('is explained by its rows when it is refused', async () => {
    const there = await destination(server)
    const file = written('Title,Assignee\na,\nb,Omar Aziz\n')
    const { body } = await there.company.admin.get('/users')
    const omar = body.data.find(({ email }: { email: string }) => email === there.omar)
    proxy.fates = ['pass', 'pass', 'pass', 'pass', 'pass']
    const leaves = async () => {
      await there.company.admin.patch(`/users/${omar.id}`, { active: false })
    }
    proxy.fates.push(response => leaves().then(() => response.writeHead(503).end()))
    const { code, stderr } = await there.run(file, '--url', proxy.url)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`row 3: assignee_email ${there.omar} is not a member`)])
    expect(await counted(there)).toEqual({ tasks: 0, twice: [] })
  })
})

/** The state of an import of 150 rows as it was when the second batch was on its way. */
function backToTheSecondBatch(file: string): void {
  const earlier = { ...stateOf(file), done: { batches: 1, tasks: 100 }, finishedAt: null }
  writeFileSync(`${file}.diwan-import.json`, JSON.stringify(earlier))
}

describe('A batch that was carried out and not noted', () => {
  let there: Destination
  let file: string
  const importAll = async () => {
    there = await destination(server)
    file = written(manyRows(150, 1))
    expect((await there.run(file)).code).toBe(0)
  }
  const secondBatch = async () => ((await there.lists())['List 0'] ?? []).slice(100)

  it('is found by the ids that the import gave, and what people have changed there stays', async () => {
    await importAll()
    backToTheSecondBatch(file)
    const [first, second] = await secondBatch()
    expect(first?.external_id).toBe(`${stateOf(file).run}-1-0`)
    await there.company.api.patch(`/tasks/${second?.id}`, { title: 'Renamed' })
    // A row of the same title that somebody else has added is not taken for one of the file.
    await there.company.api.post(`/lists/${(await listId()) ?? ''}/tasks`, { title: 'Task 120' })
    const other = { ...there.env, DIWAN_KEY: await server.diwan.key(there.company.id) }
    const { code } = await diwan(other, 'import', file, '--project', there.project)
    expect([code, await counted(there)]).toEqual([0, { tasks: 151, twice: ['Task 120'] }])
    expect((await secondBatch())[1]?.title).toBe('Renamed')
  })
  const listId = async () => {
    const { body } = await there.company.api.get(`/projects/${there.project}/lists`)
    return body.data[0]?.id as string | undefined
  }

  it('is sent when it is not there, and a task of it that somebody deleted too', async () => {
    await importAll()
    backToTheSecondBatch(file)
    for (const { id } of (await secondBatch()).slice(7)) await there.company.api.delete(`/tasks/${id}`)
    expect((await there.run(file)).code).toBe(0)
    expect(await counted(there)).toEqual({ tasks: 150, twice: [] })
  })
})

describe.skipIf(!inject('postgresUrl'))('On PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let node: ServerProcess
  beforeAll(async () => {
    database = await createPostgresDatabase(POSTGRES_TEMPLATE)
    node = await serve({
      DATABASE_URL: database.url,
      DATA_DIR: newFolder(),
      SERVER_SECRET,
      OPERATOR_TOKEN,
      WORKER: 'off',
      BURST_PER_MINUTE: '0',
      DEMO: 'off',
    })
  })
  afterAll(async () => {
    await node?.end('SIGKILL')
    await database?.drop()
  })

  it('5,000 rows are there once each, after the import was killed twice', { timeout: 400_000 }, async () => {
    await expectEachRowOnce(await destination(node), 5_000, 2)
  })

  it('nor is one there twice, or missing, when the rows have ids of their own', { timeout: 400_000 }, async () => {
    await expectEachRowOnce(await destination(node), 5_000, 2, { hasIds: true })
  })
})
