import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrationNames } from '../../src/db/migration-files.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { keepBusy } from '../support/busy-company.ts'
import { diwan, diwanJson } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { documented } from '../support/documented.ts'
import { differences, fingerprintsIn, linesOf, recordsIn } from '../support/exported.ts'
import { furnishWork, newTask } from '../support/factories.ts'
import { feedSettled } from '../support/feed.ts'
import { canMount, fillDisk, mountSmallDisk } from '../support/mounts.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  type Env,
  embedded,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  serve,
  withoutJobs,
} from '../support/server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE, until } from '../support/servers.ts'

/** A dozen commands, each a process that opens the database itself. */
const MANY_COMMANDS_MS = 400_000

const SETTINGS = { DEMO: 'off', SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' }

/** An installation with nothing in it. */
const emptyEmbedded = (): Env => ({ ...SETTINGS, DATA_DIR: join(newFolder(), 'data') })
/** With a role that owns the database and nothing else. */
async function emptyPostgres(): Promise<Env> {
  const url = new URL((await createPostgresDatabase()).url)
  const name = url.pathname.slice(1)
  await askPostgres(url.href, `create role ${name} login`)
  await askPostgres(url.href, `alter database ${name} owner to ${name}`)
  return { ...emptyEmbedded(), DATABASE_URL: Object.assign(url, { username: name }).href }
}
async function migratedPostgres(): Promise<Env> {
  return { ...emptyEmbedded(), DATABASE_URL: (await createPostgresDatabase(POSTGRES_TEMPLATE)).url }
}

async function exportOf(env: Env, company: number): Promise<string> {
  const folder = join(newFolder(), 'export')
  const { code, stderr } = await diwan(env, 'export', String(company), folder)
  expect([code, stderr]).toEqual([0, ''])
  return folder
}

async function restored(env: Env, file: string): Promise<Env> {
  const { code, stdout, stderr } = await diwan(env, 'restore', file)
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Start the server with the SERVER_SECRET that this ran with/),
  ])
  expect(stdout).toMatch(/^Restored [\d,]+ rows?, \d+ files?, \d.* as of 2/)
  return env
}

/** What the feed reports after a cursor. */
async function changesAfter(api: Client, cursor: string): Promise<{ kind: string; id: string; change: string }[]> {
  const changes = []
  for (let after = cursor, more = true; more; ) {
    const { body } = await api.get(`/company/changes?limit=500&after=${after}`)
    changes.push(...body.data)
    ;({ next_cursor: after, more } = body.meta)
  }
  return changes
}

const DOCUMENT = 'docs/running-in-production.md'
const [documentedBackup = '', documentedRestore = ''] = documented(DOCUMENT, 'Backup')
const [documentedExport = ''] = documented(DOCUMENT, 'Export of a company')

/** Runs commands of the document, with another folder for the backup. */
async function follow(commands: string, env: Env, folder: string): Promise<void> {
  const settings = { env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env } }
  await promisify(execFile)('sh', ['-euc', commands.replaceAll('/backup/', `${folder}/`)], settings)
}

/** On PostgreSQL others write at the very moment of the backup; its snapshot tells which of these writes it has seen. */
async function hasSeen({ DATABASE_URL }: Env, snapshot: string): Promise<(key: string) => boolean> {
  if (!DATABASE_URL) return () => false
  const isSeen = `pg_visible_in_snapshot(tx, '${snapshot}')`
  const seen = await askPostgres(
    DATABASE_URL,
    `select coalesce(json_agg(record), '[]')::text from (
       select kind || ' ' || record_id as record from changes group by 1 having bool_and(${isSeen})) seen`,
  )
  const records = new Set<string>(JSON.parse(seen))
  return key => records.has(key)
}

/** Writes of others on the same server may hold the feed back. */
async function settledFeedOf({ DATABASE_URL }: Env): Promise<void> {
  if (!DATABASE_URL) return
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  await feedSettled(client)
  await client.end()
}

