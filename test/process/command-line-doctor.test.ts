import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { startBucket } from '../support/answering-bucket.ts'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { faultsIn, found } from '../support/doctor.ts'
import { asOwner, makeReadOnly, makeWritable } from '../support/nobody.ts'
import {
  type Env,
  embedded,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  serve,
} from '../support/server-process.ts'
import { askPostgres, freePort, POSTGRES_TEMPLATE } from '../support/servers.ts'

const others: { close(): unknown }[] = []
afterAll(() => {
  for (const other of others) other.close()
})

describe('diwan doctor', () => {
  it('finds nothing wrong with an embedded installation, running or not', async () => {
    const env = embedded()
    expect(await faultsIn(env)).toEqual([])
    const server = await serve({ ...env, PORT: String(await freePort()) })
    expect(await faultsIn({ ...env, PORT: String(server.port) })).toEqual([])
    const { stdout } = await diwan({ ...env, DIWAN_URL: `http://127.0.0.1:${server.port}` }, 'doctor')
    expect(stdout).toContain(`Ready at 127.0.0.1:${server.port}.`)
    await server.end('SIGKILL')
  })

  it('finds nothing wrong before the first start, and makes nothing', async () => {
    const DATA_DIR = join(newFolder(), 'data')
    expect(await faultsIn({ DATA_DIR })).toEqual([])
    expect(() => chmodSync(DATA_DIR, 0o700)).toThrow('ENOENT')
  })

  it('prints a line for each thing, and below what is wrong what to do', async () => {
    const { code, stdout } = await diwan({ DATA_DIR: newFolder(), PORT: 'x', WORKER: 'off' }, 'doctor')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAULT {2}configuration +PORT must be a whole number.*\n {20,}Correct the variable/m)
    expect(stdout).toMatch(/\n2 things need attention\.\n$/)
    // All messages, and what to do, are in one column.
    const rows = stdout.split('\n\n')[0]?.split('\n') ?? []
    const columns = rows.map(row => /^(\S+ +\S+ +| {2,})(?=\S)/.exec(row)?.[0].length)
    expect([new Set(columns).size, rows.some(row => row.includes('identity_provider  '))]).toEqual([1, true])
  })

  it.each<[string, Env, ReturnType<typeof found>]>([
    ['a setting that cannot be used', { PORT: 'x' }, found('configuration', /^PORT must be/, /README/)],
    ['a short secret', { OPERATOR_TOKEN: 'only-15-letters' }, found('secrets', /^OPERATOR_TOKEN/, /openssl rand/)],
    ['a Redis that is down', { REDIS_URL: 'redis://127.0.0.1:1' }, found('redis', /ECONNREFUSED/, /REDIS_URL/)],
    ['a clamd that is down', { CLAMD_URL: 'tcp://127.0.0.1:1' }, found('scanner', /ECONNREFUSED/, /CLAMD_URL/)],
    [
      'a mail server that is down',
      {
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'a@example.com',
        PUBLIC_URL: 'https://a.example',
        TRUST_PROXY: 'on',
      },
      found('mail', /ECONNREFUSED/, /SMTP_URL/),
    ],
    [
      'a bucket that is down',
      { S3_URL: 'http://key:secret@127.0.0.1:2/files' },
      found('storage', /ECONNREFUSED/, /S3_URL/),
    ],
    ['an address without TLS', { PUBLIC_URL: 'http://diwan.example.com' }, found('public_url', /http:/, /https:/)],
    ['an address with a path of ours', { PUBLIC_URL: 'http://localhost/api/v1' }, found('public_url', /api/, /path/)],
    ['a proxy that is not trusted', { PUBLIC_URL: 'https://a.example' }, found('trust_proxy', /proxy/, /TRUST_PROXY/)],
    ['links to no address', { HOST: '0.0.0.0' }, found('public_url', /PUBLIC_URL is not set/, /Set PUBLIC_URL/)],
    ['jobs that nobody works on', { WORKER: 'off' }, found('worker', /WORKER is off/, /DATABASE_URL/)],
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://127.0.0.1:1/diwan', SERVER_SECRET },
      found('database', /ECONNREFUSED/, /DATABASE_URL/),
    ],
  ])('finds %s, and says what to do', async (_fault, env, expected) => {
    expect(await faultsIn({ DATA_DIR: newFolder(), ...env })).toEqual([expected])
  })

  it('finds each of several faults', async () => {
    const env = {
      DATA_DIR: newFolder(),
      PORT: 'x',
      BURST_PER_MINUTE: '-1',
      SMTP_URL: 'smtp://127.0.0.1:1',
      DATABASE_URL: 'x',
    }
    const names = (await faultsIn(env)).map(({ name, message }) =>
      name === 'configuration' ? message.split(' ')[0] : name,
    )
    expect(names).toEqual(['PORT', 'DATABASE_URL', 'BURST_PER_MINUTE', 'MAIL_FROM', 'public_url', 'mail'])
  })

  it('finds a data folder that cannot be written', async () => {
    const DATA_DIR = newFolder()
    makeReadOnly(DATA_DIR)
    const examined = launch({ DATA_DIR, PORT: String(await freePort()) }, ['doctor', '--json'], asOwner)
    const ended = examined.exited.then(({ code }) => ({ code, stdout: examined.stdout(), stderr: examined.stderr() }))
    expect(await faultsIn({}, ended)).toEqual([found('storage', /cannot be written: EACCES/, /chown/)])
    makeWritable(DATA_DIR)
  })

  it('finds a secret that others can read, and rules that cannot be compiled', async () => {
    const DATA_DIR = newFolder()
    writeFileSync(join(DATA_DIR, 'server-secret'), `${SERVER_SECRET}\n`, { mode: 0o644 })
    mkdirSync(join(DATA_DIR, 'yara-rules'))
    writeFileSync(join(DATA_DIR, 'yara-rules', 'own.yar'), 'rule broken {')
    expect(await faultsIn({ DATA_DIR })).toEqual([
      found('secrets', /can read .*server-secret/, /chmod 600/),
      found('scanner', /./, /yara-rules/),
    ])
  })

  it('finds a bucket whose clock is another', async () => {
    const bucket = await startBucket((asked, response) => {
      response.setHeader('date', new Date(Date.now() - 300_000).toUTCString())
      const isRead = asked.startsWith('GET') && !asked.includes('list-type')
      if (isRead) response.writeHead(200, { etag: '"0"' }).end('doctor')
      return isRead
    })
    others.push(bucket)
    expect(await faultsIn({ DATA_DIR: newFolder(), S3_URL: bucket.url })).toEqual([
      found('clock', /30\d s behind/, /NTP/),
    ])
  })

  it('finds another program at the port', async () => {
    const other = createServer((_request, response) => response.end('<h1>It works</h1>')).listen(0, '127.0.0.1')
    others.push(other)
    await new Promise(resolve => other.once('listening', resolve))
    const PORT = String((other.address() as AddressInfo).port)
    const env = { DATA_DIR: newFolder(), PORT, OPERATOR_TOKEN }
    expect(await faultsIn(env)).toEqual([found('server', /Another program/, /PORT/)])
  })
})

