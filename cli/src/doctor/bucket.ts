import { createHash, randomUUID } from 'node:crypto'
import { S3Bucket } from '../../../src/adapters/s3-bucket.ts'
import type { Config } from '../../../src/config.ts'
import { type Finding, reasonOf } from '../../../src/domain/installation/health.ts'
import { withDeadline } from '../../../src/lib/deadline.ts'
import { doubtful, fault, ok } from './finding.ts'

const WITHIN_MS = 20_000
/** Beyond a quarter of an hour, a server that speaks S3 refuses every request. */
const CLOCKS_DIFFER_MS = 60_000
const CONTENT = Buffer.from('doctor')

/** What to do about the codes of errors that come from a setting. */
const ADVICE: [code: RegExp, advice: string][] = [
  [/NoSuchBucket/, 'Create the bucket, or correct its name in S3_URL.'],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch/,
    'Correct the key and the secret in S3_URL. Special characters in them are percent-encoded.',
  ],
  [/AccessDenied/, 'Allow the key of S3_URL to read, write, delete and list there.'],
  [/AuthorizationHeaderMalformed|PermanentRedirect/, 'Name the region of the bucket in S3_URL: ?region=eu-central-1.'],
  [/RequestTimeTooSkewed/, 'Set the clock of this machine by NTP.'],
]

/** Does once what the server does: writes an object, reads it, finds it in the list and removes it. */
export async function lookAtBucket({ s3 }: Config): Promise<Finding[]> {
  if (!s3) return []
  const bucket = new S3Bucket(s3)
  const key = `doctor/${randomUUID()}`
  let step = 'written'
  try {
    return await withDeadline(WITHIN_MS, async () => {
      await bucket.put(key, { bytes: CONTENT, sha256: createHash('sha256').update(CONTENT).digest('hex') })
      step = 'read'
      const answer = await bucket.get(key)
      const now = Date.now()
      const isSame = answer !== undefined && CONTENT.equals(Buffer.from(await answer.arrayBuffer()))
      step = 'listed'
      for await (const _ of bucket.list(key));
      step = 'cleared'
      await bucket.remove(key)
      if (!isSame) return [fault('storage', `The bucket ${s3.bucket} does not give back what was written.`)]
      const done = ok('storage', `The bucket ${s3.bucket} can be written, read, listed and cleared.`)
      return [done, ...lookAtClock(Date.parse(answer.headers.get('date') ?? '') - now)]
    })
  } catch (error) {
    const reason = reasonOf(error)
    const [, advice] = ADVICE.find(([code]) => code.test(reason)) ?? []
    return [fault('storage', `The bucket ${s3.bucket} cannot be ${step}: ${reason}.`, advice)]
  }
}

/** Without a date in the answer nothing is known. */
function lookAtClock(aheadMs: number): Finding[] {
  if (!(Math.abs(aheadMs) >= CLOCKS_DIFFER_MS)) return []
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return [
    doubtful(
      'clock',
      `The clock of the bucket is ${seconds} s ${aheadMs > 0 ? 'ahead' : 'behind'}.`,
      'Set the clock of this machine by NTP: a bucket refuses requests that are more than 15 minutes off.',
    ),
  ]
}
