import sql, { join, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { hiddenParents, isVisible } from '../api/task-indexes.ts'
import { SCAN_STATES } from '../domain/ports/virus-scanner.ts'
import { isInPlace } from '../domain/records/deleted-folders.ts'
import { companyZone } from '../domain/time/company-zone.ts'
import { COUNTED_UP_TO, Single } from '../http/answers/schema.ts'
import { localDay } from '../lib/zoned-time.ts'
import { adminEndpoint } from './gate.ts'

const Counts = Type.Object(
  {
    people: Type.Integer({ description: 'Active people' }),
    keys: Type.Integer({ description: 'Keys that are neither revoked nor expired' }),
    expiring_keys: Type.Integer({
      description: 'Those that expire within 14 days and have not been replaced (since 1.7.0)',
    }),
    denials: Type.Integer({ description: 'Denied calls of the last 24 hours, as the audit counts them (since 1.7.0)' }),
    projects: Type.Integer({ description: 'Projects that are not archived' }),
    open_tasks: Type.Integer({ description: 'Open tasks in projects that are not archived' }),
    overdue_tasks: Type.Integer({ description: 'Those that were due before today in the company zone' }),
    files: Type.Object(Object.fromEntries(SCAN_STATES.map(state => [state, Type.Integer()])), {
      description: 'Files and links by the state of their virus scan',
    }),
    failing_webhooks: Type.Integer({ description: 'Webhooks that are switched on and fail at the moment' }),
    switched_off_webhooks: Type.Integer({
      description: 'Webhooks that Diwan has switched off because they failed (since 1.7.0)',
    }),
    trash: Type.Integer({ description: 'Deleted projects and discussions that can be restored' }),
  },
  {
    title: 'Counts',
    description: 'A count of 10,000 means that there are at least so many.',
    examples: [
      {
        people: 14,
        keys: 3,
        expiring_keys: 1,
        denials: 12,
        projects: 9,
        open_tasks: 212,
        overdue_tasks: 17,
        files: { pending: 0, clean: 430, skipped: 12, infected: 1, failed: 2 },
        failing_webhooks: 0,
        switched_off_webhooks: 0,
        trash: 4,
      },
    ],
  },
)

export const getCounts = adminEndpoint({
  name: 'get_counts',
  since: '1.6.0',
  operation: 'companies:read',
  who: 'leaders',
  summary: 'Get the counts of a company',
  description: 'How many there are of what people look at first. Counts stop at 10,000.',
  method: 'GET',
  at: ['/companies/:company/counts'],
  returns: Single(Counts),
  async run({ db, companyId }) {
    const today = localDay(await companyZone(db, companyId), Date.now()).date
    const ofCompany = sql`company_id = ${companyId}`
    const openTasks = sql`tasks k where k.company_id = ${companyId} and not k.completed and ${isVisible({})}`
    const files = SCAN_STATES.map(state =>
      counted(sql`files f where f.company_id = ${companyId} and f.scan_state = ${state} and ${isInPlace}`),
    )
    const { files: perState, ...counts } = await db.one<
      Omit<Type.Static<typeof Counts>, 'files'> & { files: number[] }
    >(sql`
      with ${join(hiddenParents({ companyId, hidesArchived: true }))}
      select ${counted(sql`users where ${ofCompany} and active`)} as people,
        ${counted(sql`api_keys where ${ofCompany} and revoked_at is null and (expires_at is null or expires_at > now())`)} as keys,
        ${counted(sql`api_keys k where k.company_id = ${companyId} and ${isExpiring}`)} as expiring_keys,
        ${denialsOfLastDay(companyId)} as denials,
        ${counted(sql`projects where ${ofCompany} and deleted_at is null and not archived`)} as projects,
        ${counted(openTasks)} as open_tasks,
        ${counted(sql`${openTasks} and k.due_at < ${today}::date`)} as overdue_tasks,
        array[${join(files)}] as files,
        ${counted(sql`webhooks where ${ofCompany} and active and failing_since is not null`)} as failing_webhooks,
        ${counted(sql`webhooks where ${ofCompany} and not active and switched_off_at is not null`)} as switched_off_webhooks,
        ${counted(sql`projects where ${ofCompany} and deleted_at is not null`)}
          + ${counted(sql`discussions where ${ofCompany} and deleted_at is not null`)} as trash`)
    return { data: { ...counts, files: Object.fromEntries(SCAN_STATES.map((state, n) => [state, perState[n] ?? 0])) } }
  },
})

/** The count of whatever follows FROM, up to the bound. */
function counted(from: Sql): Sql {
  return sql`(select count(*) from (select from ${from} limit ${COUNTED_UP_TO}) first_ones)`
}

/** An old key that a rotation has replaced is meant to end. */
const isExpiring = sql`k.revoked_at is null and k.expires_at > now() and k.expires_at < now() + interval '14 days'
  and not exists (select from api_keys o where o.company_id = k.company_id and o.replaces = k.id)`

/** After some in one hour, the denials of a credential are one entry with a count. */
function denialsOfLastDay(companyId: number): Sql {
  return sql`(select least(coalesce(sum(count), 0), ${COUNTED_UP_TO})::bigint from (
    select count from audit_entries where company_id = ${companyId} and outcome = 'denied'
      and created_at > now() - interval '1 day' limit ${COUNTED_UP_TO}) first_ones)`
}
