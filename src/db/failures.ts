import { NoRoom } from '../lib/fair-queue.ts'

// What a failure of the database means, by its code.

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

/** True when PostgreSQL aborted a transaction because of a concurrent one. */
export function isConcurrencyConflict(error: unknown): boolean {
  const code = errorCode(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED
}

export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505'
}

export function isMissingParent(error: unknown): boolean {
  return errorCode(error) === '23503'
}

/** True when a company that is being moved to another cell was to be changed (0024_moving_companies.sql). */
export function isOfMovingCompany(error: unknown): boolean {
  return errorCode(error) === 'DW001'
}

/** True when the statement itself is at fault and not the database: another statement may succeed. */
export function isOfStatement(error: unknown): boolean {
  const code = errorCode(error)
  return code !== undefined && (/^(57014|55P03)$/.test(code) || !isUnavailable(error))
}

/** True for a session that may not write: a new one may, once the server's configuration or role has changed. */
export function isReadOnlySession(error: unknown): boolean {
  return errorCode(error) === '25006'
}

/** Connection lost or refused, shutdown, out of disk, memory or connections, read-only, cancelled, lock timeout. */
const UNAVAILABLE_STATE = /^(08|53|57P0|57014$|55P03$|25006$|25P0[34]$)/
const UNAVAILABLE_ERRNO =
  /^E(CONNREFUSED|CONNRESET|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOSPC|DQUOT|MFILE|NFILE|ROFS)$/
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|after calling end|PGlite is closed/i

/** True when the database, or the disk, is temporarily unable to do its work: the caller may retry later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof NoRoom) return true
  const code = errorCode(error)
  if (code === undefined) return UNAVAILABLE_MESSAGE.test(String(error))
  // The Unix socket of a server that is down; any other missing file is a different failure.
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect'
  return UNAVAILABLE_STATE.test(code) || UNAVAILABLE_ERRNO.test(code)
}
