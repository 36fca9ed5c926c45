import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { diwan, diwanJson } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { fingerprintsIn } from '../support/exported.ts'
import { newList, newTask } from '../support/factories.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  type Env,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../support/server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE, until } from '../support/servers.ts'

interface TestCell {
  env: Env
  url: string
  server: ServerProcess
}

/** No jobs are done by the servers themselves, so that they wait when the company moves. */
async function startCell(firstCompany: number): Promise<TestCell> {
  const { url } = await createPostgresDatabase(POSTGRES_TEMPLATE)
  await askPostgres(url, `alter sequence companies_id_seq restart with ${firstCompany}`)
  const settings = { SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0', ALLOW_PRIVATE_WEBHOOKS: 'on', WORKER: 'off' }
  const env = { ...settings, DATABASE_URL: url, DATA_DIR: newFolder() }
  return { env, url, server: await serve(env) }
}

function settingsFile(settings: Record<string, string>): string {
  const path = join(newFolder(), 'cell.env')
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`)
  writeFileSync(path, `# The other cell\n\n${lines.join('\n')}\n`)
  return path
}

const statusOf = async (cell: TestCell, { key }: TestCompany) => (await cell.server.diwan.api(key).get('/me')).status

describe.skipIf(!inject('postgresUrl'))('A company that moves to another cell', () => {
  let source: TestCell
  let target: TestCell
  let to: string

  beforeAll(async () => {
    ;[source, target] = await Promise.all([startCell(1), startCell(1_000_001)])
    to = settingsFile({ CELL: '2', DATABASE_URL: target.url, DATA_DIR: target.env.DATA_DIR as string })
  })

  const move = (company: TestCompany, ...options: string[]) =>
    diwan(source.env, 'company', 'move', String(company.id), '--to', to, ...options)

  /** Everything of a company, as the command writes it. */
  async function exported({ env }: TestCell, { id }: TestCompany) {
    const folder = join(newFolder(), 'export')
    expect(await diwan(env, 'export', String(id), folder)).toMatchObject({ code: 0, stderr: '' })
    // What the company itself shows differs: it is closed in one of them.
    const { 'company.json': _, ...fingerprints } = fingerprintsIn(folder)
    return fingerprints
  }

  /** Adds one task after the other until the source says that the company is not there. */
  async function writeUntilGone(api: Client, list: string) {
    const written: { id: string }[] = []
    const refusals: number[] = []
    for (let n = 1; ; n++) {
      const { status, body, headers } = await api.post(`/lists/${list}/tasks`, { title: `Task ${n}` })
      if (status === 404) return { written, refusals }
      // Each has to be told of afterwards.
      await sleep(50)
      if (status === 201) written.push(body.data)
      else {
        expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', null])
        refusals.push(status)
      }
    }
  }

  it('is whole in the new cell, while others there and here notice nothing', async () => {
    const { company, names } = await furnishEveryRecord(source.server.diwan)
    const [neighbour, resident] = [await source.server.diwan.company(), await target.server.diwan.company()]
    const receiver = await startReceiver()
    const hook = { name: 'Told', url: receiver.url, kinds: ['task.created'] }
    await created(company.admin.post('/webhooks', hook))
    await created(resident.admin.post('/webhooks', hook))
    const list = await newList(company, names.project as string)
    const residents = await newList(resident, (await target.server.diwan.project(resident)).id)
    await newTask(resident, residents.id, { title: 'Of a resident' })
    const sent = ['/projects', { name: 'Once' }, { 'idempotency-key': 'only-once' }] as const
    const once = (await created(company.api.post(...sent))).data
    const upload = { name: 'plan.txt', content: 'The plan' }
    const file = (await created(company.api.post(`/projects/${names.project}/files`, upload))).data
    const sandbox = (await created(company.admin.post('/sandbox'))).data
    const oldCursor = (await company.api.get('/company/changes')).body.meta.next_cursor
    const residentCursor = (await resident.api.get('/company/changes')).body.meta.next_cursor
    const placeOfResident = () =>
      askPostgres(target.url, `select tx, change_id, told_since from webhooks where company_id = ${resident.id}`)
    const place = await placeOfResident()
    const callsBefore = (await source.server.diwan.operator.get(`/companies/${company.id}`)).body.data.calls_today

    const writing = writeUntilGone(company.api, list.id)
    const moved = await diwanJson(source.env, 'company', 'move', String(company.id), '--to', to)
    const { written } = await writing
    expect(moved).toMatchObject({ cell: 2, damaged_files: [], resumed: false })
    expect(moved.companies).toEqual([company.id, sandbox.id])

    // The source keeps its rows for a while, and so can be compared.
    expect(await exported(target, company)).toEqual(await exported(source, company))
    const there = target.server.diwan.api(company.key)
    expect(written.length).toBeGreaterThan(0)
    for (const task of written) expect((await there.get(`/tasks/${task.id}`)).body.data).toEqual(task)
    expect((await there.post(...sent)).body.data.id).toBe(once.id)
    expect((await there.get('/projects')).body.meta.total).toBe(2)
    const owner = target.server.diwan.admin(company.id, company.ownerToken)
    expect((await owner.get('')).body.data).toMatchObject({
      closed_at: null,
      moved_to: null,
      sandbox_id: sandbox.id,
    })
    const { calls_today } = (await owner.get('')).body.data
    expect(calls_today).toBeGreaterThanOrEqual(callsBefore + written.length)

    // The feed begins again; that of the others goes on.
    const expired = await there.get(`/company/changes?after=${oldCursor}`)
    expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired'])
    const [highest] = (await askPostgres(source.url, 'select last_value from comments_id_seq')).split('\n')
    const comment = (await created(there.post(`/lists/${list.id}/comments`, { content: 'First one here' }))).data
    expect(comment.id).toBeGreaterThan(Number(highest))
    await until(
      async () => (await there.get(`/company/changes?after=${expired.body.error.cursor}`)).body.data.length === 1,
    )
    expect((await resident.api.get(`/company/changes?after=${residentCursor}`)).status).toBe(200)
    expect(await placeOfResident()).toBe(place)

    // What waited is done, once.
    const worker = launch({ ...target.env, PORT: '0' }, ['worker'])
    await until(
      async () => (await there.get(`/projects/${names.project}/files/${file.ref}`)).body.data.scan_state === 'clean',
    )
    const told = () => receiver.received.map(({ body }) => body.data.record?.title ?? body.data.title)
    const expected = 1 + written.length
    await until(async () => receiver.received.length >= expected, 300_000)
    await worker.end('SIGTERM')
    expect([told().filter(title => title === 'Of a resident').length, receiver.received.length]).toEqual([1, expected])

    // The source has closed it, and says where it is.
    expect([await statusOf(source, company), await statusOf(source, neighbour)]).toEqual([404, 200])
    const shown = await source.server.diwan.operator.get(`/companies/${company.id}`)
    expect(shown.body.data).toMatchObject({ closed_at: expect.any(String), moved_to: 2 })
    const reopened = await source.server.diwan.operator.post(`/companies/${company.id}/reopen`)
    expect([reopened.status, reopened.body.error.message]).toEqual([409, expect.stringContaining('cell 2')])
    expect(await move(company)).toMatchObject({ code: 0 })
    expect(await move(company, '--undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be undone'),
    })
  })

  it('takes rows along that are together longer than the longest string', { tags: 'long' }, async () => {
    const company = await source.server.diwan.company()
    await askPostgres(
      source.url,
      `insert into idempotent_answers (company_id, repeater, name, request_digest, status, answer)
       select ${company.id}, 'key:1', 'n' || n, '', 200, repeat('x', 24000000) from generate_series(1, 24) n`,
    )
    expect(await move(company)).toMatchObject({ code: 0 })
    const there = `select concat_ws(' ', count(*), sum(length(answer))) from idempotent_answers where company_id = ${company.id}`
    expect(await askPostgres(target.url, there)).toBe(`24 ${24 * 24_000_000}`)
  })

  const POINTS = [
    'Copying files',
    'Waiting until what was begun has ended',
    'It can only be read from now on',
    'Copying rows',
    'Comparing files',
    'Closing it here',
    'Opening it in cell 2',
  ]

  it('is whole in exactly one of them, wherever the command is killed', async () => {
    for (const [index, point] of POINTS.entries()) {
      const company = await source.server.diwan.company()
      const project = await source.server.diwan.project(company)
      const upload = { name: 'a.txt', content: point }
      await created(company.api.post(`/projects/${project.id}/files`, upload))
      const shownIn = async ({ server }: TestCell) => {
        const api = server.diwan.api(company.key)
        return [(await api.get(`/projects/${project.id}`)).body, (await api.get(`/projects/${project.id}/files`)).body]
      }
      const before = await shownIn(source)
      const command = launch(source.env, ['company', 'move', String(company.id), '--to', to])
      await until(async () => command.stderr().includes(point) || command.hasExited())
      await command.end('SIGKILL')
      const isUndone = index % 2 === 1 && (await move(company, '--undo')).code === 0
      if (!isUndone) expect([point, await move(company)]).toMatchObject([point, { code: 0 }])
      const [home, other] = isUndone ? [source, target] : [target, source]
      expect([point, await statusOf(home, company), await statusOf(other, company)]).toEqual([
        point,
        200,
        isUndone ? 401 : 404,
      ])
      expect(await shownIn(home)).toEqual(before)
      await created(home.server.diwan.api(company.key).post('/projects', { name: 'Goes on' }))
      if (isUndone)
        expect(await askPostgres(target.url, `select count(*) from users where company_id = ${company.id}`)).toBe('0')
    }
    for (const { env } of [source, target])
      expect((await diwan(env, 'verify-files')).stdout).toContain(', 0 without their bytes, ')
  })

  /** Somebody else's transaction, until it is ended. */
  async function transactionOn({ url }: TestCell, statement: string) {
    const client = new pg.Client(url)
    await client.connect()
    await client.query('begin')
    await client.query(statement)
    return { end: () => client.query('commit').finally(() => client.end()) }
  }

  it('stays closed when it is closed meanwhile, and can be moved when it is open again', async () => {
    const company = await source.server.diwan.company({ name: 'Closed meanwhile' })
    const below = `/companies/${company.id}`
    const { url } = await startReceiver()
    await created(company.admin.post('/webhooks', { name: 'Told', url, kinds: ['task.created'] }))
    // The command waits for a delivery that is under way.
    await askPostgres(
      source.url,
      `insert into webhook_deliveries
         (company_id, webhook_id, kind, change, record_id, project_id, at, claim, next_attempt_at)
       select company_id, id, 'task', 'created', 'tsk-0', 'prj-0', now(), gen_random_uuid(), now() + interval '1 hour'
       from webhooks where company_id = ${company.id}`,
    )
    const command = launch(source.env, ['company', 'move', String(company.id), '--to', to])
    const state = () =>
      askPostgres(
        source.url,
        `select concat_ws(' ', moved_to, moving, closed_at is not null) from companies where id = ${company.id}`,
      )
    await until(async () => (await state()) === '2 f')
    const closed = await source.server.diwan.operator.post(`${below}/close`, { name: 'Closed meanwhile' })
    expect(closed.status).toBe(200)
    await askPostgres(source.url, `update webhook_deliveries set claim = null where company_id = ${company.id}`)
    expect((await command.exited).code).toBe(1)
    expect(command.stderr()).toContain('was changed meanwhile')
    expect(await state()).toBe('t')
    expect((await move(company)).stderr).toContain('is closed')
    expect((await source.server.diwan.operator.post(`${below}/reopen`)).status).toBe(200)
    expect(await move(company)).toMatchObject({ code: 0 })
  })

  it('stays where it is when a sandbox is added to it while it is being closed, and can be moved with it after that', async () => {
    const company = await source.server.diwan.company()
    const sandbox = await transactionOn(
      source,
      `insert into companies (name, time_zone, plan, sandbox_of)
       select name, time_zone, plan, id from companies where id = ${company.id}`,
    )
    const moving = move(company)
    const state = () => askPostgres(source.url, `select coalesce(moving, '') from companies where id = ${company.id}`)
    await until(async () => (await state()) === 'leaving', 30_000)
    await sandbox.end()
    expect(await moving).toMatchObject({ code: 1, stderr: expect.stringContaining('A sandbox was added') })
    expect(await statusOf(source, company)).toBe(200)
    await source.server.diwan.project(company)
    const { companies } = await diwanJson(source.env, 'company', 'move', String(company.id), '--to', to)
    expect(companies).toEqual([company.id, expect.any(Number)])
  })

  it('is left alone by --undo when somebody opens it at that moment', async () => {
    const company = await source.server.diwan.company()
    expect(await move(company)).toMatchObject({ code: 0 })
    await askPostgres(
      target.url,
      `update companies set moving = 'arriving', closed_at = now() where id = ${company.id}`,
    )
    const opening = await transactionOn(
      target,
      `update companies set moving = null, closed_at = null where id = ${company.id}`,
    )
    const undoing = move(company, '--undo')
    await until(
      async () =>
        (await askPostgres(
          target.url,
          `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )) === '1',
    )
    await opening.end()
    expect(await undoing).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a copy') })
    expect([await statusOf(source, company), await statusOf(target, company)]).toEqual([404, 200])
  })

  it('stays where it is while a transaction of the other cell holds a sequence, and keeps nobody there waiting', async () => {
    const company = await source.server.diwan.company()
    await askPostgres(source.url, `select setval('users_id_seq', nextval('users_id_seq') + 100)`)
    // After this one the next is given out without being logged: the holder has no transaction number for which others would wait.
    await askPostgres(target.url, `select nextval('users_id_seq')`)
    const holder = await transactionOn(target, `select nextval('users_id_seq')`)
    const moving = move(company)
    const isWaiting = () =>
      askPostgres(
        target.url,
        `select exists (select from pg_locks where mode = 'ShareRowExclusiveLock' and not granted)`,
      )
    await until(async () => (await isWaiting()) === 'true', 30_000)
    await target.server.diwan.company()
    await holder.end()
    expect(await moving).toMatchObject({ code: 1, stderr: expect.stringContaining('users_id_seq') })
    expect(await statusOf(source, company)).toBe(200)
    await source.server.diwan.project(company)
    expect(await move(company)).toMatchObject({ code: 0 })
  })

  it('is not moved where that cannot end well, and one line says why', async () => {
    const company = await source.server.diwan.company()
    const closed = await source.server.diwan.company({ name: 'Closed' })
    await source.server.diwan.operator.post(`/companies/${closed.id}/close`, { name: 'Closed' })
    const settings = { CELL: '2', DATABASE_URL: target.url, DATA_DIR: target.env.DATA_DIR as string }
    const { CELL: _, ...withoutCell } = settings
    const other = newFolder()
    mkdirSync(join(other, 'files'))
    const { url: empty, drop } = await createPostgresDatabase()
    const refusals: [company: number | string, settings: Record<string, string>, line: RegExp, env?: Env][] = [
      ['x', settings, /^diwan: COMPANY must be the id of a company, not "x"$/],
      [999, settings, /^diwan: There is no company 999 here$/],
      [closed.id, settings, /^diwan: Company \d+ is closed: /],
      [company.id, withoutCell, /^diwan: \S+ must set CELL /],
      [company.id, { ...settings, DATABASE_URL: '' }, /^diwan: \S+: CELL must not be set without DATABASE_URL/],
      [company.id, { ...settings, DATABASE_URL: 'mysql://x' }, /^diwan: \S+: DATABASE_URL must /],
      [company.id, { ...settings, DATABASE_URL: source.url }, /^diwan: .+ both are the same database$/],
      [company.id, { ...settings, DATABASE_URL: empty }, /^diwan: .+ no server has been started /],
      [company.id, { ...settings, DATA_DIR: source.env.DATA_DIR as string }, /^diwan: .+ each cell has its own files$/],
      [company.id, settings, /^diwan: DATABASE_URL must be set: /, { ...source.env, DATABASE_URL: '' }],
      [
        company.id,
        settings,
        /^diwan: .+ another SERVER_SECRET/,
        { ...source.env, SERVER_SECRET: 'not-that-of-the-cells' },
      ],
    ]
    for (const [id, file, line, env = source.env] of refusals) {
      const { code, stdout, stderr } = await diwan(env, 'company', 'move', String(id), '--to', settingsFile(file))
      expect([stdout, stderr.trimEnd().split('\n').length, stderr.trimEnd()]).toEqual([
        '',
        1,
        expect.stringMatching(line),
      ])
      expect(code).toBeGreaterThan(0)
    }
    expect((await diwan(source.env, 'company', 'move', '1', '--to', join(other, 'none'))).stderr).toContain('ENOENT')
    await drop()

    await askPostgres(
      target.url,
      `insert into companies (id, name, time_zone, plan) overriding system value values (${company.id}, 'x', 'UTC', 'pro')`,
    )
    expect((await move(company)).stderr).toBe(`diwan: Cell 2 has a company ${company.id} already\n`)
    const role = `mover_${process.pid}`
    await askPostgres(target.url, `create role ${role} login`)
    for (const grant of ['all on all tables in schema public', 'pg_monitor'])
      await askPostgres(target.url, `grant ${grant} to ${role}`)
    const url = Object.assign(new URL(target.url), { username: role }).href
    const refused = await diwan(
      source.env,
      'company',
      'move',
      String(company.id),
      '--to',
      settingsFile({ ...settings, DATABASE_URL: url }),
    )
    expect(refused.stderr).toMatch(/run: grant set on parameter session_replication_role to mover_\d+$/m)
    expect(await statusOf(source, company)).toBe(200)
  })
})
