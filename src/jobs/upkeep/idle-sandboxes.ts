import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { isIdleSandbox, KEPT_IDLE_DAYS, lastUse } from '../../domain/access/sandboxes.ts'
import { audit } from '../../domain/audit.ts'
import { say } from '../../domain/sentences/sentences.ts'
import type { WorkerParts } from '../parts.ts'

interface IdleSandbox {
  id: number
  name: string
  sandbox_of: number
}

/**
 * Closes sandboxes that nobody has used for too long. They count as closed since they were last used, so they are past
 * reopening, and the step for closed companies removes them. Their companies find it in the audit.
 */
export async function* closeIdleSandboxes({ db, log }: Pick<WorkerParts, 'db' | 'log'>): AsyncGenerator<number> {
  const idle = await db.many<IdleSandbox>(
    sql`select c.id, c.name, c.sandbox_of from companies c where ${isIdleSandbox} order by c.id`,
  )
  for (const { id, name, sandbox_of } of idle) {
    const isClosed = await db.transaction(async tx => {
      const closed = await tx.run(
        sql`update companies c set closed_at = ${lastUse} where c.id = ${id} and ${isIdleSandbox}`,
      )
      if (closed === 0) return false
      await audit(tx, {
        company_id: sandbox_of,
        outcome: 'allowed',
        operation: 'companies:destructive',
        method: 'DELETE',
        path: `/admin/v1/companies/${sandbox_of}/sandbox`,
        status: 200,
        reason: say('Closed by Diwan for good: the sandbox was not used for {days} days.', { days: KEPT_IDLE_DAYS }).en,
        by: { kind: 'operator', id: null, name: 'operator' },
        actor: 'operator',
        target: { type: 'company', id, name },
        request_id: randomUUID(),
      })
      return true
    })
    if (isClosed) log.info({ company: id }, 'A sandbox that nobody used was closed for good')
    yield 0
  }
}