describe.skipIf(!inject('postgresUrl'))('diwan doctor with PostgreSQL', () => {
  const on = (DATABASE_URL: string, more: Env = {}) =>
    faultsIn({ DATA_DIR: newFolder(), DATABASE_URL, SERVER_SECRET, OPERATOR_TOKEN, ...more })

  it('finds nothing wrong with a migrated database', async () => {
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    expect(await on(url)).toEqual([])
    await drop()
  })

  it('finds tables that are missing, and those of a later version', async () => {
    const empty = await createPostgresDatabase()
    expect(await on(empty.url)).toEqual([found('migrations', /no tables yet/, /diwan migrate/)])
    await empty.drop()
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    await askPostgres(url, "update migrations set name = '9999_later.sql' where name like '0017%'")
    expect(await on(url)).toEqual([found('migrations', /newer than this program: 9999_later/, /newer version/)])
    await askPostgres(url, "update migrations set oldest_release = '99.0.0' where name = '9999_later.sql'")
    expect(await on(url)).toEqual([found('migrations', /9999_later.*cannot work with it/, /newer version/)])
    await askPostgres(url, "delete from migrations where name = '9999_later.sql'")
    expect(await on(url)).toEqual([found('migrations', /Not applied yet: 0017/, /diwan migrate/)])
    await drop()
  })

  it('finds a ctype that knows no Arabic, another encoding, and a server that takes no writes', async () => {
    const server = new URL(inject('postgresUrl') as string)
    const make = async (name: string, settings: string) => {
      await askPostgres(server.href, `create database ${name} template template0 ${settings}`)
      return Object.assign(new URL(server), { pathname: `/${name}` }).href
    }
    const inC = await make(`doctor_c_${process.pid}`, "encoding 'UTF8' lc_ctype 'C' lc_collate 'C'")
    expect(await on(inC)).toContainEqual(found('database', /LC_CTYPE/, /lc_ctype 'C\.UTF-8'/))
    const latin = await make(`doctor_l_${process.pid}`, "encoding 'LATIN1' lc_ctype 'C' lc_collate 'C'")
    expect(await on(latin)).toContainEqual(found('database', /LATIN1/, /UTF8/))
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    await askPostgres(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    expect(await on(url)).toEqual([found('database', /no writes/, /primary/)])
    await drop()
    for (const name of ['c', 'l'])
      await askPostgres(server.href, `drop database doctor_${name}_${process.pid} with (force)`)
  })

  it('finds a clock that is wrong', async () => {
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    const code = 'const now = Date.now; Date.now = () => now() - 60_000'
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(code)}`
    expect(await on(url, { NODE_OPTIONS })).toEqual([
      found('clock', /^The clock of the database is (5[5-9]|6[0-4])\.\d s ahead/, /NTP/),
    ])
    await drop()
  })

  it('finds a pool that is larger than the server', async () => {
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    expect(await on(url, { DATABASE_POOL_SIZE: '400' })).toEqual([
      found('database', /404 connections/, /DATABASE_POOL_SIZE/),
    ])
    await drop()
  })
})
