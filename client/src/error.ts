/** What is known of a failure besides its message. */
interface Failure {
  status?: number
  code: string
  message: string
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  cursor?: string | undefined
  id?: string | undefined
  cause?: unknown
}

/** Every failure of a call, whether the server refused it or was not reached. */
export class DiwanError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /**
   * The `code` of the answer, such as `not_found`. Where there is none it is one of these: `too_many_requests` (the burst
   * throttle), `unexpected_answer` (not from Diwan, or not whole), `time_out`, `network_error`, `webhook_unverified`,
   * `invalid_argument` (nothing was sent).
   */
  readonly code: string
  /** Identifies the request in the logs of the server. */
  readonly requestId: string | undefined
  /** After how long a 429 may be tried again. */
  readonly retryAfterSeconds: number | undefined
  /** With `cursor_expired`, the end of the feed as it is now. */
  readonly cursor: string | undefined
  /** With `conflict` over an `external_id`, the record that has it. Trying again does not help then. */
  readonly id: string | undefined

  constructor({ status = 0, code, message, requestId, retryAfterSeconds, cursor, id, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DiwanError'
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.cursor = cursor
    this.id = id
  }
}

/** The error in a refusing answer. Its body is an envelope, a bare string (the burst throttle), or a proxy's page. */
export async function errorOf(response: Response): Promise<DiwanError> {
  const { status, headers } = response
  const { error } = readEnvelope(await response.text())
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const told = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  }
  if (typeof error === 'string') return new DiwanError({ ...told, code: 'too_many_requests', message: error })
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    const { code, message } = error
    const cursor = 'cursor' in error ? String(error.cursor) : undefined
    const id = 'id' in error ? String(error.id) : undefined
    return new DiwanError({ ...told, code: String(code), message: String(message), cursor, id })
  }
  return new DiwanError({
    ...told,
    code: 'unexpected_answer',
    message: `The answer was ${status}, and not from Diwan.`,
  })
}

function readEnvelope(text: string): { error?: unknown } {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

/** The error of a call that failed on its way. */
export function asDiwanError(error: unknown): DiwanError {
  if (error instanceof DiwanError) return error
  if (error instanceof SyntaxError)
    return new DiwanError({ code: 'unexpected_answer', message: 'The answer is not JSON.', cause: error })
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DiwanError({ code: 'network_error', message: `The server was not reached: ${reason}`, cause: error })
}

/** A mistake of the caller, noticed before anything was sent. */
export function invalid(message: string): DiwanError {
  return new DiwanError({ code: 'invalid_argument', message })
}
