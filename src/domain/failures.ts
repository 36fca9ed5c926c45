import {
  isConcurrencyConflict,
  isMissingParent,
  isOfMovingCompany,
  isUnavailable,
  isUniqueViolation,
} from '../db/failures.ts'
import { ThreadLost } from '../lib/thread.ts'
import { type ApiError, cellIsAway, companyIsMoving, conflict, notFound, unavailable } from './errors.ts'
import { StorageUnavailable } from './ports/blob-store.ts'
import { CellAway } from './ports/cells.ts'

/** What a failure of something that we rely on means for a caller; undefined when the caller cannot do anything about it. */
export function refusalFor(failure: unknown): ApiError | undefined {
  if (isUniqueViolation(failure) || isConcurrencyConflict(failure)) return conflict()
  // Another call deleted the parent after it was found.
  if (isMissingParent(failure)) return notFound()
  if (isOfMovingCompany(failure)) return companyIsMoving()
  if (isUnavailable(failure) || failure instanceof StorageUnavailable || failure instanceof ThreadLost)
    return unavailable()
  if (failure instanceof CellAway) return cellIsAway()
  return undefined
}
