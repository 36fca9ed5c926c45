import { resolve } from 'node:path'
import { readCells } from './lib/cell-addresses.ts'
import { eachHost } from './lib/each-host.ts'
import { boolean, ConfigError, headers, integer, isSubnet, oneOf, secret, url } from './lib/settings.ts'

export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  /** PostgreSQL itself, where `databaseUrl` is that of a pooler. */
  databaseDirectUrl: string | undefined
  /** A server that follows the database, for reads. */
  databaseReplicaUrl: string | undefined
  databasePoolSize: number
  redisUrl: string | undefined
  /** Where the bytes of files are, if not in the data folder. */
  s3: S3Config | undefined
  clamdUrl: string | undefined
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** The URL at which people reach the server, if it differs from the one it listens on. */
  publicUrl: string | undefined
  /** The identity provider with which people sign in to the console. */
  oidc: OidcConfig | undefined
  /** Whether this process works on jobs too. */
  worker: boolean
  serverSecret: string | undefined
  operatorToken: string | undefined
  /** Whether calendars may be on private, loopback and link-local addresses. */
  allowPrivateCalendars: boolean
  /** Whether webhooks may go to private, loopback and link-local addresses, and over plain http. */
  allowPrivateWebhooks: boolean
  burstPerMinute: number
  trustProxy: TrustProxy
  /** Whether the server compresses its answers. */
  compression: boolean
  demo: boolean | undefined
  logLevel: string
  /** The collector of traces, if there is one. */
  traces: TracesConfig | undefined
  /** The number of the cell that this node belongs to, where companies live in several. */
  cell: number | undefined
  /** The addresses of the cells, by their numbers. */
  cells: Map<number, string>
}

interface TracesConfig {
  /** Where spans are posted. */
  url: string
  headers: Record<string, string>
  serviceName: string
  /** The part of the traces that begin here which is recorded, from 0 to 1. */
  ratio: number
}

interface S3Config {
  /** Without a trailing slash. */
  endpoint: string
  bucket: string
  /** Empty, or ending with a slash. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether downloads are sent to the bucket, with a signed address. */
  redirects: boolean
  /**
   * While files are moved, both the bucket and the data folder are read. What is new goes to the bucket (`in`) or to the folder
   * (`out`).
   */
  moving: 'in' | 'out' | undefined
}

interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string
  /** The words on the button. */
  name: string
  /** Whether companies may refuse sign-in with a token. */
  isRequired: boolean
}

/** Who is trusted to report the caller's address: nobody, the proxies at these addresses, or as a function decides. */
export type TrustProxy = false | string | ((address: string, hop: number) => boolean)

/** A shorter secret from the environment could be guessed. Generated ones have 43 characters. */
export const SECRET_CHARACTERS = 32

const MOST_CELLS = 2_000

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** The settings of commands that talk to a running server. */
export interface ClientConfig {
  url: string | undefined
  /** For the administration surface. */
  token: string | undefined
  /** For the API. */
  key: string | undefined
}

/** Credentials come only from the environment: other users of the machine can read a command line. */
export function readClientConfig(env: NodeJS.ProcessEnv = process.env): ClientConfig {
  const get = (name: string) => env[name]?.trim() || undefined
  return {
    url: url('DIWAN_URL', get('DIWAN_URL'), ['http://', 'https://']),
    token: get('DIWAN_TOKEN') ?? get('OPERATOR_TOKEN'),
    key: get('DIWAN_KEY'),
  }
}

