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

/** Status, code and message of a refusal, to stand beside its case in an expectation. */
export function refusal({ status, body }: Answer): [number, string, string] {
  return [status, body.error?.code, body.error?.message]
}

/** What `refusal` gives for a field at fault. */
export function unprocessable(message: string | RegExp): unknown[] {
  return [422, 'unprocessable_entity', typeof message === 'string' ? message : expect.stringMatching(message)]
}
