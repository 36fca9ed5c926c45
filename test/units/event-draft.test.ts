import { describe, expect, it } from 'vitest'
import {
  bodyOf,
  changesOf,
  draftOf,
  endsBeforeStart,
  newDraft,
  onDay,
  withAllDay,
  withStart,
} from '../../console/src/views/events/event-draft.ts'
import { movedBy } from '../../console/src/views/events/moves.ts'

const EVENT = {
  id: 5,
  name: 'زيارة الموقع',
  description: null,
  starts_at: '2026-12-01T10:00:30+03:00',
  ends_at: '2026-12-01T11:30:00+03:00',
  all_day: false,
  meeting_url: null,
  organizer: 'Layla Haddad',
  organizer_email: 'layla@example.com',
  attendees: [{ name: 'Omar Aziz', email: 'omar@example.com' }],
}

describe('An event that is being written', () => {
  it('sends only what was changed, because everybody who is invited is notified', () => {
    const before = draftOf(EVENT)
    expect(changesOf(before, before)).toEqual({})
    expect(changesOf(before, { ...before, name: 'Visit' })).toEqual({ name: 'Visit' })
    expect(changesOf(before, { ...before, invited: [] })).toEqual({ attendee_emails: [] })
    expect(changesOf(before, withAllDay(before, true))).toEqual({
      all_day: true,
      starts_at: '2026-12-01',
      ends_at: '2026-12-01',
    })
  })

  it('takes as long as before when its start is moved', () => {
    expect(withStart(draftOf(EVENT), '2027-01-01T23:00')).toMatchObject({ ends: '2027-01-02T00:30' })
    // While a time is being typed there is none.
    expect(withStart(draftOf(EVENT), '')).toMatchObject({ starts: '', ends: '2026-12-01T11:30' })
    expect(onDay('2026-12-01T10:00', '2026-12-24')).toBe('2026-12-24T10:00')
  })

  it('begins in the next hour of today and in the morning of any other day, in the company’s zone', () => {
    const now = new Date()
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Riyadh' }).format(now)
    expect(newDraft('2030-01-01', 'Asia/Riyadh')).toMatchObject({
      starts: '2030-01-01T09:00',
      ends: '2030-01-01T10:00',
    })
    const { starts, ends } = newDraft(day, 'Asia/Riyadh', now)
    expect([starts.slice(0, 10), ends > starts]).toEqual([day, true])
  })

  it('cannot end before it starts; an all-day event may end on its first day', () => {
    const draft = { ...newDraft('2030-01-01', 'UTC'), ends: '2030-01-01T08:00' }
    expect([endsBeforeStart(draft), endsBeforeStart({ ...draft, allDay: true })]).toEqual([true, false])
    expect(bodyOf({ ...draft, allDay: true })).toMatchObject({ starts_at: '2030-01-01', ends_at: '2030-01-01' })
  })
})

describe('A key in the month', () => {
  const press = (key: string, day: string, isRightToLeft = false) =>
    movedBy({ key, ctrlKey: false, metaKey: false, altKey: false }, day, 7, isRightToLeft)

  it('leads to another day, in the direction of the page', () => {
    expect(press('ArrowRight', '2026-11-30')).toBe('2026-12-01')
    expect(press('ArrowRight', '2026-11-30', true)).toBe('2026-11-29')
    expect(press('ArrowUp', '2026-11-03')).toBe('2026-10-27')
    expect([press('Home', '2026-11-17'), press('End', '2026-11-17')]).toEqual(['2026-11-15', '2026-11-21'])
    expect([press('PageUp', '2026-03-31'), press('PageDown', '2026-12-15')]).toEqual(['2026-02-28', '2027-01-15'])
  })
})
