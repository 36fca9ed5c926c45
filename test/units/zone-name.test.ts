import { expect, it } from 'vitest'
import { zoneName } from '../../src/lib/zone-name.ts'

it.each([
  ['Asia/Riyadh', 'Saudi Arabia Time', 'توقيت المملكة العربية السعودية'],
  ['Africa/Cairo', 'Egypt Time', 'توقيت مصر'],
  ['America/New_York', 'New York Time', 'توقيت نيويورك'],
  ['UTC', 'Coordinated Universal Time', 'التوقيت العالمي المنسق'],
])('The time zone %s is called %s and %s', (zone, english, arabic) => {
  expect([zoneName(zone, 'en-001'), zoneName(zone, 'ar')]).toEqual([english, arabic])
})

it('Time zones all over the world have an Arabic name in Arabic letters', () => {
  // Every one would take seconds, because each has a format of its own.
  const some = Intl.supportedValuesOf('timeZone').filter((_, n) => n % 10 === 0)
  const named = some.map(zone => zoneName(zone, 'ar'))
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(name => !/^\p{Script=Arabic}[^A-Za-z]*$/u.test(name))).toEqual([])
})
