/** The calendar of Saudi Arabia, by the name that Unicode gives it. */
export const UMM_AL_QURA = 'islamic-umalqura'

/** The years for which the calendar is defined. */
export const FIRST_HIJRI_YEAR = 1318
export const LAST_HIJRI_YEAR = 1600

const format = new Intl.DateTimeFormat(`en-u-ca-${UMM_AL_QURA}-nu-latn`, {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  timeZone: 'UTC',
})

const DAY_MS = 86_400_000
const DAYS_PER_YEAR = 354.36707
const DAYS_PER_MONTH = 29.530588
/** 1 Muharram of the year 1. */
const EPOCH_MS = Date.UTC(622, 6, 19)
/** An estimate by the length of an average year is off by at most this much. */
const OFF_BY_DAYS = 4

/** A Gregorian day, as `YYYY-MM-DD`, in the Umm al-Qura calendar; null for a day that it does not have. */
export function toHijri(day: string): string | null {
  return hijriOf(Date.parse(`${day}T00:00:00Z`))
}

/** A day of the Umm al-Qura calendar, as `YYYY-MM-DD`, in the Gregorian one; undefined when there is no such day. */
export function fromHijri(day: string): string | undefined {
  const [, year = 0, month = 0, dayOfMonth = 0] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? []
  const guess = Math.floor((year - 1) * DAYS_PER_YEAR + (month - 1) * DAYS_PER_MONTH + dayOfMonth - 1)
  for (let off = -OFF_BY_DAYS; off <= OFF_BY_DAYS; off++) {
    const at = EPOCH_MS + (guess + off) * DAY_MS
    if (hijriOf(at) === day) return new Date(at).toISOString().slice(0, 10)
  }
  return undefined
}

function hijriOf(at: number): string | null {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const year = Number(parts.year)
  return year < FIRST_HIJRI_YEAR || year > LAST_HIJRI_YEAR ? null : `${year}-${parts.month}-${parts.day}`
}