/** Only this file reads the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const get = (name: string) => env[name]?.trim() || undefined
  const config: Config = {
    host: get('HOST') ?? '127.0.0.1',
    port: integer('PORT', get('PORT'), { fallback: 3000, minimum: 0, maximum: 65_535 }),
    dataDir: resolve(get('DATA_DIR') ?? './data'),
    databaseUrl: database('DATABASE_URL', get('DATABASE_URL')),
    databaseDirectUrl: database('DATABASE_DIRECT_URL', get('DATABASE_DIRECT_URL')),
    databaseReplicaUrl: replica('DATABASE_REPLICA_URL', get('DATABASE_REPLICA_URL')),
    databasePoolSize: integer('DATABASE_POOL_SIZE', get('DATABASE_POOL_SIZE'), {
      fallback: 16,
      minimum: 2,
      maximum: 500,
    }),
    redisUrl: url('REDIS_URL', get('REDIS_URL'), ['redis://', 'rediss://']),
    s3: s3(get),
    clamdUrl: url('CLAMD_URL', get('CLAMD_URL'), ['tcp://', 'unix:/']),
    smtpUrl: url('SMTP_URL', get('SMTP_URL'), ['smtp://', 'smtps://']),
    mailFrom: sender(get('MAIL_FROM')),
    publicUrl: publicUrl(get('PUBLIC_URL')),
    oidc: oidc(get),
    worker: boolean('WORKER', get('WORKER')) ?? true,
    serverSecret: secret('SERVER_SECRET', get('SERVER_SECRET')),
    operatorToken: secret('OPERATOR_TOKEN', get('OPERATOR_TOKEN')),
    allowPrivateCalendars: boolean('ALLOW_PRIVATE_CALENDARS', get('ALLOW_PRIVATE_CALENDARS')) ?? false,
    allowPrivateWebhooks: boolean('ALLOW_PRIVATE_WEBHOOKS', get('ALLOW_PRIVATE_WEBHOOKS')) ?? false,
    burstPerMinute: integer('BURST_PER_MINUTE', get('BURST_PER_MINUTE'), {
      fallback: 300,
      minimum: 0,
      maximum: 1_000_000,
    }),
    trustProxy: proxy(get('TRUST_PROXY')),
    compression: boolean('COMPRESSION', get('COMPRESSION')) ?? true,
    demo: boolean('DEMO', get('DEMO')),
    logLevel: oneOf('LOG_LEVEL', get('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    traces: traces(get),
    cell: get('CELL') ? integer('CELL', get('CELL'), { fallback: 0, minimum: 1, maximum: MOST_CELLS }) : undefined,
    cells: cells(get('CELLS')),
  }
  if (config.databaseUrl && !config.serverSecret) {
    throw new ConfigError('SERVER_SECRET must be set when DATABASE_URL is: every node needs the same one')
  }
  if (config.databaseDirectUrl && !config.databaseUrl)
    throw new ConfigError('DATABASE_DIRECT_URL must not be set without DATABASE_URL')
  if (config.databaseReplicaUrl && !config.databaseUrl)
    throw new ConfigError('DATABASE_REPLICA_URL must not be set without DATABASE_URL')
  if (config.cell !== undefined && !config.databaseUrl)
    throw new ConfigError('CELL must not be set without DATABASE_URL: a cell has a PostgreSQL of its own')
  if (config.cells.size > 0 && config.cell === undefined)
    throw new ConfigError('CELLS must not be set without CELL, which says which of them this is')
  if (config.smtpUrl && !config.mailFrom)
    throw new ConfigError('MAIL_FROM must be set when SMTP_URL is: it is the sender of all mail')
  if (config.oidc && !config.publicUrl)
    throw new ConfigError('PUBLIC_URL must be set when OIDC_ISSUER is: the identity provider sends people back there')
  return config
}

/** Values that replace missing settings while the others are checked. */
const STAND_INS: Record<string, string> = {
  SERVER_SECRET: 'x'.repeat(SECRET_CHARACTERS),
  MAIL_FROM: 'diwan@localhost',
  PUBLIC_URL: 'http://localhost',
  OIDC_ISSUER: 'https://localhost',
  OIDC_CLIENT_ID: 'x',
  OIDC_CLIENT_SECRET: 'x',
  OIDC_NAME: 'x',
}

