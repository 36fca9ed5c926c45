import { StorageUnavailable } from '../domain/ports/blob-store.ts'
import { withDeadline } from '../lib/deadline.ts'

/** An object has at most 5 MB. */
const BODY_WITHIN_MS = 60_000

/** The same answer. Its body may keep whoever reads it waiting for a minute in all; they may take as long as they like. */
export function timely(answer: Response, withinMs = BODY_WITHIN_MS): Response {
  if (!answer.body) return answer
  const reader = answer.body.getReader()
  let leftMs = withinMs
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const since = performance.now()
      try {
        const { done, value } = await withDeadline(leftMs, () => reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        reader.cancel(error).catch(() => {})
        throw new StorageUnavailable(`S3 broke off: ${(error as Error).message}`, true)
      }
      leftMs -= performance.now() - since
    },
    cancel: reason => reader.cancel(reason),
  })
  return new Response(body, answer)
}
