import { expect, it } from 'vitest'
import { composeNotification } from '../../src/jobs/mail/text.ts'

const facts = {
  kind: 'file_unscanned' as const,
  title: 'a.zip',
  name: 'Layla',
  actor: 'Layla',
  project: null,
  scan_finding: 'Archive.Encrypted',
  scan_message: 'is locked with a password, so it could not be looked into',
}

it('Who uploaded a file that could not be looked into is told why, and not that it is infected', () => {
  const english = composeNotification({ ...facts, language: 'en' }).text
  expect(english).toContain('is locked with a password, so it could not be looked into. Nobody can download it.')
  const arabic = composeNotification({ ...facts, language: 'ar' }).text
  expect(arabic).toContain('محمي بكلمة مرور')
  const unanswered = { ...facts, scan_finding: null, scan_message: null, language: 'ar' as const }
  expect(composeNotification(unanswered).text).toContain('لم يُجب')
  expect(english + arabic).not.toMatch(/infected|مصاب/)
})