/** All faults instead of only the first, and the settings without them. */
export function readConfigAndFaults(env: NodeJS.ProcessEnv = process.env): {
  config: Config
  faults: Map<string, string>
} {
  const faults = new Map<string, string>()
  const usable = { ...env }
  for (;;) {
    try {
      return { config: readConfig(usable), faults }
    } catch (error) {
      const { message } = error as Error
      // Each message begins with the name of its variable.
      const [name = ''] = message.split(' ', 1)
      if (!(error instanceof ConfigError) || (faults.has(name) && usable[name] === undefined && !STAND_INS[name]))
        throw error
      if (!faults.has(name)) faults.set(name, message)
      usable[name] = usable[name] === undefined ? STAND_INS[name] : undefined
    }
  }
}

/** It may name several servers. Whatever it asks for, only one that takes writes will do. */
function database(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  for (const each of eachHost(text)) {
    const { searchParams } = new URL(url(name, each, ['postgres://', 'postgresql://']) as string)
    if (!/^(read-write|primary)?$/.test(searchParams.get('target_session_attrs') ?? ''))
      throw new ConfigError(`${name} must have target_session_attrs=read-write, or none, which means the same here`)
  }
  return text
}

function replica(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && eachHost(text).length > 1) throw new ConfigError(`${name} must name one server`)
  return url(name, text, ['postgres://', 'postgresql://'])
}

