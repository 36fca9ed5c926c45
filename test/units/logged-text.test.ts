import { describe, expect, it } from 'vitest'
import { loggedMessage, loggedPath } from '../../src/domain/access/logged-text.ts'

describe('The message of a logged request', () => {
  it.each([
    ["title can't be blank", "title can't be blank"],
    ['priority must be one of low, medium, high, urgent', 'priority must be one of low, medium, high, urgent'],
    [
      `assignee_email ${'a'.repeat(120)}@example.com is not a member`,
      `assignee_email ${'a'.repeat(100)}… is not a member`,
    ],
    [`name "${'مكتب '.repeat(40)}" is taken`, `name "${'مكتب '.repeat(20)}…" is taken`],
    [`has "${'a b\\"'.repeat(40)}" twice`, `has "${'a b\\"'.repeat(20)}…" twice`],
    [`has "${'x'.repeat(100)}" twice`, `has "${'x'.repeat(100)}" twice`],
    [`has "${'x'.repeat(99)}\\`, `has "${'x'.repeat(99)}\\`],
    ['the name svc_short is taken', 'the name svc_short is taken'],
    [`never ends: "${'y'.repeat(200)}`, `never ends: "${'y'.repeat(100)}…`],
  ])('keeps our own words, and a hundred characters of what was sent: %s', (message, kept) => {
    expect(loggedMessage(message)).toBe(kept)
  })

  it('can always be stored', () => {
    expect(loggedMessage('a\u0000b\ud800c \udc00 \u0007')).toBe('a\ufffdb\ufffdc \ufffd \ufffd')
  })

  it('has a bound, whatever it consists of', () => {
    expect(loggedMessage('word '.repeat(600))).toHaveLength(1_001)
  })

  it.each([
    `svc_api_${'k'.repeat(49)}`,
    `svc_api_test_${'k'.repeat(49)}`,
    `svc_${'t'.repeat(49)}`,
    `svc_api_7000001_${'k'.repeat(49)}`,
    `whsec_${'s+/='.repeat(11)}`,
  ])('never shows the secret %s', secret => {
    expect(loggedMessage(`name "${secret}" is taken`)).toMatch(/^name "(svc_|whsec_)…" is taken$/)
    expect(loggedPath(`/api/v1/tasks/${secret.replaceAll('/', 'x')}`, '')).toMatch(/^\/api\/v1\/tasks\/(svc_|whsec_)…$/)
  })
})
