/** A refusal the caller is meant to read. `reason` is for the audit and the log, never for the wire. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly detail: { path?: string; retryAfter?: number; reason?: string; field?: string } = {},
  ) {
    super(message)
  }
}

export const unauthorized = () =>
  new ApiError(401, 'unauthorized', 'The API key is missing or invalid. Send it as: Authorization: Bearer <key>')

export const invalidToken = () =>
  new ApiError(401, 'unauthorized', 'The token is missing or invalid. Send it as: Authorization: Bearer <token>')

/** Why a code does not work is not told: whoever tries codes would learn from it. */
export const invalidCode = () =>
  new ApiError(
    401,
    'unauthorized',
    'The code is wrong, has been used, or is no longer good. Ask for another invitation.',
  )

export const forbidden = (message: string) => new ApiError(403, 'forbidden', message, { reason: message })

export const planUpgradeRequired = (message: string) => new ApiError(403, 'plan_upgrade_required', message)

export const notFound = () => new ApiError(404, 'not_found', 'The record was not found.')

/** What was looked up, or not found. */
export async function found<T>(looking: Promise<T | undefined>): Promise<T> {
  const record = await looking
  if (record === undefined) throw notFound()
  return record
}

export const unknownEndpoint = (path: string) =>
  new ApiError(404, 'unknown_endpoint', `No endpoint answers ${path}.`, { path })

export const conflict = () =>
  new ApiError(409, 'conflict', 'Another request changed the same thing at the same moment. It is safe to try again.')

/** The message starts with the field at fault. */
export const unprocessable = (field: string, problem: string) =>
  new ApiError(422, 'unprocessable_entity', `${field} ${problem}`, { field })

export const rateLimitExceeded = (message: string, retryAfter: number) =>
  new ApiError(429, 'rate_limit_exceeded', message, { retryAfter })

export const unavailable = (message = 'The service is not available at the moment. Try again soon.') =>
  new ApiError(503, 'unavailable', message)

export const internalError = () => new ApiError(500, 'internal_error', 'Something went wrong on our side.')

/** The burst throttle answers outside the envelope: a flat string and no code. */
export class BurstExceeded extends Error {
  constructor(readonly retryAfter: number) {
    super(`Too many requests. Try again in ${retryAfter} seconds.`)
  }
}
