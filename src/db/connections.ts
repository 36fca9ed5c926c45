import type { QueryConfig, QueryResult } from 'pg'

// What is used of a pool of `pg` and of its clients. Whatever has as much can take their place.

export interface Queryable {
  query(statement: QueryConfig | string): Promise<QueryResult>
}

/** Sends a statement over a connection that others use as well; undefined when there is none that answers soon. */
export type SendShared = (statement: QueryConfig | string) => Promise<QueryResult> | undefined

export interface Connection extends Queryable {
  /** True when a statement may be sent before the one before it was answered. */
  pipeline?: boolean
  release(failure?: Error): void
}

export interface Connections extends Queryable {
  connect(): Promise<Connection>
  options: { max: number }
}
