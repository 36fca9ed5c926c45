import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeNotification, type NotificationFacts } from '../../src/jobs/mail-text.ts'
import { fromRichText } from '../../src/lib/rich-text.ts'

const facts = (fields: Partial<NotificationFacts> = {}): NotificationFacts => ({
  kind: 'discussion_created',
  title: 'Moving day',
  name: 'Omar Aziz',
  language: 'en',
  actor: 'Layla Haddad',
  project: 'Office move',
  ...fields,
})

describe('A notification by mail', () => {
  it.each([
    ['en', 'ltr', 'New discussion: Moving day', 'Hello Omar Aziz'],
    ['ar', 'rtl', 'موضوع جديد في المجلس: Moving day', 'مرحبًا Omar Aziz'],
  ] as const)('speaks %s, in the direction %s', (language, direction, subject, greeting) => {
    const mail = composeNotification(facts({ language }))
    expect(mail.subject).toBe(subject)
    expect(mail.html).toContain(`<html lang="${language}" dir="${direction}">`)
    for (const part of [mail.text, mail.html])
      for (const words of [greeting, 'Layla Haddad', 'Moving day', 'Office move']) expect(part).toContain(words)
  })

  it('says the same in plain text and in HTML', () => {
    for (const language of ['en', 'ar'] as const) {
      const { text, html } = composeNotification(facts({ language }))
      const words = (each: string) => each.replace(/^--$/m, '').match(/\S+/g)
      expect(words(fromRichText(html.replace('<!doctype html>', '')).text)).toEqual(words(text))
    }
  })

  it('says which calendar is out of step, and carries no event', () => {
    for (const [language, words] of [
      ['en', 'more than a day'],
      ['ar', 'أكثر من يوم'],
    ] as const) {
      const mail = composeNotification(
        facts({ kind: 'calendar_failing', title: 'calendar.example.com', project: null, language }),
      )
      expect([mail.subject, mail.text]).toEqual([
        expect.stringContaining('calendar.example.com'),
        expect.stringContaining(words),
      ])
      expect(mail.calendar).toBeUndefined()
    }
  })

  it('leaves the project out when there is none', () => {
    expect(composeNotification(facts({ project: null })).text).not.toMatch(/null| in /)
  })

  it('lets nothing that people wrote become markup or another header line', () => {
    const hostile = fc.oneof(
      fc.constantFrom('<script>', '"><img>', '&lt;', 'x\r\nBcc: all@example.com', '\t'),
      fc.string(),
    )
    const property = fc.property(
      hostile,
      hostile,
      fc.constantFrom('en' as const, 'ar' as const),
      (title, name, language) => {
        const { subject, html } = composeNotification(facts({ title, name, language }))
        const harmless = composeNotification(facts({ title: 'x', name: 'x', language }))
        const tags = (each: string) => each.match(/<[^>]*>/g)
        expect(subject).not.toMatch(/[\r\n]/)
        expect(tags(html)).toEqual(tags(harmless.html))
      },
    )
    fc.assert(property)
  })
})
