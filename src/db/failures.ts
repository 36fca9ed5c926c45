import { NoRoom } from './bulkhead.ts'

// What a failure of the database means, by its code.

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

/** True when PostgreSQL gave up a transaction for the sake of another. */
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

/** True when PostgreSQL gave a statement up for what it was to do: another one may succeed. */
export function isOfStatement(error: unknown): boolean {
  const code = errorCode(error)
  return code !== undefined && (/^(57014|55P03)$/.test(code) || !isUnavailable(error))
}

/** True for a session that may not write: another one may, when the server has changed its mind or its role. */
export function isReadOnlySession(error: unknown): boolean {
  return errorCode(error) === '25006'
}

/** Connection lost or refused, shutting down, out of disk, memory or connections, read-only, cancelled, waited too long for a lock. */
const UNAVAILABLE_STATE = /^(08|53|57P0|57014$|55P03$|25006$|25P0[34]$)/
const UNAVAILABLE_ERRNO =
  /^E(CONNREFUSED|CONNRESET|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOSPC|DQUOT|MFILE|NFILE|ROFS)$/
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|after calling end|PGlite is closed/i

/** True when the database, or the disk, cannot do what it otherwise could: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof NoRoom) return true
  const code = errorCode(error)
  if (code === undefined) return UNAVAILABLE_MESSAGE.test(String(error))
  // The Unix socket of a server that is away; a file that is missing is another matter.
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect'
  return UNAVAILABLE_STATE.test(code) || UNAVAILABLE_ERRNO.test(code)
}