function publicUrl(text: string | undefined): string | undefined {
  const parsed = url('PUBLIC_URL', text, ['http://', 'https://']) && new URL(text as string)
  if (!parsed) return undefined
  if (parsed.username || parsed.password || /[?#]/.test(parsed.href))
    throw new ConfigError('PUBLIC_URL must have no user, no query and no fragment, as in https://diwan.example.com')
  // Without a trailing slash, so that a path can be appended.
  return parsed.href.endsWith('/') ? parsed.href.slice(0, -1) : parsed.href
}

function s3(get: (name: string) => string | undefined): S3Config | undefined {
  const parsed = url('S3_URL', get('S3_URL'), ['https://', 'http://']) && new URL(get('S3_URL') as string)
  const redirects = boolean('S3_REDIRECT', get('S3_REDIRECT')) ?? false
  const moving = get('S3_MOVE') && oneOf('S3_MOVE', get('S3_MOVE') as string, ['in', 'out'])
  if (!parsed) {
    if (redirects) throw new ConfigError('S3_REDIRECT must be off without S3_URL')
    if (moving) throw new ConfigError('S3_MOVE must not be set without S3_URL')
    return undefined
  }
  const [bucket = '', ...folders] = parsed.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  if (!bucket || !parsed.username || !parsed.password || parsed.hash)
    throw new ConfigError(
      'S3_URL must have a key, a secret and a bucket, as in https://KEY:SECRET@s3.example.com/bucket',
    )
  return {
    endpoint: parsed.origin,
    bucket,
    prefix: folders.map(folder => `${folder}/`).join(''),
    region: parsed.searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decodeURIComponent(parsed.username),
    secretAccessKey: decodeURIComponent(parsed.password),
    redirects,
    moving: moving as S3Config['moving'],
  }
}

/** The names that OpenTelemetry has for them. Without a collector the others mean nothing: platforms set them for everybody. */
function traces(get: (name: string) => string | undefined): TracesConfig | undefined {
  const name = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const parsed = url(name, get(name), ['http://', 'https://']) && new URL(get(name) as string)
  if (!parsed) return undefined
  if (parsed.username || parsed.password || /[?#]/.test(parsed.href))
    throw new ConfigError(
      `${name} must have no user, no query and no fragment; keys go into OTEL_EXPORTER_OTLP_HEADERS`,
    )
  const ratio = Number(get('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return {
    url: `${parsed.href.replace(/\/$/, '')}/v1/traces`,
    headers: headers('OTEL_EXPORTER_OTLP_HEADERS', get('OTEL_EXPORTER_OTLP_HEADERS')),
    serviceName: get('OTEL_SERVICE_NAME') ?? 'diwan',
    ratio,
  }
}

const OIDC_VARIABLES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const

/** All of them or none: half a provider is a mistake. */
function oidc(get: (name: string) => string | undefined): OidcConfig | undefined {
  const isRequired = boolean('OIDC_REQUIRED', get('OIDC_REQUIRED')) ?? false
  const issuer = issuerUrl(get('OIDC_ISSUER'))
  const [set] = OIDC_VARIABLES.filter(name => get(name) !== undefined)
  const missing = OIDC_VARIABLES.find(name => get(name) === undefined)
  if (set && missing) throw new ConfigError(`${missing} must be set when ${set} is`)
  if (!issuer && isRequired)
    throw new ConfigError('OIDC_REQUIRED must be off without OIDC_ISSUER: nobody could sign in to such a company')
  const [clientId = '', clientSecret = '', name = ''] = OIDC_VARIABLES.slice(1).map(get)
  // Also what a header of the sign-in could not carry.
  if (name.length > 60 || /\p{Cc}/u.test(name))
    throw new ConfigError('OIDC_NAME must be one line of at most 60 characters')
  return issuer ? { issuer, clientId, clientSecret, name, isRequired } : undefined
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

function issuerUrl(text: string | undefined): string | undefined {
  const parsed = url('OIDC_ISSUER', text, ['https://', 'http://']) && new URL(text as string)
  if (!parsed) return undefined
  if (parsed.protocol === 'http:' && !LOOPBACK.test(parsed.hostname))
    throw new ConfigError('OIDC_ISSUER must begin with https://, unless the provider is on this machine')
  if (parsed.username || parsed.password || /[?#]/.test(parsed.href))
    throw new ConfigError(
      'OIDC_ISSUER must have no user, no query and no fragment, as in https://id.example.com/realms/staff',
    )
  // There anybody's own directory could vouch for any address.
  if (
    /(^|\.)microsoftonline\./.test(parsed.hostname) &&
    /^\/(common|organizations|consumers)(\/|$)/.test(parsed.pathname)
  )
    throw new ConfigError(
      'OIDC_ISSUER must name your own directory, as in https://login.microsoftonline.com/<tenant id>/v2.0',
    )
  return text
}

function sender(text: string | undefined): string | undefined {
  if (text === undefined || /^[^\s@<>]+@[^\s@<>]+$/.test(text) || /<[^\s@<>]+@[^\s@<>]+>$/.test(text)) return text
  throw new ConfigError('MAIL_FROM must be an e-mail address, such as Diwan <diwan@example.com>')
}

/** The variables whose secret is too short to be safe. They are still used, because changing one has its price. */
export function shortSecrets({ serverSecret, operatorToken }: Config): string[] {
  const secrets = Object.entries({ SERVER_SECRET: serverSecret, OPERATOR_TOKEN: operatorToken })
  return secrets.flatMap(([name, text]) => (text !== undefined && text.length < SECRET_CHARACTERS ? [name] : []))
}

function cells(text: string | undefined): Map<number, string> {
  const found = readCells(text ?? '', MOST_CELLS)
  if (found) return found
  throw new ConfigError(
    `CELLS must be a list of numbers from 1 to ${MOST_CELLS} and addresses, such as 1=http://cell-1.internal:3000,2=http://cell-2.internal:3000`,
  )
}

/** Off, on (trust what the nearest proxy says, and nothing before it), or a list of addresses and subnets. */
function proxy(text: string | undefined): TrustProxy {
  if (text === undefined) return false
  if (/^(0|false|off|no|1|true|on|yes)$/i.test(text)) return boolean('TRUST_PROXY', text) ? nearestOnly : false
  if (text.split(',').every(part => isSubnet(part.trim()))) return text
  throw new ConfigError(
    'TRUST_PROXY must be on, off, or a list of proxy addresses or subnets such as 10.0.0.0/8,loopback',
  )
}

const nearestOnly = (_address: string, hop: number) => hop === 0
