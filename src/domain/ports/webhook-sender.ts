/** A request that tells a receiver of a change. */
export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** What came of an attempt. */
export interface Attempt {
  /** Null when it was taken; otherwise the name of the failure, such as `time_out` or `status_500`. */
  error: string | null
  /** Null when there was no answer. */
  status: number | null
  ms: number
  /** The first kilobyte of the answer. */
  response: string | null
  /** For how long the receiver asks to be left alone. */
  retryAfterSeconds: number | null
}

export interface WebhookSender {
  /** What keeps a URL from being used, in words that follow `url`; undefined when nothing is known to. */
  problemOf(url: string): Promise<string | undefined>
  /** Never throws, and never takes longer than an attempt may. `signal` ends it earlier. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<Attempt>
}