/** Restored elsewhere, it has all but what the feed of the original tells behind its point. */
async function expectBackupUnderLoad(engine: 'embedded' | 'postgres'): Promise<void> {
  const env = engine === 'embedded' ? embedded() : await migratedPostgres()
  const server = await serve(env)
  const company = await server.diwan.company()
  const project = (await server.diwan.project(company)).id
  const writers = keepBusy(company, project)
  await until(async () => writers.writes() >= 8, 60_000)
  const file = join(newFolder(), 'backup.tar')
  const taken = await diwanJson(env, 'backup', file)
  expect(taken).toMatchObject({ file, engine, missing_files: [] })
  const during = writers.writes()
  await until(async () => writers.writes() >= during + 8, 60_000)
  await writers.stop()
  const original = recordsIn(await exportOf(env, company.id))
  await settledFeedOf(env)
  const told = await changesAfter(company.api, taken.point.cursor)
  const isSeen = await hasSeen(env, taken.point.snapshot)
  await server.end('SIGTERM')

  const target = await restored(engine === 'embedded' ? emptyEmbedded() : await emptyPostgres(), file)
  const exported = await exportOf(target, company.id)
  const copy = recordsIn(exported)
  const different = differences(original, copy)
  expect(different.length).toBeGreaterThan(20)
  const named = new Set(told.map(({ kind, id }) => `${kind} ${id}`))
  // Deleting a task also deletes its comments.
  const goesWithTask = (key: string) =>
    key.startsWith('comment') && named.has(`task ${(copy.get(key) ?? original.get(key)).parent_id}`)
  expect(different.filter(key => !named.has(key) && !goesWithTask(key))).toEqual([])
  // Nor does the feed report anything that is the same in both. Of the last scans, the feed knew more than the export.
  const changed = new Set(told.filter(({ change }) => change !== 'scanned').map(({ kind, id }) => `${kind} ${id}`))
  const same = [...changed].filter(key => original.has(key) && !different.includes(key))
  expect(same.filter(key => !isSeen(key))).toEqual([])
}

/** Asks the database of an installation whose server is stopped. */
async function askDatabase({ DATABASE_URL, DATA_DIR = '' }: Env, statement: string): Promise<unknown[]> {
  const onError = (error: Error) => console.error(error)
  const database = DATABASE_URL
    ? await openPostgres(DATABASE_URL, { poolSize: 1, onError })
    : await openEmbedded(DATA_DIR, onError)
  const { rows } = await database.withoutDeadline(client => client.query(statement))
  await database.close()
  return rows
}

/** They are in parts that a reader can hold, and can be restored. */
async function expectLargeRows(engine: 'embedded' | 'postgres'): Promise<void> {
  const env = engine === 'embedded' ? withoutJobs() : await migratedPostgres()
  const server = await serve(env)
  const company = await server.diwan.company()
  await server.end('SIGTERM')
  // The answers to changes of one task many times over, which are kept, and one that is larger still.
  await askDatabase(
    env,
    `insert into idempotent_answers (company_id, repeater, name, request_digest, status, answer)
     select ${company.id}, 'key:1', 'n' || n, '', 200, case n when 7 then repeat('"', 10000000) when 8 then 'small'
       else repeat('ش"', 1000000) end from generate_series(1, 14) n`,
  )
  const read = `select count(*), sum(octet_length(answer)) as bytes, md5(string_agg(md5(answer), '' order by name)) as digest
                from idempotent_answers`
  const original = await askDatabase(env, read)
  const file = join(newFolder(), 'backup.tar')
  expect(await diwanJson(env, 'backup', file)).toMatchObject({ engine, missing_files: [] })
  const { stdout } = await promisify(execFile)('tar', ['-tf', file])
  // No two of them fit into one part, except the small one with another.
  expect(stdout.match(/^tables\/idempotent_answers\//gm)).toHaveLength(13)
  const target = await restored(engine === 'embedded' ? emptyEmbedded() : await emptyPostgres(), file)
  expect(await askDatabase(target, read)).toEqual(original)
}

const NAMED = { external_id: 'crm/٧٧', metadata: { stage: 'مراجعة', 'a.b': '"quoted"' } }

/** Takes a backup of a company with records in it. */
async function backupOf(env: Env): Promise<{ file: string; company: TestCompany }> {
  const server = await serve(env)
  const { company, project, list, task, discussion } = await furnishWork(server.diwan)
  await created(company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'bytes' }))
  for (const address of [
    `/projects/${project.id}`,
    `/lists/${list.id}`,
    `/tasks/${task.id}`,
    `/discussions/${discussion.id}`,
  ])
    expect((await company.api.patch(address, NAMED)).status).toBe(200)
  await server.end('SIGTERM')
  const file = join(newFolder(), 'backup.tar')
  expect((await diwan(env, 'backup', file)).code).toBe(0)
  return { file, company }
}

