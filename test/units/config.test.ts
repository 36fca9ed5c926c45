import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig, readConfigAndFaults, shortSecrets } from '../../src/config.ts'
import { ConfigError } from '../../src/lib/settings.ts'

const SECRET = 'a-secret-of-the-server'
const PASSWORD = 'hunter2'
/** What other settings ask for. */
const BESIDES = { SERVER_SECRET: SECRET, MAIL_FROM: 'diwan@example.com' }

describe('Without any variable', () => {
  it('the configuration is the embedded server on this machine', () => {
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
})

const GOOD: [variable: string, text: string, setting: keyof Config, value: unknown][] = [
  ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['HOST', '::', 'host', '::'],
  ['PORT', '8080', 'port', 8080],
  ['PORT', ' 8080 ', 'port', 8080],
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65_535],
  ['PORT', '', 'port', 3000],
  ['DATA_DIR', '/var/lib/diwan', 'dataDir', '/var/lib/diwan'],
  ['DATA_DIR', 'here', 'dataDir', resolve('here')],
  ['DATABASE_URL', `postgres://u:${PASSWORD}@db/diwan`, 'databaseUrl', `postgres://u:${PASSWORD}@db/diwan`],
  [
    'DATABASE_URL',
    'postgresql://db:5433/diwan?sslmode=require',
    'databaseUrl',
    'postgresql://db:5433/diwan?sslmode=require',
  ],
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
  ['ALLOW_PRIVATE_CALENDARS', 'off', 'allowPrivateCalendars', false],
  ['ALLOW_PRIVATE_WEBHOOKS', 'on', 'allowPrivateWebhooks', true],
  ['ALLOW_PRIVATE_WEBHOOKS', 'off', 'allowPrivateWebhooks', false],
  ['BURST_PER_MINUTE', '0', 'burstPerMinute', 0],
  ['BURST_PER_MINUTE', '1000', 'burstPerMinute', 1000],
  ['TRUST_PROXY', 'off', 'trustProxy', false],
  ['TRUST_PROXY', '10.0.0.1', 'trustProxy', '10.0.0.1'],
  ['TRUST_PROXY', '10.0.0.0/8, loopback', 'trustProxy', '10.0.0.0/8, loopback'],
  ['TRUST_PROXY', 'fd00::/8', 'trustProxy', 'fd00::/8'],
  ['COMPRESSION', 'off', 'compression', false],
  ['DEMO', 'on', 'demo', true],
  ['DEMO', 'FALSE', 'demo', false],
  ['DEMO', '1', 'demo', true],
  ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'http://collector:4318/base/',
    'traces',
    { url: 'http://collector:4318/base/v1/traces', headers: {}, serviceName: 'diwan', ratio: 1 },
  ],
  ['OTEL_TRACES_SAMPLER_ARG', '0.5', 'traces', undefined],
  ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
]

const BAD: [variable: string, text: string][] = [
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '1e3'],
  ['PORT', '80.5'],
  ['PORT', 'http'],
  ['DATABASE_URL', `mysql://u:${PASSWORD}@db/diwan`],
  ['DATABASE_URL', `u:${PASSWORD}@db/diwan`],
  ['DATABASE_URL', `postgres:u:${PASSWORD}@db`],
  ['DATABASE_URL', `postgres://u:${PASSWORD}@db:port/diwan`],
  ['DATABASE_URL', `postgres://u:${PASSWORD}@db-1,db-2:port/diwan`],
  ['DATABASE_URL', `postgres://u:${PASSWORD}@db-1,db-2/diwan?target_session_attrs=standby`],
  ['DATABASE_DIRECT_URL', `postgres://u:${PASSWORD}@db-1/diwan`],
  ['DATABASE_REPLICA_URL', `postgres://u:${PASSWORD}@db-2/diwan`],
  ['DATABASE_REPLICA_URL', `postgres://u:${PASSWORD}@db-2,db-3/diwan`],
  ['DATABASE_REPLICA_URL', `mysql://u:${PASSWORD}@db-2/diwan`],
  ['CELL', '0'],
  ['CELL', '2001'],
  ['CELL', '1'],
  ['CELLS', '1=http://cell-1:3000'],
  ['CELLS', `1=http://u:${PASSWORD}@cell-1:3000`],
  ['CELLS', '1=http://cell-1:3000,1=http://cell-2:3000'],
  ['CELLS', '2001=http://cell-1:3000'],
  ['CELLS', '1=http://cell-1:3000/path'],
  ['CELLS', 'http://cell-1:3000'],
  ['DATABASE_POOL_SIZE', '0'],
  ['DATABASE_POOL_SIZE', '1'],
  ['DATABASE_POOL_SIZE', '9999'],
  ['REDIS_URL', `http://u:${PASSWORD}@cache`],
  ['REDIS_URL', `cache:${PASSWORD}`],
  ['SMTP_URL', `http://u:${PASSWORD}@mail`],
  ['SMTP_URL', `mail:${PASSWORD}`],
  ['MAIL_FROM', 'nobody'],
  ['PUBLIC_URL', 'diwan.example.com'],
  ['PUBLIC_URL', 'ftp://diwan.example.com'],
  ['PUBLIC_URL', 'https:diwan.example.com'],
  ['PUBLIC_URL', `https://u:${PASSWORD}@diwan.example.com`],
  ['PUBLIC_URL', 'https://diwan.example.com/?from=mail'],
  ['PUBLIC_URL', 'https://diwan.example.com/?'],
  ['PUBLIC_URL', 'https://diwan.example.com/#top'],
  ['WORKER', 'sometimes'],
  ['SERVER_SECRET', PASSWORD],
  ['SERVER_SECRET', `${PASSWORD} with spaces`],
  ['OPERATOR_TOKEN', PASSWORD],
  ['OPERATOR_TOKEN', `${PASSWORD}\ttab`],
  ['ALLOW_PRIVATE_CALENDARS', '10.0.0.0/8'],
  ['ALLOW_PRIVATE_WEBHOOKS', 'https'],
  ['COMPRESSION', 'gzip'],
  ['BURST_PER_MINUTE', '-1'],
  ['BURST_PER_MINUTE', 'none'],
  ['BURST_PER_MINUTE', '99999999999'],
  ['TRUST_PROXY', 'nginx'],
  ['TRUST_PROXY', 'cafe'],
  ['TRUST_PROXY', '999.1.1.1'],
  ['TRUST_PROXY', '10.0.0.0/64'],
  ['DEMO', 'maybe'],
  ['LOG_LEVEL', 'loud'],
]

