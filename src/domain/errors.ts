import { excerpt } from '../lib/text.ts'
import { inBoth, ofFields, type Said, say, type Words, wordsOf } from './sentences/sentences.ts'

/** Every error code, and the status that it comes with. */
const STATUSES = {
  unauthorized: 401,
  forbidden: 403,
  plan_upgrade_required: 403,
  not_found: 404,
  unknown_endpoint: 404,
  conflict: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  range_not_satisfiable: 416,
  unprocessable_entity: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof STATUSES
export type ErrorStatus = (typeof STATUSES)[ErrorCode]

/** In characters: a refusal may quote what was sent, but is never as long as that. */
const LONGEST_MESSAGE = 3_000
const LONGEST_PATH = 2_048

/** What an error tells besides its code and message. */
export interface ErrorDetail {
  path?: string
  cursor?: string
  id?: string
}

/** A refusal the caller is meant to read, in either language. The log and the audit have it in English. */
export class ApiError extends Error {
  readonly status: ErrorStatus
  readonly words: Words
  constructor(
    readonly code: ErrorCode,
    said: Said,
    readonly detail: ErrorDetail & { retryAfter?: number; contentRange?: string } = {},
  ) {
    const words = withinBounds(wordsOf(said))
    super(words.en)
    this.words = words
    this.status = STATUSES[code]
  }
}

function withinBounds({ en, ar }: Words): Words {
  return { en: excerpt(en, LONGEST_MESSAGE), ar: excerpt(ar, LONGEST_MESSAGE) }
}

export const unauthorized = () =>
  new ApiError('unauthorized', 'The API key is missing or invalid. Send it as: Authorization: Bearer <key>')

export const invalidToken = () =>
  new ApiError('unauthorized', 'The token is missing or invalid. Send it as: Authorization: Bearer <token>')

/** Does not say why a code does not work: somebody who guesses codes could learn from it. */
export const invalidCode = () =>
  new ApiError('unauthorized', 'The code is wrong, has been used, or is no longer good. Ask for another invitation.')

/** For the link that the first start prints. */
export const invalidLink = () =>
  new ApiError('unauthorized', 'The code is wrong, has been used, or has expired. Sign in with a token instead.')

/** For whoever comes back from the identity provider. */
export const invalidIdentity = () =>
  new ApiError('unauthorized', 'The sign-in has been used, has expired, or names nobody here. Begin again.')

export const forbidden = (said: Said) => new ApiError('forbidden', said)

/** A state, not a permission: whatever the key allows, what is in it cannot be written. */
export const projectIsArchived = () => forbidden('The project is archived. Unarchive it first.')

/** A state, not a permission: its people are not let in at all, but the operator may look. */
export const companyIsClosed = () => forbidden('The company is closed. Reopen it first.')

/** It is in both languages at once, for everybody. */
export const planUpgradeRequired = (message: string) => new ApiError('plan_upgrade_required', inBoth(message))

export const notFound = () => new ApiError('not_found', 'The record was not found.')

/** The record that was looked up; throws not found when there is none. */
export async function orNotFound<T>(lookup: Promise<T | undefined>): Promise<T> {
  const record = await lookup
  if (record === undefined) throw notFound()
  return record
}

/** The method is named too: the path may be known under another one. */
export const unknownEndpoint = (method: string, path: string) =>
  new ApiError('unknown_endpoint', say('No endpoint answers {request}.', { request: `${method} ${excerpt(path)}` }), {
    path: excerpt(path, LONGEST_PATH),
  })

export const rangeNotSatisfiable = (sizeBytes: number) =>
  new ApiError(
    'range_not_satisfiable',
    say('Range begins after the end of the file, which has {bytes} bytes.', { bytes: sizeBytes }),
    { contentRange: `bytes */${sizeBytes}` },
  )

/** The feed cannot continue from here; `cursor` is the end of the feed, to start again from. */
export const cursorExpired = (cursor: string) =>
  new ApiError(
    'cursor_expired',
    'The cursor is older than 30 days, or not one of ours. Read the collections again and follow from `error.cursor`.',
    { cursor },
  )

export const conflict = (
  said: Said = 'Another request changed the same thing at the same moment. It is safe to try again.',
) => new ApiError('conflict', said)

/**
 * Trying again does not help, and `id` tells this conflict from the one that passes. Without a ref the caller does not see the
 * record, and is not told which it is.
 */
export const takenExternalId = (field: string, externalId: string, ref?: string) => {
  const id = `"${externalId}"`
  if (ref === undefined) return new ApiError('conflict', ofFields([[field, say('{id} is already taken', { id })]]))
  return new ApiError('conflict', ofFields([[field, say('{id} already names {ref}', { id, ref })]]), { id: ref })
}

export const preconditionFailed = () =>
  new ApiError(
    'precondition_failed',
    'If-Match does not match the current version of the record. Read the record again and repeat the request with its new ETag.',
  )

/** The message begins with the field at fault. */
export const unprocessable = (field: string, problem: Said) =>
  new ApiError('unprocessable_entity', ofFields([[field, problem]]))

/** It is in both languages at once, for everybody. */
export const rateLimitExceeded = (message: string, retryAfter: number) =>
  new ApiError('rate_limit_exceeded', inBoth(message), { retryAfter })

export const unavailable = (said: Said = 'The service is not available at the moment. Try again soon.') =>
  new ApiError('unavailable', said)

/** It passes within seconds: the company is only read while it is copied to another cell. */
export const companyIsMoving = () =>
  unavailable('The company is being moved and can only be read. Try again in a few seconds.')

/** Of the cells in which companies live. The others are served meanwhile. */
export const cellIsAway = () => unavailable('A part of the service is not available at the moment. Try again soon.')

export const internalError = () => new ApiError('internal_error', 'Something went wrong on our side.')

/** For a request that counts as several. */
export const batchExceeded = (who: 'address' | 'key', more: number, retryAfter: number) =>
  new BurstExceeded(
    retryAfter,
    say(
      'Too many requests from this {who}: each entry of a batch counts as one, and there is no room for {more} more. Try again in {seconds} seconds, or send a smaller batch.',
      { who: wordsOf(who), more, seconds: retryAfter },
    ),
  )

/** The burst throttle answers outside the envelope: a flat string and no code. */
export class BurstExceeded extends Error {
  constructor(
    readonly retryAfter: number,
    readonly words = say('Too many requests. Try again in {seconds} seconds.', { seconds: retryAfter }),
  ) {
    super(words.en)
  }
}
