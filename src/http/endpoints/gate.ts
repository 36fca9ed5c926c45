import type { Repeater } from '../../domain/idempotency.ts'
import type { Reply, Request } from '../requests/request.ts'
import type { BaseCall } from './endpoint.ts'

/**
 * How a surface admits a call. `Admitted` is what it finds out about the caller, and becomes part of the call; `Requirements`
 * is what its endpoints require of a caller.
 */
export interface Gate<Admitted extends object, Requirements extends object> {
  prefix: string
  /** Everything that is decided before the body is read. Throws when it refuses the call. */
  admit(endpoint: Requirements, request: Request, reply: Reply): Promise<Admitted>
  /** Checks again at the beginning of a write's own transaction, and locks what it has checked until the commit. */
  confirm?(endpoint: Requirements, call: BaseCall & Admitted): Promise<void>
  /** True while nothing may be written at all. */
  isReadOnly(admitted: Admitted): boolean
  /** True for writes whose own notes are recorded in the audit. */
  isAudited(endpoint: Requirements): boolean
  /** Whether `If-Match` is compared before a record is written. */
  comparesVersions: boolean
  /** Whether answers tell sentences of ours in the caller's language. For programs, who compare them, they stay as they are. */
  retellsSentences: boolean
  /** On whose behalf the call runs: no company gets more than its share of the database. */
  companyOf(admitted: Admitted): number
  /** Whose repeated POSTs are recognised; undefined where they are not. */
  repeater(admitted: Admitted): Repeater | undefined
  /** Spends this many more calls; if too few are left, spends none and throws. Absent where calls are not counted. */
  spendMore?(admitted: Admitted, calls: number, request: Request, reply: Reply): Promise<void>
}
