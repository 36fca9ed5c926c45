import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tasksDone } from '../rounds/killed-imports.ts'
import { useApp } from '../support/app.ts'
import { diwan } from '../support/command-in-process.ts'
import { type Destination, destination, manyRows, written } from '../support/importing.ts'
import { noonZone } from '../support/noon-zone.ts'
import { startPlannedProxy } from '../support/planned-proxy.ts'

const server = useApp()

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

it('An import goes on on the day after when the allowance is spent', async () => {
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

it('A call that goes wrong on the way is made again, whether the server was busy, the calls too fast or the answer lost', async () => {
  const proxy = await startPlannedProxy(server.url)
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
