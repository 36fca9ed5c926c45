import { forbidden } from '../errors.ts'
import type { Caller } from './caller.ts'
import type { Right } from './operations.ts'

/** Rights belong to the key, because a key is not limited by its creator's role. */
export function requireRight({ key }: Pick<Caller, 'key'>, right: Right): void {
  if (!key.rights.includes(right)) throw forbidden(`The key lacks the right ${right}.`)
}
