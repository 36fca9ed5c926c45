import sql from 'sql-template-tag'
import Type from 'typebox'
import { Event, pageOfEvents } from '../api/events.ts'
import { HijriFilters } from '../http/answers/hijri.ts'
import { Collection, Paging } from '../http/answers/schema.ts'
import { workEndpoint } from './work-gate.ts'

export const listMyEvents = workEndpoint({
  name: 'list_my_events',
  since: '1.7.0',
  operation: 'events:read',
  who: 'people',
  summary: 'List your events that take place in a period',
  description:
    'As in a calendar: also those that start before the period and reach into it, which `GET /events` leaves out. Without `from` and `to`, what goes on today or is still to come.',
  method: 'GET',
  at: ['/me/events'],
  query: Type.Object({
    from: Type.Optional(Type.String({ description: 'ISO 8601 date or time; lower bound on the end, included' })),
    to: Type.Optional(Type.String({ description: 'ISO 8601 date or time; upper bound on the start, included' })),
    ...HijriFilters('from', 'to'),
    ...Paging,
  }),
  refusesQuery: true,
  returns: Collection(Event),
  run: call => pageOfEvents(call, { ...call.query, include_past: false }, from => sql`e.ends_at >= ${from}`),
})
