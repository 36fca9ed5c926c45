import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { VERIFICATION } from '../../console/src/views/webhooks/verification.ts'
import { signedHeaders } from '../../src/domain/webhooks/message.ts'
import { newWebhookSecret } from '../../src/domain/webhooks/signature.ts'
import { describeWith } from '../support/describe-with.ts'
import { documented } from '../support/documented.ts'
import { startReceiver } from '../support/receiver.ts'

const run = promisify(execFile)
const secret = newWebhookSecret()
const text = JSON.stringify({ title: 'شركة نجد' })
const headers = signedHeaders([secret], 'msg_1', text)

// The lines in JavaScript are run in test/units/webhook-document.test.ts.
it('The lines that the console shows for verifying a message are those of the document', () => {
  const inDocument = ['js', 'python', 'sh'].flatMap(language =>
    documented('docs/webhooks.md', 'Verifying a message', language),
  )
  expect(Object.values(VERIFICATION).map(lines => `${lines}\n`)).toEqual(inDocument)
})

describeWith('python', 'The lines in Python', ({ python }) => {
  it('accept a message as we sign it, and no other', async () => {
    const program = `${VERIFICATION.Python}
import json, sys
headers, body, secret = json.loads(sys.argv[1])
print(is_genuine(headers, body.encode(), secret), is_genuine(headers, body.encode() + b' ', secret))`
    const { stdout } = await run(python, ['-c', program, JSON.stringify([headers, text, secret])])
    expect(stdout).toBe('True False\n')
  })
})

describeWith(['openssl', 'curl'], 'The lines for a shell', () => {
  it('compute the signature of a message with openssl, and send it again with curl', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'diwan-verification-'))
    try {
      const receiver = await startReceiver()
      writeFileSync(join(folder, 'body.json'), text)
      const [ID, TIMESTAMP] = [headers['webhook-id'], headers['webhook-timestamp']]
      const env = { ...process.env, SECRET: secret, URL: receiver.url, ID, TIMESTAMP }
      const { stdout } = await run('sh', ['-c', VERIFICATION['openssl, curl']], { cwd: folder, env })
      expect(stdout.split('\n')[0]).toBe(headers['webhook-signature'])
      expect(stdout).toContain('200 OK')
      const { 'user-agent': _ours, ...repeated } = headers
      expect(receiver.received).toMatchObject([{ text, headers: repeated }])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
