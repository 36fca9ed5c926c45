import type pg from 'pg'
import { eachHost } from '../lib/each-host.ts'
import { ONE_PLAN } from './one-plan.ts'
import { clientClass } from './several-hosts.ts'

// What is set on a connection when it is opened. A pooler such as PgBouncer lends its connections from one transaction to the
// next: it passes on the form of answers, and must have set the rest by itself.

/** Statements take a millisecond or two. Compiling one, which PostgreSQL decides by its estimate, takes 100 times that. */
const PLANNING = [ONE_PLAN, 'jit=off']
const FORM_OF_ANSWERS = ['timezone=UTC', 'datestyle=ISO']
/** No setting of PostgreSQL, and not passed on by a pooler: who finds it in a session is alone there. */
export const OWN_SESSION = 'diwan.session=own'

function limits(statementMs: number): string[] {
  return [
    `statement_timeout=${statementMs}`,
    `lock_timeout=${Math.max(0, statementMs - 500)}`,
    `idle_in_transaction_session_timeout=${2 * statementMs}`,
  ]
}

/** What a pooler must have set for statements of at most this many milliseconds. */
export const settingsOfPooler = (statementMs: number) => [...limits(statementMs), ...PLANNING]

export interface Session {
  url: string
  /** 0 is no limit. */
  statementMs: number
  isPooled?: boolean
}

export function clientConfig({ url, statementMs, isPooled = false }: Session): pg.ClientConfig {
  const own = isPooled ? [] : [...PLANNING, ...limits(statementMs), OWN_SESSION]
  const options = [...FORM_OF_ANSWERS, ...own].map(setting => `-c ${setting}`).join(' ')
  return { connectionString: eachHost(url)[0], keepAlive: true, application_name: 'diwan', options }
}

/** At the start nobody waits for an answer yet, and the database may still be starting too. */
const CONNECT_AT_START_MS = 15_000

/** Runs work on a connection that is opened for it. */
export async function onOwnConnection<T>(
  session: Session,
  onError: (error: Error) => void,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const Client = clientClass(session.url)
  const client = new Client({ ...clientConfig(session), connectionTimeoutMillis: CONNECT_AT_START_MS })
  client.on('error', onError)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
