/** The calls of the last days, in total: those made by this time of day, and all of them. */
export interface LastDays {
  days: number
  by_now: number
  total: number
}

/** For a new company, which has no other days to compare with, there is no forecast before this much of the day is over. */
const ENOUGH_OF_A_DAY = 1 / 24

/**
 * The calls to expect by the end of today: those made so far, plus the average that the last days made after this time of day,
 * scaled by how today compares with them so far. The average of a whole day is added to both sides of that comparison, so that
 * a few early calls do not count for much. Without other days, today's rate is extrapolated. Null when there is nothing to go
 * by.
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
