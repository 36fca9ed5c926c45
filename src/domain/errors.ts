import { excerpt } from '../lib/text.ts'

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

/** A refusal the caller is meant to read. */
export class ApiError extends Error {
  readonly status: ErrorStatus
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly detail: { path?: string; cursor?: string; retryAfter?: number } = {},
  ) {
    super(excerpt(message, LONGEST_MESSAGE))
    this.status = STATUSES[code]
  }
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

export const forbidden = (message: string) => new ApiError('forbidden', message)

/** A state, not a permission: its people are not let in at all, but the operator may look. */
export const companyIsClosed = () => forbidden('The company is closed. Reopen it first.')

export const planUpgradeRequired = (message: string) => new ApiError('plan_upgrade_required', message)

export const notFound = () => new ApiError('not_found', 'The record was not found.')

/** The record that was looked up; throws not found when there is none. */
export async function orNotFound<T>(lookup: Promise<T | undefined>): Promise<T> {
  const record = await lookup
  if (record === undefined) throw notFound()
  return record
}

export const unknownEndpoint = (path: string) =>
  new ApiError('unknown_endpoint', `No endpoint answers ${excerpt(path)}.`, { path: excerpt(path, LONGEST_PATH) })

/** The feed cannot continue from here; `cursor` is the end of the feed, to start again from. */
export const cursorExpired = (cursor: string) =>
  new ApiError(
    'cursor_expired',
    'The cursor is older than 30 days, or not one of ours. Read the collections again and follow from `error.cursor`.',
    { cursor },
  )

export const conflict = (
  message = 'Another request changed the same thing at the same moment. It is safe to try again.',
) => new ApiError('conflict', message)

export const preconditionFailed = () =>
  new ApiError(
    'precondition_failed',
    'If-Match does not match the current version of the record. Read the record again and repeat the request with its new ETag.',
  )

/** The message begins with the field at fault. */
export const unprocessable = (field: string, problem: string) =>
  new ApiError('unprocessable_entity', `${field} ${problem}`)

export const rateLimitExceeded = (message: string, retryAfter: number) =>
  new ApiError('rate_limit_exceeded', message, { retryAfter })

export const unavailable = (message = 'The service is not available at the moment. Try again soon.') =>
  new ApiError('unavailable', message)

export const internalError = () => new ApiError('internal_error', 'Something went wrong on our side.')

/** For a request that counts as several. */
export const batchExceeded = (who: 'address' | 'key', more: number, retryAfter: number) =>
  new BurstExceeded(
    retryAfter,
    `Too many requests from this ${who}: each entry of a batch counts as one, and there is no room for ${more} more. Try again in ${retryAfter} seconds, or send a smaller batch.`,
  )

/** The burst throttle answers outside the envelope: a flat string and no code. */
export class BurstExceeded extends Error {
  constructor(
    readonly retryAfter: number,
    message = `Too many requests. Try again in ${retryAfter} seconds.`,
  ) {
    super(message)
  }
}
