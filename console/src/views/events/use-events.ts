import { call } from '../../api/call.ts'
import type { Event } from '../../api/types.ts'
import { type Loading, useLoading } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'

/** A month with more pages of events than this is not one that a person has. */
const MOST_PAGES = 10

/** Everything that takes place between two days, both included. */
export function useEventsBetween(from: string, to: string): Loading<Event[]> {
  const { id: company } = useCompany()
  return useLoading(
    async signal => {
      const events: Event[] = []
      let cursor: string | undefined
      for (let page = 0; page < MOST_PAGES; page++) {
        const query = { from, to, limit: 100, ...(cursor && { cursor }) }
        const { data, meta } = await call('GET /companies/{company}/records/me/events', {
          params: { company },
          query,
          signal,
        })
        events.push(...data)
        if (!meta.next_cursor) break
        cursor = meta.next_cursor
      }
      return events
    },
    [company, from, to],
  )
}
