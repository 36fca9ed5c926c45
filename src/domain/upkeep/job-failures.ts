import type { JobKind } from '../ports/job-queue.ts'
import { type Said, say, wordsOf } from '../sentences/sentences.ts'

/** What failed. */
const WHAT: Record<JobKind, Said> = {
  'notify-people': 'Not everyone could be notified',
  'mail-notification': 'A notification could not be mailed',
  'scan-file': 'A file could not be scanned',
  'remove-bytes': 'The bytes of a deleted file could not be removed',
  'remove-list': 'A deleted task list could not be removed for good',
  'remove-folder': 'A deleted folder could not be removed for good',
  'sync-calendar': 'An event could not be copied to a connected calendar',
}

/** Error codes and what they mean. The first one that the error contains is used. */
const WHY: [sign: string, meaning: Said][] = [
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was broken off'],
  ['EHOSTUNREACH', 'the host could not be reached'],
  ['ENETUNREACH', 'the network could not be reached'],
  ['ENOTFOUND', 'the name of the host could not be found'],
  ['EAI_AGAIN', 'the name of the host could not be looked up'],
  ['ENOSPC', 'the disk is full'],
  ['EACCES', 'the permission to read or write a file was missing'],
  ['Invalid login', 'the mail server refused the user name or password'],
  ['certificate', 'the certificate of the server was not accepted'],
  ['ETIMEDOUT', 'there was no answer in time'],
  ['timeout', 'there was no answer in time'],
  ['gave no answer', 'there was no answer in time'],
]

/** A sentence for people about a failed job, in English. Unknown errors are shown as they are. A kind may be one of a newer release. */
export function reasonOf(kind: JobKind, error: string | null): string {
  const what = wordsOf((WHAT as Partial<typeof WHAT>)[kind] ?? 'A job could not be done')
  if (error === null) return say('{what}.', { what }).en
  const known = WHY.find(([sign]) => error.includes(sign))?.[1]
  return say('{what}: {why}.', { what, why: known ? wordsOf(known) : error.replace(/\.$/, '') }).en
}
