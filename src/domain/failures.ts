import { isConcurrencyConflict, isMissingParent, isUnavailable, isUniqueViolation } from '../db/failures.ts'
import { type ApiError, conflict, notFound, unavailable } from './errors.ts'
import { StorageUnavailable } from './ports/blob-store.ts'

/** What a failure of the database or of the storage means for a caller; undefined when the caller cannot do anything about it. */
export function refusalFor(failure: unknown): ApiError | undefined {
  if (isUniqueViolation(failure) || isConcurrencyConflict(failure)) return conflict()
  // Another call deleted the parent after it was found.
  if (isMissingParent(failure)) return notFound()
  if (isUnavailable(failure) || failure instanceof StorageUnavailable) return unavailable()
  return undefined
}
