import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startBucket } from '../support/answering-bucket.ts'
import { useApp } from '../support/app.ts'
import { diwan } from '../support/command-in-process.ts'
import { faultsIn, found } from '../support/doctor.ts'
import { type Env, embedded, newFolder, OPERATOR_TOKEN, SERVER_SECRET } from '../support/server-process.ts'
import { freePort } from '../support/servers.ts'

const app = useApp()
vi.setConfig({ testTimeout: 240_000 })

/** The findings that need attention where nothing listens at the port, unless one is given. */
const faults = async (env: Env) => faultsIn(env, diwan({ PORT: String(await freePort()), ...env }, 'doctor', '--json'))

it('Nothing is wrong with an installation whose server runs or does not, nor before the first start, which makes nothing', async () => {
  const env = embedded()
  expect(await faults(env)).toEqual([])
  const { stdout } = await diwan({ ...env, DIWAN_URL: app.url }, 'doctor')
  expect(stdout).toContain(`Ready at ${new URL(app.url).host}.`)
  const DATA_DIR = join(newFolder(), 'data')
  expect(await faults({ DATA_DIR })).toEqual([])
  expect(existsSync(DATA_DIR)).toBe(false)
})

it('A line is printed for each thing, in columns, and below what is wrong what to do', async () => {
  const { code, stdout } = await diwan({ DATA_DIR: newFolder(), PORT: 'x', WORKER: 'off' }, 'doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^FAULT {2}configuration +PORT must be a whole number.*\n {20,}Correct the variable/m)
  expect(stdout).toMatch(/\n2 things need attention\.\n$/)
  const rows = stdout.split('\n\n')[0]?.split('\n') ?? []
  const columns = rows.map(row => /^(\S+ +\S+ +| {2,})(?=\S)/.exec(row)?.[0].length)
  expect([new Set(columns).size, rows.some(row => row.includes('identity_provider  '))]).toEqual([1, true])
})

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' }

it('Each fault is found, with what to do', async () => {
  for (const [env, expected] of [
    [{ PORT: 'x' }, found('configuration', /^PORT must be/, /README/)],
    [{ OPERATOR_TOKEN: 'only-15-letters' }, found('secrets', /^OPERATOR_TOKEN/, /openssl rand/)],
    [{ REDIS_URL: 'redis://127.0.0.1:1' }, found('redis', /ECONNREFUSED/, /REDIS_URL/)],
    [{ CLAMD_URL: 'tcp://127.0.0.1:1' }, found('scanner', /ECONNREFUSED/, /CLAMD_URL/)],
    [{ ...MAIL, PUBLIC_URL: 'https://a.example', TRUST_PROXY: 'on' }, found('mail', /ECONNREFUSED/, /SMTP_URL/)],
    [{ S3_URL: 'http://key:secret@127.0.0.1:2/files' }, found('storage', /ECONNREFUSED/, /S3_URL/)],
    [{ PUBLIC_URL: 'http://diwan.example.com' }, found('public_url', /http:/, /https:/)],
    [{ PUBLIC_URL: 'http://localhost/api/v1' }, found('public_url', /api/, /path/)],
    [{ PUBLIC_URL: 'https://a.example' }, found('trust_proxy', /proxy/, /TRUST_PROXY/)],
    [{ HOST: '0.0.0.0' }, found('public_url', /PUBLIC_URL is not set/, /Set PUBLIC_URL/)],
    [{ WORKER: 'off' }, found('worker', /WORKER is off/, /DATABASE_URL/)],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/diwan', SERVER_SECRET },
      found('database', /ECONNREFUSED/, /DATABASE_URL/),
    ],
  ] as [Env, ReturnType<typeof found>][])
    expect([env, await faults({ DATA_DIR: newFolder(), ...env })]).toEqual([env, [expected]])
})

it('Each of several faults is found', async () => {
  const env = { DATA_DIR: newFolder(), PORT: 'x', BURST_PER_MINUTE: '-1', SMTP_URL: MAIL.SMTP_URL, DATABASE_URL: 'x' }
  const names = (await faults(env)).map(({ name, message }) =>
    name === 'configuration' ? message.split(' ')[0] : name,
  )
  expect(names).toEqual(['PORT', 'DATABASE_URL', 'BURST_PER_MINUTE', 'MAIL_FROM', 'public_url', 'mail'])
})

it('A secret that others can read is found, and rules that cannot be compiled', async () => {
  const DATA_DIR = newFolder()
  writeFileSync(join(DATA_DIR, 'server-secret'), `${SERVER_SECRET}\n`, { mode: 0o644 })
  mkdirSync(join(DATA_DIR, 'yara-rules'))
  writeFileSync(join(DATA_DIR, 'yara-rules', 'own.yar'), 'rule broken {')
  expect(await faults({ DATA_DIR })).toEqual([
    found('secrets', /can read .*server-secret/, /chmod 600/),
    found('scanner', /./, /yara-rules/),
  ])
})

it('A bucket whose clock is another is found, and another program at the port', async () => {
  const bucket = await startBucket((asked, response) => {
    response.setHeader('date', new Date(Date.now() - 300_000).toUTCString())
    const isRead = asked.startsWith('GET') && !asked.includes('list-type')
    if (isRead) response.writeHead(200, { etag: '"0"' }).end('doctor')
    return isRead
  })
  const other = createServer((_request, response) => response.end('<h1>It works</h1>')).listen(0, '127.0.0.1')
  onTestFinished(() => {
    bucket.close()
    other.close()
  })
  await new Promise(resolve => other.once('listening', resolve))
  expect(await faults({ DATA_DIR: newFolder(), S3_URL: bucket.url })).toEqual([found('clock', /30\d s behind/, /NTP/)])
  const PORT = String((other.address() as AddressInfo).port)
  expect(await faults({ DATA_DIR: newFolder(), PORT, OPERATOR_TOKEN })).toEqual([
    found('server', /Another program/, /PORT/),
  ])
})
