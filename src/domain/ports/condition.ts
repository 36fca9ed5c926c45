export const CONDITIONS = ['ok', 'degraded', 'down', 'off'] as const

/**
 * How a part is doing, in words for the operator. What a part cannot do at all it says by throwing: then it is down.
 * `off` is what is not set up.
 */
export interface Condition {
  state: Exclude<(typeof CONDITIONS)[number], 'down'>
  message: string
  /** What to do about it; without one, what helps with the part in general. */
  advice?: string
}
