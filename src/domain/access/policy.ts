import { forbidden } from '../errors.ts'
import { RECORDS, type RecordKind } from '../records/records.ts'
import { say } from '../sentences/sentences.ts'
import type { Caller } from './caller.ts'
import type { Operation, Right } from './operations.ts'

/** The kinds of record, among these, that a key with these operations may read. */
export function readableAmong<Kind extends RecordKind>(
  kinds: readonly Kind[],
  operations: readonly Operation[],
): Kind[] {
  return kinds.filter(kind => operations.includes(RECORDS[kind].readBy))
}

/** Rights belong to the key, because a key is not limited by its creator's role. Leaders who are signed in have all of them. */
export function requireRight({ key, sight }: Pick<Caller, 'key' | 'sight'>, right: Right): void {
  if (key.rights.includes(right)) return
  throw forbidden(sight === 'member' ? ONLY_ONES_OWN : say('The key lacks the right {right}.', { right }))
}

const ONLY_ONES_OWN = 'You may delete only what you have made yourself.'

/** What it takes to delete what somebody else has made: a right, or nothing more, except for members who are signed in. */
const TO_DELETE_OF_OTHERS = {
  task: 'delete_any_task_or_list',
  file: 'delete_any_file',
  discussion: undefined,
} as const satisfies Partial<Record<RecordKind, Right | undefined>>

/** What belongs to whoever made it. */
export type OwnedKind = keyof typeof TO_DELETE_OF_OTHERS

type Deleter = Pick<Caller, 'key' | 'sight' | 'signer'>

export function mayDelete({ key, sight, signer }: Deleter, kind: OwnedKind, madeBy: number): boolean {
  if (madeBy === signer.id) return true
  const right = TO_DELETE_OF_OTHERS[kind]
  return right ? key.rights.includes(right) : sight !== 'member'
}

export function requireMayDelete(caller: Deleter, kind: OwnedKind, madeBy: number): void {
  if (mayDelete(caller, kind, madeBy)) return
  const right = TO_DELETE_OF_OTHERS[kind]
  if (right) requireRight(caller, right)
  throw forbidden(ONLY_ONES_OWN)
}
