import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig, readConfigAndFaults, shortSecrets } from '../../src/config.ts'
import { ConfigError } from '../../src/lib/settings.ts'

const SECRET = 'a-secret-of-the-server'
const PASSWORD = 'hunter2'
/** What other settings ask for. */
const BESIDES = { SERVER_SECRET: SECRET, MAIL_FROM: 'diwan@example.com' }

it('Without any variable the configuration is the embedded server on this machine', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databasePoolSize: 16,
    redisUrl: undefined,
    smtpUrl: undefined,
    mailFrom: undefined,
    oidc: undefined,
    worker: true,
    serverSecret: undefined,
    operatorToken: undefined,
    allowPrivateCalendars: false,
    allowPrivateWebhooks: false,
    burstPerMinute: 300,
    trustProxy: false,
    compression: true,
    demo: undefined,
    logLevel: 'info',
  })
})

const GOOD: [variable: string, text: string, setting: keyof Config, value: unknown][] = [
  ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['PORT', ' 8080 ', 'port', 8080],
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65_535],
  ['PORT', '', 'port', 3000],
  ['DATA_DIR', '/var/lib/diwan', 'dataDir', '/var/lib/diwan'],
  ['DATA_DIR', 'here', 'dataDir', resolve('here')],
  ['DATABASE_URL', `postgres://u:${PASSWORD}@db/diwan`, 'databaseUrl', `postgres://u:${PASSWORD}@db/diwan`],
  ['DATABASE_URL', ' ', 'databaseUrl', undefined],
  ...['u@db-1,db-2/diwan', 'db-1:5432,[::1]:5433/diwan?target_session_attrs=read-write'].map(
    (rest): [string, string, 'databaseUrl', string] => [
      'DATABASE_URL',
      `postgres://${rest}`,
      'databaseUrl',
      `postgres://${rest}`,
    ],
  ),
  ['DATABASE_POOL_SIZE', '50', 'databasePoolSize', 50],
  ['REDIS_URL', 'redis://127.0.0.1:6379', 'redisUrl', 'redis://127.0.0.1:6379'],
  ['REDIS_URL', 'rediss://u:p@cache/1', 'redisUrl', 'rediss://u:p@cache/1'],
  ['SMTP_URL', 'smtps://u:p@mail:465', 'smtpUrl', 'smtps://u:p@mail:465'],
  ['MAIL_FROM', 'Diwan <diwan@example.com>', 'mailFrom', 'Diwan <diwan@example.com>'],
  ['PUBLIC_URL', 'https://diwan.example.com', 'publicUrl', 'https://diwan.example.com'],
  ['PUBLIC_URL', 'https://Diwan.example.com:8443/pm/', 'publicUrl', 'https://diwan.example.com:8443/pm'],
  ['PUBLIC_URL', 'http://ديوان.example', 'publicUrl', 'http://xn--mgbp4egj.example'],
  ['PUBLIC_URL', '', 'publicUrl', undefined],
  ['WORKER', 'off', 'worker', false],
  ['SERVER_SECRET', SECRET, 'serverSecret', SECRET],
  ['OPERATOR_TOKEN', 'an-operator-token', 'operatorToken', 'an-operator-token'],
  ['ALLOW_PRIVATE_CALENDARS', '1', 'allowPrivateCalendars', true],
  ['ALLOW_PRIVATE_WEBHOOKS', 'on', 'allowPrivateWebhooks', true],
  ['BURST_PER_MINUTE', '0', 'burstPerMinute', 0],
  ['BURST_PER_MINUTE', '1000', 'burstPerMinute', 1000],
  ['TRUST_PROXY', 'off', 'trustProxy', false],
  ['TRUST_PROXY', '10.0.0.1', 'trustProxy', '10.0.0.1'],
  ['TRUST_PROXY', '10.0.0.0/8, loopback', 'trustProxy', '10.0.0.0/8, loopback'],
  ['TRUST_PROXY', 'fd00::/8', 'trustProxy', 'fd00::/8'],
  ['COMPRESSION', 'off', 'compression', false],
  ['DEMO', 'on', 'demo', true],
  ['DEMO', 'FALSE', 'demo', false],
  ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'http://collector:4318/base/',
    'traces',
    { url: 'http://collector:4318/base/v1/traces', headers: {}, serviceName: 'diwan', ratio: 1 },
  ],
  ['OTEL_TRACES_SAMPLER_ARG', '0.5', 'traces', undefined],
]