describe('Restoring', () => {
  it(
    'refuses what does not fit and touches nothing; what was cut short is done again',
    async () => {
      const source = withoutJobs()
      const { file, company } = await backupOf(source)
      const refused = async (env: Env, path: string, why: RegExp) => {
        const { code, stdout, stderr } = await diwan(env, 'restore', path)
        expect([code, stdout]).toEqual([1, ''])
        expect(stderr).toMatch(why)
      }
      const target = emptyEmbedded()
      const damaged = join(newFolder(), 'damaged.tar')
      const bytes = readFileSync(file)
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
      writeFileSync(damaged, bytes)
      await refused(target, damaged, /^diwan: .*damaged\.tar cannot be restored: .*\n$/)
      const otherSecret = { ...target, SERVER_SECRET: 'x'.repeat(40) }
      await refused(otherSecret, file, /cannot be restored: SERVER_SECRET must be that of the installation/)
      const { SERVER_SECRET: _, ...withoutSecret } = target
      await refused(withoutSecret, file, /^diwan: SERVER_SECRET must be set to that of the installation/)
      expect(existsSync(target.DATA_DIR as string)).toBe(false)
      const before = await exportOf(source, company.id)
      await refused(source, file, /^diwan: DATA_DIR must have no database, and .* has one: there are rows/)
      expect(fingerprintsIn(await exportOf(source, company.id))).toEqual(fingerprintsIn(before))
      expect((await diwan(withoutSecret, 'restore', file, '--verify-only')).stdout).toMatch(
        /^Verified \d+ rows, 1 file,/,
      )
      expect(existsSync(target.DATA_DIR as string)).toBe(false)

      const killed = launch(target, ['restore', file])
      await until(async () => existsSync(join(target.DATA_DIR as string, 'database')))
      await killed.end('SIGKILL')
      await restored(target, file)
      expect(fingerprintsIn(await exportOf(target, company.id))).toEqual(fingerprintsIn(before))
    },
    MANY_COMMANDS_MS,
  )

  it('brings back keys, and what was still to be done: a scan, and a change that a webhook had not been told of', async () => {
    const env = { ...withoutJobs(), ALLOW_PRIVATE_WEBHOOKS: 'on' }
    const receiver = await startReceiver()
    const server = await serve(env)
    const { company, project, list } = await furnishWork(server.diwan)
    await created(company.admin.post('/webhooks', { name: 'x', url: receiver.url, kinds: ['task.created'] }))
    const task = await newTask(company, list.id, { title: 'Not told of yet' })
    const upload = await created(company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'bytes' }))
    const folder = newFolder()
    await follow(documentedBackup, env, folder)
    const { body } = await company.api.get('/company/changes')
    await server.end('SIGTERM')

    const target = { ...emptyEmbedded(), ALLOW_PRIVATE_WEBHOOKS: 'on' }
    await follow(documentedRestore, target, folder)
    await follow(documentedExport.replace('export 1', `export ${company.id}`), target, folder)
    expect(linesOf(join(folder, 'company-1'), 'tasks').map(({ id }) => id)).toContain(task.id)
    const second = await serve(target)
    const api = second.diwan.api(company.key)
    expect((await api.get(`/company/changes?after=${body.meta.next_cursor}`)).status).toBe(410)
    expect((await api.post(`/lists/${list.id}/tasks`, { title: 'After the restore' })).status).toBe(201)
    const at = `/projects/${project.id}/files/${upload.data.ref}`
    await until(async () => (await api.get(at)).body.data.scan_state === 'clean', 60_000)
    await until(async () => receiver.received.length >= 2, 60_000)
    const titles = receiver.received.map(({ body }) => body.data.title)
    expect(titles.sort()).toEqual(['After the restore', 'Not told of yet'])
    await second.end('SIGTERM')
  })
})

describe('A backup of the embedded database', () => {
  it(
    'has what was written while it was taken, or the feed tells it',
    () => expectBackupUnderLoad('embedded'),
    MANY_COMMANDS_MS,
  )

  it('has rows of 10 MB', () => expectLargeRows('embedded'), MANY_COMMANDS_MS)
})

