import { expect, it } from 'vitest'
import { reasonOf } from '../../src/domain/upkeep/job-failures.ts'

it.each([
  [
    'mail-notification',
    'connect ECONNREFUSED 127.0.0.1:25',
    'A notification could not be mailed: the connection was refused.',
  ],
  ['scan-file', 'The scanner gave no answer in 30000 ms', 'A file could not be scanned: there was no answer in time.'],
  [
    'remove-bytes',
    'ENOSPC: no space left on device',
    'The bytes of a deleted file could not be removed: the disk is full.',
  ],
  ['sync-calendar', 'url answered 418.', 'An event could not be copied to a connected calendar: url answered 418.'],
  ['remove-list', null, 'A deleted task list could not be removed for good.'],
] as const)('The failure of %s with %j is told in a sentence', (kind, error, sentence) => {
  expect(reasonOf(kind, error)).toBe(sentence)
})
