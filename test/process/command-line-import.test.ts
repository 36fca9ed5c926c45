import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectEachRowOnce, tasksDone } from '../rounds/killed-imports.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { destination, manyRows, written } from '../support/importing.ts'
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
beforeAll(async () => {
  settings = { ...withoutJobs(), PORT: String(await freePort()) }
  server = await serve(settings)
})
afterAll(() => server?.end('SIGKILL'))

describe('An import that is interrupted', () => {
  /** An import of a thousand rows that has begun. */
  async function begun(rowsDone: number) {
    const there = await destination(server)
    const file = written(manyRows(1_000, 2))
    const importing = launch(there.env, ['import', file, '--project', there.project, '--batch', '20'])
    await until(async () => tasksDone(file) > rowsDone)
    return { there, file, importing }
  }

  it('finishes its batch at Ctrl-C, says how to go on, and does', async () => {
    const { there, file, importing } = await begun(100)
    expect(await importing.end('SIGINT')).toEqual({ code: 1, signal: null })
    const done = tasksDone(file)
    // After ten seconds it reports its progress.
    const said = importing.stderr().replace(/^\d+ of 1000 tasks, .*\n/gm, '')
    expect(said).toBe(`${done} of 1000 tasks imported\ndiwan: Stopped. Run the same command to continue\n`)
    expect(await there.count()).toBe(done)
    const { stderr } = await there.run(file, '--batch', '20')
    expect(stderr).toMatch(new RegExp(`^Continuing after ${done} of 1000 tasks\n`))
    expect(await there.count()).toBe(1_000)
  })

  it('ends when the file is changed under it', async () => {
    const { file, importing } = await begun(0)
    writeFileSync(file, manyRows(1_001, 2))
    expect((await importing.exited).code).toBe(1)
    expect(importing.stderr()).toContain('tasks.csv was changed during the import\n')
  })

  it('outlives a server that is killed and started again', async () => {
    const { there, importing } = await begun(200)
    await server.end('SIGKILL')
    server = await serve(settings)
    expect(await importing.exited, importing.stderr()).toEqual({ code: 0, signal: null })
    expect(importing.stderr()).toContain('Retrying')
    expect(await there.count()).toBe(1_000)
  })
})

describeWith('postgres', 'On PostgreSQL', () => {
  it('each row is there once after an import was killed twice, with ids and without', {
    timeout: 400_000,
  }, async () => {
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    const env = { DATABASE_URL: url, DATA_DIR: newFolder(), SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' }
    const node = await serve({ ...env, WORKER: 'off', DEMO: 'off' })
    for (const hasIds of [false, true]) await expectEachRowOnce(await destination(node), 3_000, 2, { hasIds })
    await node.end('SIGKILL')
    await drop()
  })
})
