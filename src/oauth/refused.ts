import type { Reply } from '../http/requests/request.ts'
import type { OAuthParts, Refusal } from './parts.ts'

type ErrorName =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'temporarily_unavailable'

/** A refusal in the form of OAuth (RFC 6749, 5.2): a name for programs, and a sentence for those who write them, in ASCII. */
export class Refused extends Error {
  constructor(
    readonly error: ErrorName,
    message: string,
    /** What it is counted as. */
    readonly reason: Refusal = 'bad_request',
    readonly status: 400 | 401 | 503 = 400,
  ) {
    super(message)
  }
}

export function refuse({ countRefusal }: OAuthParts, reply: Reply, { error, message, reason, status }: Refused): Reply {
  countRefusal(reason)
  return reply.code(status).send({ error, error_description: message })
}