/** Values that each variable refuses. */
const BAD: Record<string, string[]> = {
  PORT: ['-1', '65536', '1e3', '80.5', 'http'],
  DATABASE_URL: [
    'mysql://u:hunter2@db/diwan',
    'u:hunter2@db/diwan',
    'postgres:u:hunter2@db',
    'postgres://u:hunter2@db:port/d',
  ],
  DATABASE_DIRECT_URL: ['postgres://u:hunter2@db-1/diwan'],
  DATABASE_REPLICA_URL: ['postgres://u:hunter2@db-2/diwan', 'mysql://u:hunter2@db-2/diwan'],
  CELL: ['0', '2001', '1'],
  CELLS: ['1=http://cell-1:3000', '1=http://u:hunter2@cell-1:3000', 'http://cell-1:3000'],
  DATABASE_POOL_SIZE: ['0', '1', '9999'],
  REDIS_URL: ['http://u:hunter2@cache', 'cache:hunter2'],
  SMTP_URL: ['http://u:hunter2@mail', 'mail:hunter2'],
  MAIL_FROM: ['nobody'],
  PUBLIC_URL: [
    ...[
      'diwan.example.com',
      'ftp://diwan.example.com',
      'https:diwan.example.com',
      'https://u:hunter2@diwan.example.com',
    ],
    ...['https://diwan.example.com/?from=mail', 'https://diwan.example.com/?', 'https://diwan.example.com/#top'],
  ],
  WORKER: ['sometimes'],
  SERVER_SECRET: [PASSWORD, `${PASSWORD} with spaces`],
  OPERATOR_TOKEN: [PASSWORD, `${PASSWORD}\ttab`],
  ALLOW_PRIVATE_CALENDARS: ['10.0.0.0/8'],
  ALLOW_PRIVATE_WEBHOOKS: ['https'],
  COMPRESSION: ['gzip'],
  BURST_PER_MINUTE: ['-1', 'none', '99999999999'],
  TRUST_PROXY: ['nginx', 'cafe', '999.1.1.1', '10.0.0.0/64'],
  DEMO: ['maybe'],
  LOG_LEVEL: ['loud'],
}

describe('A setting', () => {
  it('is what its variable says', () => {
    for (const [variable, text, setting, value] of GOOD)
      expect([variable, text, readConfig({ ...BESIDES, [variable]: text })[setting]]).toEqual([variable, text, value])
  })

  it('TRUST_PROXY=on believes the nearest proxy, whoever it is, and nobody before it', () => {
    const trusts = readConfig({ TRUST_PROXY: 'on' }).trustProxy as (address: string, hop: number) => boolean
    expect([0, 1, 2].map(hop => trusts('192.0.2.1', hop))).toEqual([true, false, false])
  })

  it.each(Object.entries(BAD))(
    '%s is refused in one line that names it and repeats no password: %j',
    (variable, texts) => {
      for (const text of texts) {
        const error = refusal({ ...BESIDES, [variable]: text })
        expect([text, error instanceof ConfigError, error?.message]).toEqual([
          text,
          true,
          expect.stringMatching(new RegExp(`^${variable} must [^\\n]+$`)),
        ])
        expect(error?.message).not.toContain(PASSWORD)
      }
    },
  )

  it.each([
    ['SERVER_SECRET', 'DATABASE_URL', `postgres://u:${PASSWORD}@db/diwan`],
    ['MAIL_FROM', 'SMTP_URL', `smtp://u:${PASSWORD}@mail`],
  ])('%s is required with %s, whose password is not repeated', (required, variable, text) => {
    const error = refusal({ ...BESIDES, [required]: '', [variable]: text })
    expect(error?.message).toMatch(new RegExp(`^${required} must [^\\n]+$`))
    expect(error?.message).not.toContain(PASSWORD)
  })
})

