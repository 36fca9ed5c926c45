import type { Said } from '../sentences/sentences.ts'

/** A request that notifies a receiver of a change. */
export interface WebhookRequest {
  company_id: number
  url: string
  headers: Record<string, string>
  body: string
}

/** The result of an attempt. */
export interface Attempt {
  /** Null when it was accepted; otherwise the name of the failure, such as `time_out` or `status_500`. */
  error: string | null
  /** Null when there was no answer. */
  status: number | null
  ms: number
  /** The first kilobyte of the answer. */
  response: string | null
  /** How long the receiver asks us to wait. */
  retryAfterSeconds: number | null
}

export interface WebhookSender {
  /** Why a URL cannot be used, in words that follow `url`; undefined when no problem is known. */
  problemOf(url: string, companyId: number): Promise<Said | undefined>
  /** Never throws, and never takes longer than the limit for an attempt. `signal` ends it earlier. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<Attempt>
}
