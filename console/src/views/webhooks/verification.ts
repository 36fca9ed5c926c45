/** The lines that verify a message, as docs/webhooks.md has them: a test compares the two, and runs them. */
export const VERIFICATION = {
  JavaScript: `// Node.js
import { createHmac, timingSafeEqual } from 'node:crypto'

function isGenuine(headers, body, secret) {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = Buffer.from(\`v1,\${createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest('base64')}\`)
  const sent = headers['webhook-signature'].split(' ').map(each => Buffer.from(each))
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300
  return isFresh && sent.some(each => each.length === expected.length && timingSafeEqual(each, expected))
}`,
  Python: `# Python
import base64, hashlib, hmac, time

def is_genuine(headers, body, secret):
    message_id, timestamp = headers['webhook-id'], headers['webhook-timestamp']
    key = base64.b64decode(secret.removeprefix('whsec_'))
    content = f'{message_id}.{timestamp}.'.encode() + body
    expected = 'v1,' + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    fresh = abs(time.time() - int(timestamp)) < 300
    return fresh and any(hmac.compare_digest(each, expected) for each in headers['webhook-signature'].split(' '))`,
  'openssl, curl': `# Shell: ID and TIMESTAMP are headers of the message, body.json is its body
key=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
signature=v1,$({ printf %s "$ID.$TIMESTAMP."; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
echo "$signature"  # one of those in webhook-signature

# Sends the same message to your receiver once more
curl -i "$URL" -H 'content-type: application/json' -H "webhook-id: $ID" \\
  -H "webhook-timestamp: $TIMESTAMP" -H "webhook-signature: $signature" --data-binary @body.json`,
} as const
