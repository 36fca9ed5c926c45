import { isUniqueViolation } from '../db/db.ts'
import { unprocessable } from './errors.ts'

/** Awaits a write, and answers 422 when the value of a field is taken. The database knows, also of two who come at once. */
export async function refuseDuplicate<T>(write: Promise<T>, field: string, problem: string): Promise<T> {
  return write.catch(error => {
    throw isUniqueViolation(error) ? unprocessable(field, problem) : error
  })
}
