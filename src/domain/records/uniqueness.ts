import { isUniqueViolation } from '../../db/failures.ts'
import { unprocessable } from '../errors.ts'
import type { Said } from '../sentences/sentences.ts'

/** Waits for a write, and refuses it when the value of a field is taken. The database decides, even between concurrent writes. */
export async function refuseDuplicate<T>(write: Promise<T>, field: string, problem: Said): Promise<T> {
  return write.catch(error => {
    throw isUniqueViolation(error) ? unprocessable(field, problem) : error
  })
}
