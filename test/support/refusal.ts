import { expect } from 'vitest'
import type { Answer } from './diwan.ts'

/** Expects exactly the standard error body: a code, a message for people, and nothing else. */
export function expectRefusal(
  answer: Answer,
  status: number,
  code: string,
  message: unknown = expect.any(String),
): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { error: { code, message } } })
}
