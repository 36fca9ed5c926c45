import { Webhook as Reference } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../client/src/index.ts'
import { newWebhookSecret, signature } from '../../src/domain/webhooks/signature.ts'

const now = () => Math.floor(Date.now() / 1000)
const BODY = '{"type":"task.completed","data":{"title":"شراء الأثاث"}}'
const secret = newWebhookSecret()

const headersOf = (secrets = [secret], timestamp = now(), body = BODY) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature(secrets, 'msg_1', timestamp, body),
})
const received = { secret, headers: headersOf(), body: BODY }
const UNVERIFIED = { name: 'DiwanError', code: 'webhook_unverified' }

describe('A message', () => {
  it('that Diwan or the reference package signed is taken, as text and as bytes, with headers of either kind', async () => {
    for (const headers of [headersOf(), new Headers(headersOf())])
      for (const body of [BODY, new TextEncoder().encode(BODY)])
        expect(await verifyWebhook({ secret, headers, body })).toEqual(JSON.parse(BODY))
    const at = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Reference(secret).sign('msg_1', at, BODY),
    }
    expect(await verifyWebhook({ secret, headers, body: BODY })).toEqual(JSON.parse(BODY))
  })

  it('is taken by either secret while one replaces the other', async () => {
    const next = newWebhookSecret()
    const headers = headersOf([next, secret])
    for (const known of [secret, next, [next, secret]])
      expect(await verifyWebhook({ ...received, secret: known, headers })).toEqual(JSON.parse(BODY))
    expect(await verifyWebhook({ ...received, secret: [next, secret] })).toEqual(JSON.parse(BODY))
  })

  it('with another body, id, time, secret or signature is refused', async () => {
    const headers = headersOf()
    for (const wrong of [
      { body: `${BODY} ` },
      { headers: { ...headers, 'webhook-id': 'msg_2' } },
      { headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) } },
      { headers: { ...headers, 'webhook-signature': 'v1,' } },
      { headers: { ...headers, 'webhook-signature': 'v1,not base64' } },
      { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v1a,') } },
      { headers: {} },
      { secret: newWebhookSecret() },
      { secret: [] },
    ])
      await expect(verifyWebhook({ ...received, ...wrong })).rejects.toMatchObject(UNVERIFIED)
  })

  it('is refused when it is too old or too far ahead, unless the caller allows it', async () => {
    for (const off of [-600, 600]) {
      const headers = headersOf([secret], now() + off)
      await expect(verifyWebhook({ ...received, headers })).rejects.toMatchObject(UNVERIFIED)
      expect(await verifyWebhook({ ...received, headers, toleranceSeconds: 900 })).toEqual(JSON.parse(BODY))
    }
  })

  it('is not looked at with a secret that is none', async () => {
    await expect(verifyWebhook({ ...received, secret: 'whsec_***' })).rejects.toThrow(TypeError)
  })
})
