import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEmbedded } from '../src/db/embedded.ts'
import { ENGINES, type EngineName } from '../test/support/both-engines.ts'
import { startCollector } from '../test/support/collector.ts'
import { diwan } from '../test/support/command.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { makeEverySecret, newSecret, settingsWithSecrets } from '../test/support/every-secret.ts'
import { startRadicale } from '../test/support/radicale.ts'
import { filesBelow, findSecrets, redisEntries, rowsOf } from '../test/support/secrets-found.ts'
import { type Env, embedded, launch, newFolder, serve } from '../test/support/server-process.ts'
import { freePort, startPostgres, startRedis, until } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const ROUNDS = rounds(1, 10)

/** A new database, which only this trial fills: its folder is searched too. */
async function newDatabase(engine: EngineName, postgres: string) {
  const folder = newFolder()
  const env = embedded(folder)
  if (engine === 'embedded')
    return { env, folder, open: () => openEmbedded(folder, console.error), stop: async () => {} }
  const server = await startPostgres(postgres)
  const secret = newSecret()
  // It trusts whoever comes; the password is there to be found.
  const url = Object.assign(new URL(server.url), { password: secret }).href
  const open = async () => {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: server.url })
    return { pool, close: () => pool.end() }
  }
  return { env: { ...env, DATABASE_URL: url }, folder: server.data, secret, open, stop: server.stop }
}

describeWith(['redis', 'radicale', 'postgres'], 'No secret', ({ redis, radicale, postgres }) => {
  it.each(ENGINES)(`on %s is found in anything that is kept or told, ${ROUNDS} times`, async engine => {
    const collector = await startCollector()
    const calendars = await startRadicale(radicale)
    for (let round = 0; round < ROUNDS; round++) {
      const database = await newDatabase(engine, postgres)
      // It remembers from where tokens were refused, so each round has its own.
      const store = await startRedis(redis)
      const set = settingsWithSecrets(await freePort())
      const env: Env = {
        ...database.env,
        ...set.env,
        REDIS_URL: store.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        ALLOW_PRIVATE_CALENDARS: 'on',
        ALLOW_PRIVATE_WEBHOOKS: 'on',
        BURST_PER_MINUTE: '100000',
      }
      await calendars.up()
      const calendar = await calendars.calendar(`work-${engine}-${round}`)
      const server = await serve(env)
      const { company, secrets: made } = await makeEverySecret(server.diwan, calendar)
      const secrets: Record<string, string> = { ...set.secrets, ...made }
      if ('secret' in database && database.secret) secrets['the password of the database'] = database.secret

      const told = new Map<string, Buffer>()
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const { status, body } = await server.diwan.client('', env.OPERATOR_TOKEN).get(path, headers)
        expect([path, status]).toEqual([path, 200])
        told.set(path, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
      }
      await until(async () => collector.received.length > 0)
      for (const path of ['/metrics', '/admin/v1/health', '/admin/v1/figures', '/admin/v1/jobs/failed']) await ask(path)
      const at = `/admin/v1/companies/${company.id}`
      await ask(`${at}/audit`, { accept: 'text/csv' })
      for (const list of ['requests', 'keys', 'webhooks', 'calendars', 'users', 'changes']) await ask(`${at}/${list}`)
      told.set('traces', Buffer.from(collector.received.map(({ text }) => text).join('\n')))
      if (store) for (const [name, bytes] of await redisEntries(store.url)) told.set(name, bytes)

      const kept = newFolder()
      const commands = [
        await diwan(env, 'backup', join(kept, 'backup.tar')),
        await diwan(env, 'export', String(company.id), join(kept, 'export')),
        await diwan(env, 'doctor'),
      ]
      expect(commands.slice(0, 2).map(({ code }) => code)).toEqual([0, 0])
      for (const [n, { stdout, stderr }] of commands.entries()) told.set(`command ${n}`, Buffer.from(stdout + stderr))
      await server.end('SIGTERM')
      told.set('the log', Buffer.from(server.stdout() + server.stderr()))
      const { pool, close } = await database.open()
      for (const [name, bytes] of await rowsOf(pool)) told.set(name, bytes)
      await pool.query('checkpoint')
      await close()
      for (const [name, bytes] of [
        ...filesBelow(database.folder, 'the database'),
        ...filesBelow(env.DATA_DIR as string, 'the data folder'),
        ...filesBelow(kept, 'a copy'),
      ])
        told.set(name, bytes)
      await expectSearchable(told)
      const found = findSecrets(secrets, told)
      const bytes = [...told.values()].reduce((sum, { length }) => sum + length, 0)
      const figures = { secrets: Object.keys(secrets).length, places: told.size, 'searched MB': bytes / 1e6 }
      tell('secrets', { engine, round: round + 1, ...figures, found: found.length })
      expect(found).toEqual([])
      await Promise.all([database.stop(), store.stop()])
    }
    await calendars.down()
  })
})

/** What is known to be there is found, so the search does look. */
async function expectSearchable(told: Map<string, Buffer>): Promise<void> {
  const everywhere = findSecrets({ 'a name': 'Website launch', 'an address': 'huda@example.com' }, told)
  expect(everywhere).toContain('a name, in clear, in table projects')
  expect(everywhere).toContain('an address, in clear, in table users')
  expect(everywhere.some(place => place.includes('the database'))).toBe(true)
  expect(everywhere.some(place => place.includes('a copy'))).toBe(true)
}

describe('A server whose parts refuse it', () => {
  it('tells nobody with which password', async () => {
    const secrets = { redis: newSecret(), s3: newSecret(), database: newSecret(), clamd: newSecret() }
    const { env } = settingsWithSecrets(await freePort())
    const attempts: Env[] = [
      { REDIS_URL: `redis://:${secrets.redis}@127.0.0.1:1` },
      { S3_URL: `http://key:${secrets.s3}@127.0.0.1:1/bucket` },
      { DATABASE_URL: `postgres://diwan:${secrets.database}@127.0.0.1:1/diwan` },
      { DATABASE_URL: `mysql://diwan:${secrets.database}@127.0.0.1:1/diwan` },
      { REDIS_URL: `http://:${secrets.redis}@127.0.0.1:1` },
      { S3_URL: `http://key:${secrets.s3}@127.0.0.1:1` },
      { SMTP_URL: `http://diwan:${secrets.clamd}@127.0.0.1:1` },
    ]
    const told = new Map<string, Buffer>()
    for (const [n, attempt] of attempts.entries()) {
      const given = { ...embedded(), ...env, ...attempt }
      const doctor = await diwan(given, 'doctor')
      const server = launch(given)
      await until(async () => server.hasExited() || /running at/.test(server.stdout()))
      await server.end('SIGTERM')
      told.set(`doctor ${n}`, Buffer.from(doctor.stdout + doctor.stderr))
      told.set(`server ${n}`, Buffer.from(server.stdout() + server.stderr()))
    }
    expect([...told.values()].every(({ length }) => length > 0)).toBe(true)
    expect(findSecrets(secrets, told)).toEqual([])
  })
})
