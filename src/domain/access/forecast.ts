/** What the last days tell of a day: how many calls they had by this time of day, and altogether. */
export interface LastDays {
  days: number
  by_now: number
  total: number
}

/** Of a new company, which has nothing to be compared with, a day is not told before so much of it is over. */
const ENOUGH_OF_A_DAY = 1 / 24

/**
 * The calls to expect by the end of today: those made so far, and what the last days made on average from this time of day
 * on, as much more or less as today differs from them so far. The average of a whole day is added to both sides of that
 * comparison, so that a few early calls do not count for much. Without other days, today's pace goes on. Null when there is
 * nothing to go by.
 */
export function forecast(calls: number, shareOfDay: number, last: LastDays): number | null {
  if (last.total > 0) {
    const average = last.total / last.days
    const byNow = last.by_now / last.days
    const compared = (calls + average) / (byNow + average)
    return Math.round(calls + (average - byNow) * compared)
  }
  return calls > 0 && shareOfDay >= ENOUGH_OF_A_DAY ? Math.round(calls / shareOfDay) : null
}
