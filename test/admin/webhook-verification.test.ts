import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERIFICATION } from '../../console/src/views/webhooks/verification.ts'
import { useApp } from '../support/app.ts'
import { documented } from '../support/documented.ts'
import { type Received, startReceiver } from '../support/receiver.ts'

const run = promisify(execFile)

describe('The lines that the console shows for verifying a message', () => {
  const app = useApp({ allowPrivateWebhooks: true })
  let folder: string
  let message: Received
  let secret: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'diwan-verification-'))
    const receiver = await startReceiver()
    const company = await app.diwan.company({ name: 'شركة نجد' })
    const body = { name: 'x', url: receiver.url, kinds: ['*'] }
    const webhook = (await company.admin.post('/webhooks', body)).body.data
    await company.admin.post(`/webhooks/${webhook.id}/test`)
    message = receiver.received[0] as Received
    secret = webhook.secret
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('are those of the document', () => {
    const inDocument = ['js', 'python', 'sh'].flatMap(language =>
      documented('docs/webhooks.md', 'Verifying a message', language),
    )
    expect(Object.values(VERIFICATION).map(lines => `${lines}\n`)).toEqual(inDocument)
  })

  it('accept a real message in JavaScript, and no other', async () => {
    const file = join(folder, 'verify.mjs')
    writeFileSync(
      file,
      `${VERIFICATION.JavaScript}
const [headers, body, secret] = JSON.parse(process.argv[2])
console.log(isGenuine(headers, body, secret), isGenuine(headers, body + ' ', secret))`,
    )
    const { stdout } = await run(process.execPath, [file, JSON.stringify([message.headers, message.text, secret])])
    expect(stdout).toBe('true false\n')
  })

  it('accept a real message in Python, and no other', async () => {
    const program = `${VERIFICATION.Python}
import json, sys
headers, body, secret = json.loads(sys.argv[1])
print(is_genuine(headers, body.encode(), secret), is_genuine(headers, body.encode() + b' ', secret))`
    const { stdout } = await run('python3', ['-c', program, JSON.stringify([message.headers, message.text, secret])])
    expect(stdout).toBe('True False\n')
  })

  it('compute the signature of a real message with openssl, and send it again with curl', async () => {
    const receiver = await startReceiver()
    writeFileSync(join(folder, 'body.json'), message.text)
    const env = {
      ...process.env,
      SECRET: secret,
      URL: receiver.url,
      ID: String(message.headers['webhook-id']),
      TIMESTAMP: String(message.headers['webhook-timestamp']),
    }
    const { stdout } = await run('sh', ['-c', VERIFICATION['openssl, curl']], { cwd: folder, env })
    expect(stdout.split('\n')[0]).toBe(message.headers['webhook-signature'])
    expect(stdout).toContain('200 OK')
    const [again] = receiver.received
    expect(again?.text).toBe(message.text)
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'])
      expect([name, again?.headers[name]]).toEqual([name, message.headers[name]])
  })
})
