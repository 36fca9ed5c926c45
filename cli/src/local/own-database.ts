import { randomUUID } from 'node:crypto'
import type { Config } from '../../../src/config.ts'
import type { Db } from '../../../src/db/db.ts'
import type { Database } from '../../../src/db/postgres.ts'
import { type AuditNote, audit } from '../../../src/domain/audit.ts'
import { createLog, openDatabase } from '../../../src/parts.ts'

/** Opens the database for one piece of work. Whoever can do that has the rights of the operator. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(config, createLog({ ...config, logLevel: 'silent' }))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Records what a command did to the database itself in the audit of the service, as if the operator had requested it. */
export function auditCommand(tx: Db, command: string, operation: string, note: AuditNote): Promise<void> {
  return audit(tx, {
    company_id: 0,
    outcome: 'allowed',
    operation,
    method: 'COMMAND',
    path: `diwan ${command}`,
    status: 201,
    reason: 'Permitted.',
    by: { kind: 'operator', id: null, name: 'operator' },
    actor: 'operator',
    request_id: randomUUID(),
    ...note,
  })
}
