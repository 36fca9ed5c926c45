import type { Repeater } from '../domain/idempotency.ts'
import type { BaseCall } from './endpoint.ts'
import type { Reply, Request } from './request.ts'

/**
 * How a surface lets a call in. `Admitted` is what it finds out about the caller, and part of the call from then on;
 * `Requirements` is what its endpoints ask of a caller.
 */
export interface Gate<Admitted extends object, Requirements extends object> {
  prefix: string
  /** Everything that is decided before the body is read. Throws what it refuses. */
  admit(endpoint: Requirements, request: Request, reply: Reply): Promise<Admitted>
  /** Asks again, first thing in a write's own transaction, and holds what it was told until the commit. */
  confirm?(endpoint: Requirements, call: BaseCall & Admitted): Promise<void>
  /** True while nothing may be written at all. */
  isReadOnly(admitted: Admitted): boolean
  /** True for writes of which the audit keeps what they say of themselves. */
  isAudited(endpoint: Requirements): boolean
  /** True where `If-Match` is compared before a record is written. */
  comparesVersions: boolean
  /** On whose account the call runs: no company takes more than its share of the database. */
  companyOf(admitted: Admitted): number
  /** Whose repeated POSTs are recognised; undefined where repeats are not. */
  repeater(admitted: Admitted): Repeater | undefined
  /** Takes so many calls more, wherever calls are counted, or none at all and throws. Absent where they are not. */
  spendMore?(admitted: Admitted, calls: number, request: Request, reply: Reply): Promise<void>
}
