import sql, { type Sql } from 'sql-template-tag'

// Who takes part in the event `e`. What the API shows, what mails say and which calendars get the event all depend on this.

/** Events `e`, each with its organizer `o`. */
export const eventsWithOrganizer = sql`events e join users o on o.company_id = e.company_id and o.id = e.organizer_id`

/** The invited people, as JSON. */
export const attendees = sql`coalesce((select json_agg(json_build_object('name', u.name, 'email', u.email) order by u.name, u.id)
    from event_attendees a join users u on u.company_id = a.company_id and u.id = a.user_id
    where a.company_id = e.company_id and a.event_id = e.id), '[]')`

/** The condition that a person organizes the event or is invited to it. */
export const isParticipant = (userId: number): Sql => sql`(e.organizer_id = ${userId} or exists (
  select from event_attendees a where a.company_id = e.company_id and a.event_id = e.id and a.user_id = ${userId}))`

/** The ids of everyone who organizes the event or is invited to it. */
export const participantIds = sql`
  select e.organizer_id as user_id
  union select a.user_id from event_attendees a where a.company_id = e.company_id and a.event_id = e.id`
