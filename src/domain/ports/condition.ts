import type { Said } from '../sentences/sentences.ts'

export const CONDITIONS = ['ok', 'degraded', 'down', 'off'] as const

/**
 * The condition of a part, in words for the operator. A part that does not work at all throws: then it is down. `off` means
 * that it is not set up.
 */
export interface Condition {
  state: Exclude<(typeof CONDITIONS)[number], 'down'>
  message: Said
  /** What to do about it; if missing, the general advice for the part is used. */
  advice?: Said
}