describeWith('postgres', 'A backup of PostgreSQL', () => {
  it(
    'has what was written while it was taken, or the feed tells it',
    () => expectBackupUnderLoad('postgres'),
    MANY_COMMANDS_MS,
  )

  it('has rows of 10 MB', () => expectLargeRows('postgres'), MANY_COMMANDS_MS)

  it(
    'and one of the embedded database are the same: a company moves there and back',
    async () => {
      const source = withoutJobs()
      const { file, company } = await backupOf(source)
      const original = fingerprintsIn(await exportOf(source, company.id))
      const moved = await restored(await emptyPostgres(), file)
      expect(fingerprintsIn(await exportOf(moved, company.id))).toEqual(original)
      const again = join(newFolder(), 'again.tar')
      expect(await diwanJson(moved, 'backup', again)).toMatchObject({ engine: 'postgres', files: 1, missing_files: [] })
      const back = await restored(emptyEmbedded(), again)
      const there = await exportOf(back, company.id)
      expect(fingerprintsIn(there)).toEqual(original)
      for (const kind of ['projects', 'task_lists', 'tasks', 'discussions'])
        expect([kind, linesOf(there, kind)]).toEqual([kind, expect.arrayContaining([expect.objectContaining(NAMED)])])
    },
    MANY_COMMANDS_MS,
  )

  it('of an earlier schema is restored, and brought up to date', async () => {
    const names = await migrationNames()
    const { url } = await createPostgresDatabase()
    const database = await openPostgres(url, { poolSize: 2, onError: error => console.error(error) })
    await migrate(database, { upTo: names.at(-2) as string })
    await (await openJobQueue(database, error => console.error(error))).close()
    await database.db.raw(
      `insert into companies (name, time_zone, plan) values ('Najd Trading', 'Asia/Riyadh', 'pro')`,
      [],
    )
    await database.close()
    const file = join(newFolder(), 'backup.tar')
    const source = { ...emptyEmbedded(), DATABASE_URL: url }
    expect(await diwanJson(source, 'backup', file)).toMatchObject({ migration: names.at(-2) })
    const { DATABASE_URL = '' } = await restored(await emptyPostgres(), file)
    expect(await askPostgres(DATABASE_URL, 'select max(name) from migrations')).toBe(names.at(-1))
    expect(await askPostgres(DATABASE_URL, 'select name from companies')).toBe('Najd Trading')
  })
})

it.skipIf(!canMount(() => mountSmallDisk(1)))(
  'A copy that the disk has no room for is not begun, and the server goes on',
  async () => {
    const folder = mountSmallDisk(250)
    const env = withoutJobs(folder)
    const server = await serve(env)
    fillDisk(folder, 70)
    const file = join(newFolder(), 'backup.tar')
    const { code, stderr } = await diwan(env, 'backup', file)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^diwan: DATA_DIR: .* the disk of DATA_DIR has .* MB free, and a copy of the database needs .* MB\./,
      ),
    ])
    expect([existsSync(join(folder, 'copies')), existsSync(file), existsSync(`${file}.part`)]).toEqual([
      false,
      false,
      false,
    ])
    expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    await server.end('SIGTERM')
  },
)

describe('A backup that is killed', () => {
  it('leaves no file, and no copy of the database once the server that made it notices or starts again', async () => {
    const env = withoutJobs()
    const copies = () => readdirSync(join(env.DATA_DIR as string, 'copies'))
    const file = join(newFolder(), 'backup.tar')
    const server = await serve(env)
    await server.diwan.company()
    const first = launch(env, ['backup', file])
    await until(async () => existsSync(join(env.DATA_DIR as string, 'copies')) && copies().length > 0)
    await first.end('SIGKILL')
    await until(async () => copies().length === 0)

    const second = launch(env, ['backup', file])
    await until(async () => copies().length > 0)
    await Promise.all([second.end('SIGKILL'), server.end('SIGKILL')])
    expect(copies().length).toBe(1)
    const again = await serve(env)
    expect([copies(), existsSync(file)]).toEqual([[], false])
    expect((await diwan(env, 'backup', file)).code).toBe(0)
    expect([copies(), existsSync(`${file}.part`)]).toEqual([[], false])
    await again.end('SIGTERM')
  })
})