describe('A setting', () => {
  it.each(GOOD)('%s=%j makes %s %j', (variable, text, setting, value) => {
    expect(readConfig({ ...BESIDES, [variable]: text })[setting]).toEqual(value)
  })

  it('TRUST_PROXY=on believes the nearest proxy, whoever it is, and nobody before it', () => {
    const trusts = readConfig({ TRUST_PROXY: 'on' }).trustProxy as (address: string, hop: number) => boolean
    expect([0, 1, 2].map(hop => trusts('192.0.2.1', hop))).toEqual([true, false, false])
  })

  it.each(BAD)('%s=%j is refused in one line that names it and repeats no password', (variable, text) => {
    const error = refusal({ ...BESIDES, [variable]: text })
    expect(error).toBeInstanceOf(ConfigError)
    expect(error?.message).toMatch(new RegExp(`^${variable} must [^\\n]+$`))
    expect(error?.message).not.toContain(PASSWORD)
  })

  it.each([
    ['SERVER_SECRET', 'DATABASE_URL', `postgres://u:${PASSWORD}@db/diwan`],
    ['MAIL_FROM', 'SMTP_URL', `smtp://u:${PASSWORD}@mail`],
  ])('%s is required with %s, whose password is not repeated', (required, variable, text) => {
    const error = refusal({ ...BESIDES, [required]: '', [variable]: text })
    expect(error?.message).toMatch(new RegExp(`^${required} must [^\\n]+$`))
    expect(error?.message).not.toContain(PASSWORD)
  })
})

describe('The collector of traces', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example.com'
  const read = (env: NodeJS.ProcessEnv) => () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env }).traces

  it('is asked with the headers and for the part that are set', () => {
    const OTEL_EXPORTER_OTLP_HEADERS = ' api-key=a%20b , x-tenant=5=6,'
    expect(read({ OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER_ARG: '0.25', OTEL_SERVICE_NAME: 'ديوان' })()).toEqual(
      {
        url: 'https://collector.example.com/v1/traces',
        headers: { 'api-key': 'a b', 'x-tenant': '5=6' },
        serviceName: 'ديوان',
        ratio: 0.25,
      },
    )
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', `https://u:${PASSWORD}@collector`],
    ['OTEL_EXPORTER_OTLP_HEADERS', PASSWORD],
    ['OTEL_EXPORTER_OTLP_HEADERS', `a b=${PASSWORD}`],
    ['OTEL_EXPORTER_OTLP_HEADERS', `key=${PASSWORD}%`],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'always'],
  ])('is refused in one line that names %s=%j and repeats no password', (variable, text) => {
    expect(read({ [variable]: text })).toThrow(new RegExp(`^${variable} must (?!.*${PASSWORD})[^\\n]+$`))
  })
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

  it.each([
    [{}, { ...settings, isRequired: false }],
    [{ OIDC_REQUIRED: 'on' }, { ...settings, isRequired: true }],
    [{ OIDC_ISSUER: 'http://127.0.0.1:9000' }, { ...settings, issuer: 'http://127.0.0.1:9000', isRequired: false }],
    [{ OIDC_ISSUER: 'http://[::1]:9000' }, { ...settings, issuer: 'http://[::1]:9000', isRequired: false }],
  ])('with %j is %j', (env, expected) => {
    expect(readConfig({ ...OIDC, ...env }).oidc).toEqual(expected)
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