it('The collector of traces is asked with the headers and for the part that are set, and refused without its password', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  expect(readConfig({ ...env, OTEL_EXPORTER_OTLP_HEADERS: ' api-key=a%20b , x-tenant=5=6,' }).traces).toEqual({
    url: 'https://collector.example.com/v1/traces',
    headers: { 'api-key': 'a b', 'x-tenant': '5=6' },
    serviceName: 'diwan',
    ratio: 0.25,
  })
  const error = refusal({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: `https://u:${PASSWORD}@collector` })
  expect(error?.message).toMatch(new RegExp(`^OTEL_EXPORTER_OTLP_ENDPOINT must (?!.*${PASSWORD})`))
})

describe('The identity provider', () => {
  const OIDC = {
    OIDC_ISSUER: 'https://id.example.com/realms/staff',
    OIDC_CLIENT_ID: 'diwan',
    OIDC_CLIENT_SECRET: PASSWORD,
    OIDC_NAME: 'حساب الشركة',
    PUBLIC_URL: 'https://diwan.example.com',
  }
  const settings = { issuer: OIDC.OIDC_ISSUER, clientId: 'diwan', clientSecret: PASSWORD, name: 'حساب الشركة' }

  it('is used when its settings are there', () => {
    expect(readConfig(OIDC).oidc).toEqual({ ...settings, isRequired: false })
    expect(readConfig({ ...OIDC, OIDC_REQUIRED: 'on' }).oidc).toEqual({ ...settings, isRequired: true })
    for (const issuer of ['http://127.0.0.1:9000', 'http://[::1]:9000'])
      expect(readConfig({ ...OIDC, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer)
  })

  it.each([
    ['OIDC_ISSUER', { OIDC_ISSUER: '' }],
    ['OIDC_CLIENT_ID', { OIDC_CLIENT_ID: '' }],
    ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: '' }],
    ['OIDC_NAME', { OIDC_NAME: '' }],
    ['PUBLIC_URL', { PUBLIC_URL: '' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'id.example.com' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example.com' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://127.0.0.1.example.com' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: `https://u:${PASSWORD}@id.example.com` }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'https://id.example.com/?realm=staff' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' }],
    ['OIDC_NAME', { OIDC_NAME: 'x'.repeat(61) }],
    ['OIDC_REQUIRED', { OIDC_REQUIRED: 'always' }],
    [
      'OIDC_REQUIRED',
      { OIDC_REQUIRED: 'on', OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_NAME: '' },
    ],
  ])('is refused in one line that names %s: %j', (variable, env) => {
    const error = refusal({ ...OIDC, ...env })
    expect(error?.message).toMatch(new RegExp(`^${variable} must [^\\n]+$`))
    expect(error?.message).not.toContain(PASSWORD)
  })

  it('is refused with every fault at once for the doctor', () => {
    const { faults } = readConfigAndFaults({
      OIDC_ISSUER: 'http://id.example.com',
      OIDC_CLIENT_ID: 'x',
      OIDC_REQUIRED: 'x',
    })
    expect([...faults.keys()].sort()).toEqual([
      'OIDC_CLIENT_SECRET',
      'OIDC_ISSUER',
      'OIDC_NAME',
      'OIDC_REQUIRED',
      'PUBLIC_URL',
    ])
  })
})

describe('A secret is short', () => {
  const [short, long] = ['x'.repeat(31), 'x'.repeat(32)]

  it.each([
    [{}, []],
    [{ SERVER_SECRET: long, OPERATOR_TOKEN: long }, []],
    [{ SERVER_SECRET: short, OPERATOR_TOKEN: long }, ['SERVER_SECRET']],
    [{ SERVER_SECRET: long, OPERATOR_TOKEN: short }, ['OPERATOR_TOKEN']],
    [{ SERVER_SECRET: short, OPERATOR_TOKEN: short }, ['SERVER_SECRET', 'OPERATOR_TOKEN']],
  ])('when it has fewer than 32 characters: of %j these are %j', (env, variables) => {
    expect(shortSecrets(readConfig(env))).toEqual(variables)
  })
})

function refusal(env: Record<string, string>): Error | undefined {
  try {
    readConfig(env)
    return undefined
  } catch (error) {
    return error as Error
  }
}
