import type { ClientDocuments } from '../domain/ports/client-documents.ts'
import { withDeadline } from '../lib/deadline.ts'
import { createGuard, type GuardOptions } from './guarded-request.ts'

const WITHIN_MS = 5_000
const BOUND = { bytes: 16 * 1024, beyond: 'refuse' } as const
const LONGEST_URL = 1_024

/** Requests go to URLs that strangers choose, as those of webhooks do. Plain http is for private networks only. */
export function createClientDocuments(options: GuardOptions): ClientDocuments {
  const guard = createGuard(options)
  return {
    isUrl(id) {
      if (id.length > LONGEST_URL || /[^!-~]|[\\#]|\/\.{1,2}(?:\/|$)/.test(id) || !URL.canParse(id)) return false
      const { protocol, pathname, username, password, href } = new URL(id)
      const isSafe = protocol === 'https:' || (protocol === 'http:' && options.allowPrivate)
      return isSafe && pathname !== '/' && username === '' && password === '' && href === id
    },

    async read(url) {
      const headers = { accept: 'application/json' }
      const asking = (ended: AbortSignal) =>
        // Nobody is signed in: it is at no company's expense.
        guard.request(new URL(url), { company_id: 0, method: 'GET', headers }, BOUND, ended)
      const answer = await withDeadline(WITHIN_MS, asking).catch(() => undefined)
      return answer?.status === 200 ? answer.body.toString('utf8') : undefined
    },
  }
}
