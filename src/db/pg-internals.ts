import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'

// What `pg` has but does not declare. It offers no public way to close a prepared statement, to hear that one is sent, to join
// what is sent into one write, or to see that a connection has fallen silent. All that reaches into it is here, so that an update
// of `pg` has one file to be compared with. `test/api/prepared-statements.test.ts` and `test/process/silent-database.test.ts` use
// the real one.

interface Internals {
  /** False while an answer is awaited. */
  readyForQuery?: boolean
  connection: {
    stream: Socket
    parse(statement: { name?: string; text: string }): void
    bind(statement: { statement?: string }): void
    close(statement: { type: 'S'; name: string }): void
    parsedStatements: Record<string, string>
    /** A statement is among these until the database has parsed it. */
    submittedNamedStatements: Record<string, string>
  }
}

const internalsOf = (client: PoolClient) => client as unknown as Internals

export const socketOf = (client: PoolClient): Socket => internalsOf(client).connection.stream

export const awaitsAnswer = (client: PoolClient): boolean => internalsOf(client).readyForQuery === false

/** Calls `listener` before each query of the client. */
export function beforeQuery(client: PoolClient, listener: () => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    listener()
    return query(...args)
  }) as typeof client.query
}

/** Calls `listener` before a statement with a name is sent to be parsed. */
export function beforeParse(client: PoolClient, listener: (name: string, text: string) => void): void {
  const { connection } = internalsOf(client)
  const parse = connection.parse.bind(connection)
  connection.parse = statement => {
    if (statement.name) listener(statement.name, statement.text)
    parse(statement)
  }
}

/** Calls `listener` before a statement with a name is sent to be run. */
export function beforeBind(client: PoolClient, listener: (name: string) => void): void {
  const { connection } = internalsOf(client)
  const bind = connection.bind.bind(connection)
  connection.bind = statement => {
    if (statement.statement) listener(statement.statement)
    bind(statement)
  }
}

/** False while the database has not answered that it has parsed it: `pg` would take that answer to mean that it is there. */
export function closeStatement(client: PoolClient, name: string): boolean {
  const { connection } = internalsOf(client)
  if (name in connection.submittedNamedStatements) return false
  connection.close({ type: 'S', name })
  delete connection.parsedStatements[name]
  return true
}
