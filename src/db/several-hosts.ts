import pg from 'pg'
import { eachHost } from '../lib/each-host.ts'

/** A server that has not answered by then is down or out of reach. Shorter than a call waits for its connection. */
const ANSWER_MS = 2_000

/**
 * The class of clients for a URL. If it names several servers, one of which takes writes while the others follow it, each client
 * connects to the one that takes writes at that moment. Nothing is remembered, so nothing is out of date after a failover.
 */
export function clientClass(url: string): typeof pg.Client {
  const servers = eachHost(url)
  if (servers.length === 1) return pg.Client
  let asking: Promise<Server> | undefined
  /** Clients that connect at the same time ask together. */
  const ask = () => {
    asking ??= findWritable(servers).finally(() => {
      asking = undefined
    })
    return asking
  }

  return class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error?: Error) => void): void
    override connect(callback?: (error?: Error) => void): Promise<pg.Client> | undefined {
      const connected = ask().then(server => {
        Object.assign(this, server)
        return super.connect()
      })
      if (!callback) return connected
      connected.then(() => callback(), callback)
      return undefined
    }
  }
}

type Server = Pick<pg.Client, 'host' | 'port'>

/** The first to say that it takes writes. All are asked at once, so that nobody waits for one that is out of reach. */
async function findWritable(servers: string[]): Promise<Server> {
  try {
    return await Promise.any(servers.map(requireWritable))
  } catch (error) {
    const reasons = (error as AggregateError).errors.map(({ message, code }) => message || code)
    throw Object.assign(new Error(`No server takes writes (${reasons.join('; ')})`), { code: CANNOT_CONNECT })
  }
}

const CANNOT_CONNECT = '08001'

async function requireWritable(connectionString: string): Promise<Server> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    application_name: 'diwan',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(`select current_setting('transaction_read_only') = 'on' as is_read_only`)
    const { host, port } = client
    if (rows[0].is_read_only) throw new Error(`${host}:${port} is read-only`)
    return { host, port }
  } finally {
    client.end().catch(() => {})
  }
}
