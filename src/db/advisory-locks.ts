import sql from 'sql-template-tag'
import type { Db } from './db.ts'

// Every advisory lock: what transactions must not do at the same time, where there is no row that they could lock. Locks of
// rows, and their order, are in domain/records/locks.ts.
//
// A transaction locks the project that it writes to first, then takes these in the order of the list, then locks rows below the
// project. So no two transactions can wait for each other.

export const LOCKS = {
  // Of the whole installation. Each is the only one that its transaction takes.
  /** One node applies migrations, and the others wait and find them applied. */
  migrations: 7_461_120,
  /** Only one of several commands that start at once creates the first company. */
  firstCompany: 7_461_121,
  /** One node creates the tables of the job queue. Held until its connection is closed. */
  jobTables: 7_461_122,
  /** Sign-ins of the operator end the oldest sessions one after the other, so that their number is exact. */
  operatorSessions: 7_461_123,
  /** One node sets the range of the numbers of its cell's companies, and the others find it set. */
  cellNumbers: 7_461_124,

  /** One command moves a company to another cell. Held until its connection is closed. */
  moveOf: (companyId: number) => `move company ${companyId}`,
  /** Workers that remove the same company take turns, so that none runs ahead to a table that others still refer to. */
  removalOf: (companyId: number) => `remove company ${companyId}`,
  /** Webhooks are added one after the other, so that their number is exact. */
  webhooksOf: (companyId: number) => `webhooks ${companyId}`,
  /** Shared by transactions that put something into a folder of the project; alone for one that moves or deletes folders. */
  foldersOf: (companyId: number, projectId: number) => `folders ${companyId} ${projectId}`,
  /** Shared by transactions that add a file with these bytes; alone for one that removes bytes which no file has any more. */
  bytes: (companyId: number, digest: string) => `bytes ${companyId} ${digest}`,
}

// A function of the database takes this one, and waits for it. Those who want several take them in the order of their keys. It
// comes after the lock of the record that gets the external id, or of its parent; whoever changes an external id in a record
// that is locked waits for nothing else that holds this one.
//
// external_id %s %s %s  company, kind, external id   0020_external_ids.sql  whoever comes second finds what the first did
//
// Functions of the database take these too. They only try: whoever does not get one goes on without it, so they have no order.
//
// idempotency %s %s %s  company, key, name           0003_api_keys.sql  otherwise the same request is still running: 409
// counts %s %s          company, project             0008_counts.sql    otherwise somebody else is adding up the counts
// slug %s %s %s %s      company, kind, parent, slug  0010_slugs.sql     otherwise another record is getting this slug

/** Takes a lock until the transaction ends, and waits for it if need be. */
export async function takeLock(tx: Db, lock: number | string, mode: 'alone' | 'shared' = 'alone'): Promise<void> {
  const key = typeof lock === 'number' ? sql`${lock}` : sql`hashtextextended(${lock}, 0)`
  await tx.run(
    mode === 'alone' ? sql`select pg_advisory_xact_lock(${key})` : sql`select pg_advisory_xact_lock_shared(${key})`,
  )
}

/** For a client without a `Db`: until the connection is closed. */
export const TAKE_UNTIL_CLOSED = 'select pg_advisory_lock($1)'
/** The same without waiting, and until it is given back. */
export const TRY_TO_TAKE = 'select pg_try_advisory_lock($1) as taken'
export const GIVE_BACK = 'select pg_advisory_unlock($1)'
