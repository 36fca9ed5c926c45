import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDay, monthsAfter, weekdayOf, weekStart, weeksOf } from '../../console/src/views/events/days.ts'
import { hijriDay, hijriMonths } from '../../console/src/views/events/formats.ts'
import { linesOf, spanOf } from '../../console/src/views/events/spans.ts'
import { ownWeek, weekIn } from '../../console/src/views/events/week.ts'
import { daysAfter } from '../../console/src/views/records/today.ts'

const event = (id: number, starts_at: string, ends_at: string, all_day = false) => ({ id, starts_at, ends_at, all_day })
const allDay = (id: number, first: string, last: string) =>
  event(id, `${first}T00:00:00+03:00`, `${last}T00:00:00+03:00`, true)

describe('The week', () => {
  it.each([
    ['Asia/Riyadh', 7, [5, 6]],
    ['Africa/Cairo', 6, [5, 6]],
    ['Asia/Kuwait', 6, [5, 6]],
    ['Asia/Dubai', 1, [6, 7]],
    ['Europe/Berlin', 1, [6, 7]],
    ['Africa/Casablanca', 1, [6, 7]],
    ['America/New_York', 7, [6, 7]],
    ['Etc/UTC', 1, [6, 7]],
  ])('of a company in %s begins on day %i', (zone, firstDay, weekend) => {
    expect(weekIn(zone)).toMatchObject({ firstDay, weekend })
  })

  it('is the same in browsers that do not know it', () => {
    for (const country of 'SA YE KW QA BH OM AE JO IQ SY IR EG LY SD DZ IL IN US JP BR 001'.split(' ')) {
      const locale = new Intl.Locale(`und-${country}`) as { getWeekInfo?: () => object; weekInfo?: object }
      expect([country, locale.getWeekInfo?.() ?? locale.weekInfo]).toEqual([
        country,
        expect.objectContaining(ownWeek(country)),
      ])
    }
  })
})

describe('The days of a month', () => {
  it('stand in whole weeks, from the first day of the week on', () => {
    const weeks = weeksOf('2026-11-17', 7)
    expect(weeks.map(([first]) => first)).toEqual([
      '2026-11-01',
      '2026-11-08',
      '2026-11-15',
      '2026-11-22',
      '2026-11-29',
    ])
    expect(weeksOf('2026-11-17', 6)[0]?.[0]).toBe('2026-10-31')
    expect(weeksOf('2026-11-17', 1).at(-1)?.at(-1)).toBe('2026-12-06')
    expect(weeksOf('2026-02-10', 7)).toHaveLength(4)
  })

  it('are each there once, also where clocks change, in every month and from every first day', () => {
    const months = fc.tuple(fc.integer({ min: 1900, max: 9998 }), fc.integer({ min: 1, max: 12 }))
    fc.assert(
      fc.property(months, fc.integer({ min: 1, max: 7 }), ([year, month], firstDay) => {
        const day = `${year}-${String(month).padStart(2, '0')}-15`
        const days = weeksOf(day, firstDay).flat()
        const inMonth = days.filter(each => each.startsWith(day.slice(0, 8)))
        expect(inMonth).toHaveLength(new Date(Date.UTC(year, month, 0)).getUTCDate())
        expect(days.every((each, n) => n === 0 || each === daysAfter(days[n - 1] as string, 1))).toBe(true)
        expect(weekdayOf(days[0] as string)).toBe(firstDay)
        expect(days.length % 7).toBe(0)
      }),
    )
  })

  it('keep their number from month to month, where the month has it', () => {
    expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28')
    expect(monthsAfter('2028-01-31', 1)).toBe('2028-02-29')
    expect(monthsAfter('2026-12-15', 1)).toBe('2027-01-15')
    expect(monthsAfter('2026-03-31', -1)).toBe('2026-02-28')
  })

  it('are those that the server takes, and the week of each begins where weeks begin', () => {
    expect(['2026-11-17', '1900-01-01', '9999-12-31'].map(isDay)).toEqual([true, true, true])
    expect(['', 'today', '1448-06-05', '2026-13-01', '2026-1-1', '<img>'].map(isDay)).toEqual(Array(6).fill(false))
    expect(weekStart('2026-04-24', 6)).toBe('2026-04-18')
  })

  it('have a day in the second calendar, and its month where that begins', () => {
    // As the Umm al-Qura calendar is published: 1 Ramadan 1445 is 11 March 2024.
    expect(hijriDay('en', '2024-03-12')).toEqual({ number: '2' })
    expect(hijriDay('en', '2024-03-11')).toEqual({ number: '1', month: expect.stringMatching(/^Ram/) })
    expect(hijriDay('ar', '2024-03-11')).toEqual({ number: '1', month: 'رمضان' })
    expect(hijriDay('en', '2026-11-15')).toEqual({ number: '5' })
    expect(hijriMonths('ar', '2024-03-01', '2024-03-31')).toMatch(/شعبان.*رمضان 1445/)
  })
})

describe('An event', () => {
  it('takes place up to its last day, which is included if it is all day', () => {
    expect(spanOf(allDay(1, '2026-11-27', '2026-11-29'))).toEqual({ first: '2026-11-27', last: '2026-11-29' })
    expect(spanOf(event(1, '2026-11-27T22:00:00+03:00', '2026-11-28T00:00:00+03:00'))).toEqual({
      first: '2026-11-27',
      last: '2026-11-27',
    })
    expect(spanOf(event(1, '2026-11-27T22:00:00+03:00', '2026-11-28T00:30:00+03:00')).last).toBe('2026-11-28')
    expect(spanOf(event(1, '2026-11-27T00:00:00+03:00', '2026-11-27T00:00:00+03:00')).last).toBe('2026-11-27')
  })

  const week = Array.from({ length: 7 }, (_, n) => daysAfter('2026-11-15', n))
  const shown = (...events: ReturnType<typeof event>[]) =>
    linesOf(events, week).map(cell => cell.map(one => one?.id ?? 0))

  it('stands on the same line on each of its days', () => {
    const lines = shown(
      allDay(1, '2026-11-16', '2026-11-18'),
      event(2, '2026-11-17T09:00:00+03:00', '2026-11-17T10:00:00+03:00'),
      allDay(3, '2026-11-10', '2026-11-16'),
      event(4, '2026-11-18T09:00:00+03:00', '2026-11-18T10:00:00+03:00'),
    )
    expect(lines).toEqual([[3], [3, 1], [2, 1], [4, 1], [], [], []])
  })

  it('is on every day of a week that it lasts longer than, and on none of another', () => {
    expect(shown(allDay(1, '2020-01-01', '2030-01-01'))).toEqual(Array(7).fill([1]))
    expect(shown(allDay(1, '2026-11-22', '2026-11-23'))).toEqual(Array(7).fill([]))
  })
})
