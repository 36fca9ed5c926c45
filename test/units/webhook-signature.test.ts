import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signature } from '../../src/domain/webhooks/signature.ts'

const now = () => Math.floor(Date.now() / 1000)
const headers = (secrets: string[], body: string, timestamp = now()) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature(secrets, 'msg_1', timestamp, body),
})
const BODY = '{"title":"شراء الأثاث"}'

describe('A signature', () => {
  it('is what the reference package makes of the same message', () => {
    const secret = newWebhookSecret()
    const at = new Date(1_700_000_000_000)
    expect(signature([secret], 'msg_1', 1_700_000_000, BODY)).toBe(new Webhook(secret).sign('msg_1', at, BODY))
  })

  it('is verified by the reference package, and not for another body, id, time or secret', () => {
    const secret = newWebhookSecret()
    const verify = (sent: object, body = BODY, by = secret) =>
      new Webhook(by).verify(body, { ...headers([secret], BODY), ...sent })
    expect(verify({})).toEqual({ title: 'شراء الأثاث' })
    expect(() => verify({}, `${BODY} `)).toThrow()
    expect(() => verify({ 'webhook-id': 'msg_2' })).toThrow()
    expect(() => verify({ 'webhook-timestamp': String(now() - 1) })).toThrow()
    expect(() => verify({}, BODY, newWebhookSecret())).toThrow()
    expect(() => new Webhook(secret).verify(BODY, headers([secret], BODY, now() - 3_600))).toThrow()
  })

  it('of two secrets is verified by either', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()]
    for (const secret of secrets)
      expect(new Webhook(secret).verify(BODY, headers(secrets, BODY))).toEqual({ title: 'شراء الأثاث' })
    expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers(secrets, BODY))).toThrow()
  })
})

it('A secret is whsec_ and 32 random bytes in base64', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secrets[0]).not.toBe(secrets[1])
})
