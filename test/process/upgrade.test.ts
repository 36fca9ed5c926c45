import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { describeSchema } from '../../src/db/describe-schema.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { contractingStatements, lockedTables } from '../support/contracting-statements.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { newList, newTask } from '../support/factories.ts'
import { nodeOn, useReleases } from '../support/released-nodes.ts'
import { EXPANSIONS, migrationsOf, type Release, releaseWith } from '../support/releases.ts'
import { answering, type Env, embedded, launch, serve } from '../support/server-process.ts'
import { askPostgres, until } from '../support/servers.ts'

const FILES = Object.keys(EXPANSIONS)

const releases = useReleases()

async function schemaOf(url: string): Promise<string> {
  const database = await openPostgres(url, { poolSize: 1, onError: () => {} })
  try {
    return await describeSchema(database.db)
  } finally {
    await database.close()
  }
}

async function migrateWith({ main }: Release, env: Env): Promise<string> {
  const command = launch(env, ['migrate'], [], main)
  expect(await command.exited, command.stderr()).toEqual({ code: 0, signal: null })
  return command.stdout()
}

it('The migrations of the release before are in this one as they were, and the next adds what a release may', () => {
  const ours = migrationsOf(releases.next)
  for (const [name, text] of migrationsOf(releases.previous)) expect([name, ours.get(name)]).toEqual([name, text])
  for (const text of Object.values(EXPANSIONS)) {
    expect(contractingStatements(text)).toEqual([])
    expect(lockedTables(text).length).toBeLessThan(2)
  }
})

describeWith('postgres', 'A migration that cannot go on at once', () => {
  it('makes no call fail, keeps no old node from starting, survives being killed, and is done once by two nodes', async () => {
    const { previous, next } = releases
    const { url, drop } = await createPostgresDatabase()
    const [old, holder] = [await serve(nodeOn(url, { WORKER: 'off' }), [], previous.main), new pg.Client(url)]
    const company = await old.diwan.company()
    const list = await newList(company, (await old.diwan.project(company)).id)
    await holder.connect()
    const begin = (release: Release) =>
      launch({ ...nodeOn(url, { WORKER: 'off' }), PORT: '0' }, ['serve'], [], release.main)
    const applied = async () => Number(await askPostgres(url, `select count(*) from migrations where name like '9%'`))

    let isOver = false
    const writing = (async () => {
      while (!isOver) await newTask(company, list.id)
    })()
    // A backup or a report has read a table, and has not ended: the file that alters it has to wait.
    await holder.query('begin; select from tasks limit 1')
    const first = begin(next)
    await until(async () => first.stderr().includes(`Migration ${FILES[0]} waits for a table that is in use; process`))
    await serve(nodeOn(url, { WORKER: 'off' }), [], previous.main)
    await first.end('SIGKILL')
    expect(await applied()).toBe(0)
    await holder.query('commit')

    // A snapshot that somebody holds: the index that is made concurrently has to wait.
    await holder.query('begin isolation level repeatable read; select from pg_class limit 1')
    const second = begin(next)
    const building = `select count(*) from pg_stat_progress_create_index where datname = current_database()`
    await until(async () => (await askPostgres(url, building)) === '1')
    const both = [begin(next), begin(next)]
    await second.end('SIGKILL')
    expect(await applied()).toBe(FILES.length - 1)
    await holder.query('commit')
    for (const node of both) expect(await answering(node), node.stderr()).toMatch(/^http/)
    isOver = true
    await writing
    expect(await applied()).toBe(FILES.length)
    expect(await askPostgres(url, 'select count(*) from pg_index where not indisvalid')).toBe('0')

    // The node of the release before tells what the triggers of the next one have noticed.
    const after = (await company.api.get('/company/changes')).body.meta.next_cursor
    await askPostgres(url, `update tasks set next_note = 'x'`)
    await until(async () => {
      const { body } = await company.api.get(`/company/changes?after=${after}`)
      return body.data.some(({ fields }: { fields: string[] }) => fields?.includes('next_note'))
    })
    const fresh = await createPostgresDatabase()
    await migrateWith(next, nodeOn(fresh.url))
    const made = await schemaOf(fresh.url)
    expect(made).toContain('next_note')
    expect(await schemaOf(url)).toBe(made)
    await holder.end()
    await Promise.all([old, ...both].map(node => node.end('SIGKILL')))
    await Promise.all([drop(), fresh.drop()])
  })

  it('waits longer each time for a table that is never at rest', async () => {
    const { url, drop } = await createPostgresDatabase()
    const env = nodeOn(url)
    await migrateWith(releases.previous, env)
    let isOver = false
    const reading = Array.from({ length: 12 }, async () => {
      const reader = new pg.Client(url)
      await reader.connect()
      while (!isOver) {
        await sleep(Math.random() * 500)
        await reader.query('begin; select from tasks limit 1; select pg_sleep(1.2); commit')
      }
      await reader.end()
    })
    const [file, text] = Object.entries(EXPANSIONS)[0] as [string, string]
    expect(await migrateWith(releaseWith('a later release', { [file]: text }), env)).toBe(`Applied ${file}\n`)
    isOver = true
    await Promise.all(reading)
    await drop()
  })

  it('because a newer release has taken something away is refused in one line by this one', async () => {
    const { url, drop } = await createPostgresDatabase()
    const env = nodeOn(url)
    const drops = '-- contracts: unused since 99.0.0\nalter table tasks drop column time_spent_minutes cascade;\n'
    await migrateWith(releaseWith('a later release', { '9999_without.sql': drops }), env)
    for (const command of ['serve', 'migrate']) {
      const refused = launch({ PORT: '0', ...env }, [command], [])
      expect((await refused.exited).code).toBe(1)
      expect(refused.stderr()).toMatch(
        /^[^\n]*needs release 99\.0\.0 or newer since 9999_without\.sql, and this is [^\n]*\n$/,
      )
    }
    await drop()
  })
})

it('The embedded database is migrated when the next release starts, and served by the one before after a rollback', async () => {
  const env = embedded()
  expect(await migrateWith(releases.next, env)).toBe(`Applied ${FILES.join(', ')}\n`)
  const { diwan, end } = await serve(env, [], releases.previous.main)
  const company = await diwan.company()
  const list = await newList(company, (await diwan.project(company)).id)
  expect((await newTask(company, list.id)).title).toBeTruthy()
  await end('SIGTERM')
})
