import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWebhookSecret, signature } from '../../src/domain/webhooks/signature.ts'
import { documented } from '../support/documented.ts'

const path = join(import.meta.dirname, '../../docs/webhooks.md')
const [script = ''] = documented(path, 'Verifying a message', 'js')

describe('The lines of the document that verify a message', () => {
  let folder: string
  let isGenuine: (headers: Record<string, string>, body: string, secret: string) => boolean
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'diwan-document-'))
    const file = join(folder, 'verify.mjs')
    writeFileSync(file, `${script}\nexport { isGenuine }\n`)
    isGenuine = (await import(pathToFileURL(file).href)).isGenuine
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const body = '{"title":"شراء الأثاث"}'
  const headers = (secrets: string[], timestamp = Math.floor(Date.now() / 1000)) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature(secrets, 'msg_1', timestamp, body),
  })

  it('take what we sign, also during a rotation, and nothing else', () => {
    const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
    expect(isGenuine(headers([secret]), body, secret)).toBe(true)
    expect(isGenuine(headers([other, secret]), body, secret)).toBe(true)
    expect(isGenuine(headers([secret]), `${body} `, secret)).toBe(false)
    expect(isGenuine({ ...headers([secret]), 'webhook-id': 'msg_2' }, body, secret)).toBe(false)
    expect(isGenuine({ ...headers([secret]), 'webhook-signature': 'v1,x' }, body, secret)).toBe(false)
    expect(isGenuine(headers([other]), body, secret)).toBe(false)
    expect(isGenuine(headers([secret], Math.floor(Date.now() / 1000) - 600), body, secret)).toBe(false)
  })
})
