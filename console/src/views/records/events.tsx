import type { Event } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { CheckField, Filters, FromTo } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Badge, Name } from '../../parts/text.tsx'
import { Day, Time } from '../../parts/time.tsx'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

/** Events belong to people: these are the reader's own. */
export default function Events() {
  const t = useWorkWords()
  const { id } = useCompany()
  const { me } = useStanding()
  const [from, setFrom] = useQuery('from')
  const [to, setTo] = useQuery('to')
  const [past, setPast] = useQuery('include_past')
  const events = useCollection('GET /companies/{company}/records/events', {
    params: { company: id },
    query: { from, to, include_past: past !== '' },
  })
  return (
    <Page title={t.events} lead={t.eventsLead}>
      <div class="filter-block">
        <Filters>
          <FromTo from={[from, setFrom]} to={[to, setTo]} />
        </Filters>
        <CheckField label={t.pastToo} checked={past !== ''} onChange={on => setPast(on ? 'true' : '')} />
      </div>
      <LoadedCollection of={events} empty={me.kind === 'operator' ? t.noEventsOperator : t.noEvents}>
        {rows => <EventsTable rows={rows} />}
      </LoadedCollection>
    </Page>
  )
}

function EventsTable({ rows }: { rows: Event[] }) {
  const t = useWorkWords()
  return (
    <Table
      label={t.events}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: t.event, main: true, show: event => <About event={event} /> },
        { title: t.starts, show: ({ starts_at, all_day }) => <Moment at={starts_at} allDay={all_day} /> },
        { title: t.ends, show: ({ ends_at, all_day }) => <Moment at={ends_at} allDay={all_day} /> },
        { title: t.organizer, show: ({ organizer }) => <Name>{organizer}</Name> },
        { title: t.attendees, show: ({ attendees }) => <Attendees of={attendees} /> },
      ]}
    />
  )
}

function About({ event: { name, description, all_day, meeting_url } }: { event: Event }) {
  const t = useWorkWords()
  return (
    <>
      <Name>{name}</Name> {all_day && <Badge>{t.allDay}</Badge>}
      {description && (
        <div class="quiet" dir="auto">
          {description}
        </div>
      )}
      {meeting_url && (
        <div>
          <OutsideLink to={meeting_url} />
        </div>
      )}
    </>
  )
}

function Moment({ at, allDay }: { at: string; allDay: boolean }) {
  return allDay ? <Day on={at} /> : <Time at={at} />
}

function Attendees({ of }: { of: Event['attendees'] }) {
  const t = useWorkWords()
  if (of.length <= 3)
    return (
      <>
        {of.map(({ name, email }) => (
          <div key={email}>
            <Name>{name}</Name>
          </div>
        ))}
      </>
    )
  return (
    <details>
      <summary>{t.attendeesFound(of.length)}</summary>
      {of.map(({ name, email }) => (
        <div key={email}>
          <Name>{name}</Name>
        </div>
      ))}
    </details>
  )
}
