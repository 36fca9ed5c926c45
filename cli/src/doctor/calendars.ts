import type { Diwan } from '../../../client/src/index.ts'
import type { Query } from '../../../src/db/inspect.ts'
import type { Finding } from '../../../src/domain/installation/health.ts'
import { harmless } from '../frame/output.ts'
import { doubtful, off, ok } from './finding.ts'

/** A connected calendar that does not receive its changes. */
interface Behind {
  company_id: number
  id: number
  email: string
  url: string
  failing_since: string | null
  last_error: string | null
  /** Since when a change has been waiting for it. */
  owed_since: string | null
}

/**
 * A change reaches its calendar within seconds, and after an outage within minutes. One that waits longer is not being
 * processed.
 */
const STUCK_AFTER_MINUTES = 30
const NAMED = 5

// People who have left and closed companies do not receive updates.
const CONNECTED = `
  calendars c
  join users u on u.company_id = c.company_id and u.id = c.user_id and u.active
  join companies o on o.id = c.company_id and o.closed_at is null`

const BEHIND = `
  select c.company_id, c.id, u.email, c.url, c.failing_since, c.last_error, owed.since as owed_since,
    count(*) over () as total
  from ${CONNECTED}
  left join lateral (
    select min(x.owed_since) as since from calendar_entries x
    where x.company_id = c.company_id and x.calendar_id = c.id and x.synced_version < x.version) owed on true
  where c.failing_since is not null or owed.since < now() - interval '${STUCK_AFTER_MINUTES} minutes'
  order by coalesce(c.failing_since, owed.since), c.company_id, c.id limit ${NAMED}`

export async function lookAtCalendars(client: Query): Promise<Finding[]> {
  const { rows: counted } = await client.query<{ count: number }>(`select count(*) from ${CONNECTED}`)
  const { rows } = await client.query<Behind & { total: number }>(BEHIND)
  return calendarFindings(counted[0]?.count ?? 0, rows, rows[0]?.total ?? 0)
}

const MOST_COMPANIES = 20

interface Listed extends Omit<Behind, 'company_id' | 'email' | 'owed_since'> {
  user: { email: string }
}

/** An open embedded database can only be queried through its server, which also reports when jobs are waiting. */
export async function askForCalendars(diwan: Diwan): Promise<Finding[]> {
  const get = async <T>(path: string) => (await diwan.request<{ data: T[] }>('GET', `/admin/v1${path}`)).data
  const companies = await get<{ id: number }>(`/companies?closed=false&limit=${MOST_COMPANIES}`)
  const calendars: Behind[] = []
  for (const { id } of companies)
    for (const { user, ...calendar } of await get<Listed>(`/companies/${id}/calendars?limit=100`))
      calendars.push({ ...calendar, company_id: id, email: user.email, owed_since: null })
  const behind = calendars.filter(({ failing_since }) => failing_since !== null)
  const where = companies.length === MOST_COMPANIES ? ` in the first ${MOST_COMPANIES} companies` : ''
  return calendarFindings(calendars.length, behind.slice(0, NAMED), behind.length, where)
}

function calendarFindings(connected: number, named: Behind[], behind: number, where = ''): Finding[] {
  if (connected === 0) return [off('calendars', `None is connected${where}.`)]
  if (behind === 0) return [ok('calendars', `${connected} connected${where}, and none is behind.`)]
  const more = behind - named.length
  return [
    ...named.map(findingOf),
    ...(more > 0
      ? [doubtful('calendars', `${more} more ${more === 1 ? 'is' : 'are'} behind${where}.`, 'Begin with those above.')]
      : []),
  ]
}

function findingOf({ company_id, id, email, url, failing_since, last_error, owed_since }: Behind): Finding {
  const { host } = new URL(url)
  const which = `The calendar of ${harmless(email)} on ${host}`
  if (failing_since === null)
    return doubtful(
      'calendars',
      `${which} has been waiting for a change since ${owed_since}.`,
      'Check that a worker runs and reaches the database, and look at GET /admin/v1/jobs/failed.',
    )
  return doubtful(
    'calendars',
    `${which} has been failing since ${failing_since}: ${harmless(last_error ?? 'no reason was given')}.`,
    `Check that ${host} answers the workers. If the password was changed there, send the new one: PATCH /admin/v1/companies/${company_id}/calendars/${id}. Diwan keeps trying, and then catches up.`,
  )
}
