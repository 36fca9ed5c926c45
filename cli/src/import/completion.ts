import { plainNumber } from '../../../src/lib/digits.ts'
import { plainName } from './names.ts'

const YES = new Set(
  [
    'yes',
    'y',
    'true',
    '1',
    'x',
    '✓',
    '✔',
    'done',
    'completed',
    'complete',
    'نعم',
    'تم',
    'مكتمل',
    'مكتملة',
    'منجز',
    'منجزة',
  ].map(plainName),
)
const NO = new Set(['', 'no', 'n', 'false', '0', '-', 'open', 'لا', 'غير مكتمل', 'غير مكتملة'].map(plainName))

/** Yes, no, or the time of completion. Undefined for anything else. */
export function readCompleted(text: string): boolean | undefined {
  const word = plainName(text)
  if (NO.has(word)) return false
  if (YES.has(word) || /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(plainNumber(word))) return true
  return undefined
}

/**
 * True for a plain yes or no, which the imported task shows by itself. A time says more, so it is kept in the description.
 */
export function isPlainYesOrNo(text: string): boolean {
  const word = plainName(text)
  return YES.has(word) || NO.has(word)
}
