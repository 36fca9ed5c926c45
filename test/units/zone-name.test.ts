import { expect, it } from 'vitest'
import { zoneName } from '../../src/lib/zone-name.ts'

it.each([
  ['Asia/Riyadh', 'Saudi Arabia Time', 'توقيت المملكة العربية السعودية'],
  ['Africa/Cairo', 'Egypt Time', 'توقيت مصر'],
  ['America/New_York', 'New York Time', 'توقيت نيويورك'],
  ['UTC', 'Coordinated Universal Time', 'التوقيت العالمي المنسق'],
])('The time zone %s is called %s and %s', (zone, english, arabic) => {
  expect([zoneName(zone, 'en'), zoneName(zone, 'ar')]).toEqual([english, arabic])
})

it('Every time zone has an Arabic name in Arabic letters', () => {
  const named = Intl.supportedValuesOf('timeZone').map(zone => zoneName(zone, 'ar'))
  expect(named.length).toBeGreaterThan(300)
  expect(named.filter(name => !/^\p{Script=Arabic}[^A-Za-z]*$/u.test(name))).toEqual([])
})
