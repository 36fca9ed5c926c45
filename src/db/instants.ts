/** An instant as PostgreSQL reads it. 9999 can be 10000 in UTC, which PostgreSQL takes without sign and leading zero. */
export function toTimestamp(at: number): string {
  return new Date(at).toISOString().replace(/^\+0/, '')
}

const USUAL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/
const SECONDS_END = '2026-11-15 08:30:00'.length

/** An instant as PostgreSQL writes it, in UTC with milliseconds. Every read calls it, so it must be fast. */
export function fromTimestamp(text: string): string {
  if (!USUAL.test(text)) return fromUnusual(text)
  const fraction = text.slice(SECONDS_END + 1, -3)
  return `${text.slice(0, 10)}T${text.slice(11, SECONDS_END)}.${milliseconds(fraction)}Z`
}

function milliseconds(fraction: string): string {
  return fraction.length < 3 ? fraction.padEnd(3, '0') : fraction.slice(0, 3)
}

const UNUSUAL =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?( BC)?$/

/** Years past 9999 or before Christ, and sessions that are not in UTC. */
function fromUnusual(text: string): string {
  const match = UNUSUAL.exec(text)
  if (!match) throw new Error(`PostgreSQL sent ${JSON.stringify(text)} for an instant`)
  const [year = 0, month = 0, day = 0, hour, minute, second] = match.slice(1, 7).map(Number)
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(9, 12).map(part => Number(part ?? 0))
  const at = new Date(0)
  // `Date.UTC` maps the years 0 to 99 to 1900 to 1999.
  at.setUTCFullYear(match[12] ? 1 - year : year, month - 1, day)
  at.setUTCHours(hour as number, minute, second, Number(milliseconds(match[7] ?? '')))
  const offsetMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000
  return new Date(at.getTime() + (match[8] === '+' ? -offsetMs : offsetMs)).toISOString()
}
