/** What is left of the daily allowance; null where there is no limit. */
export interface Allowance {
  calls_left: number | null
  /** When the count starts again. */
  resets_at: string | null
}

/** Every answer says it. */
export function readAllowance(headers: Headers): Allowance {
  const [left, reset] = ['x-ratelimit-remaining', 'x-ratelimit-reset'].map(name => headers.get(name) ?? '')
  if (!/^\d{1,15}$/.test(left ?? '')) return { calls_left: null, resets_at: null }
  return { calls_left: Number(left), resets_at: new Date(Number(reset) * 1000).toISOString() }
}
