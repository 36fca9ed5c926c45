import { describe, expect, it } from 'vitest'
import { localDay } from '../src/lib/zoned-time.ts'
import { shuffled } from '../test/support/random.ts'
import { rounds, tell } from '../test/support/trial.ts'

const ALL = Intl.supportedValuesOf('timeZone')
const ZONES = shuffled(ALL).slice(0, rounds(60, ALL.length))
const [FIRST, LAST] = rounds(0, 1) === 1 ? [2024, 2030] : [2026, 2026]
const SHORTEST_DAY_MS = 22 * 3_600_000
const QUARTER_MS = 15 * 60_000

/** The date that the clocks show, from the ICU of Node.js: not from the library with which the server computes it. */
function calendar(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  return at => format.format(at)
}

/** The dates in order. A day that a zone left out, as Samoa once did, is not among them. */
function expectOneResetADay(zone: string): number {
  const dateAt = calendar(zone)
  const end = Date.UTC(LAST, 11, 31)
  let resets = 0
  for (let at = Date.UTC(FIRST, 0, 1, 12); at < end; resets++) {
    const { date, startsAt, endsAt } = localDay(zone, at)
    const isRight =
      dateAt(startsAt) === date &&
      dateAt(startsAt - 1) < date &&
      // Where midnight comes twice, the clocks show the day before for a while after its first instant: it is one day all the same.
      dateAt(endsAt - 1) <= date &&
      dateAt(endsAt) > date &&
      endsAt - startsAt >= SHORTEST_DAY_MS &&
      [startsAt, startsAt + QUARTER_MS, endsAt - 1].every(instant => localDay(zone, instant).startsAt === startsAt) &&
      localDay(zone, endsAt).startsAt === endsAt
    // A million expectations would take longer than what they expect.
    if (!isRight) expect.fail(`${zone}, ${date}: from ${new Date(startsAt).toJSON()} to ${new Date(endsAt).toJSON()}`)
    at = endsAt
  }
  return resets
}

describe('The daily allowance', () => {
  it(`is renewed once a day, at the first instant of the day, in each of ${ZONES.length} zones from ${FIRST} to ${LAST}`, () => {
    const resets = ZONES.reduce((sum, zone) => sum + expectOneResetADay(zone), 0)
    tell('midnight', { zones: ZONES.length, resets })
    expect(resets).toBeGreaterThanOrEqual(ZONES.length * 364 * (LAST - FIRST + 1))
  })
})
