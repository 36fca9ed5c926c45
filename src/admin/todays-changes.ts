import sql, { raw } from 'sql-template-tag'
import Type from 'typebox'
import { isInSight } from '../domain/access/sight.ts'
import { PARENT_KINDS, parentOf } from '../domain/feed/entry.ts'
import { Instant, Nullable, OneOf } from '../http/answers/schema.ts'
import { titleOf } from './change-titles.ts'
import { ChangedKind, ChangeName } from './vocabulary.ts'
import { workEndpoint } from './work-gate.ts'

/** How many of the latest changes are looked at. A program may make more than these in a minute, and nobody reads them all. */
const LOOKED_AT = raw('2000')
const MOST_GROUPS = 12

const TodaysChange = Type.Object(
  {
    kind: ChangedKind(),
    change: ChangeName(),
    count: Type.Integer({ description: 'How many records this was done to' }),
    actor: Nullable(Type.String({ description: 'Who did it; null if the service did' })),
    project: Type.Object({ id: Type.String({ description: 'The `prj-` ref' }), name: Type.String() }),
    latest: Type.Object(
      {
        at: Instant(),
        id: Type.Unsafe<string | number>({
          type: ['string', 'integer'],
          description: 'The ref of the record, or its number where it has none',
        }),
        title: Nullable(
          Type.String({
            description: 'As it is now; null if it no longer exists. For a comment, of what it is about.',
          }),
        ),
        parent_id: Type.Unsafe<string | number | null>({
          type: ['string', 'integer', 'null'],
          description: 'What the record is in or on',
        }),
        parent_kind: Nullable(OneOf(PARENT_KINDS)),
      },
      { description: 'The last of them' },
    ),
  },
  {
    title: 'TodaysChange',
    examples: [
      {
        kind: 'task',
        change: 'completed',
        count: 3,
        actor: 'Layla Haddad',
        project: { id: 'prj-4k7q2m9x0c', name: 'Riyadh office move' },
        latest: {
          at: '2026-11-15T08:30:00.000Z',
          id: 'tsk-0q8v5n2jyt',
          title: 'طلب المكاتب',
          parent_id: 'lst-7m2kq90xcd',
          parent_kind: 'task_list',
        },
      },
    ],
  },
)

interface Group extends Pick<Type.Static<typeof TodaysChange>, 'kind' | 'change' | 'count' | 'actor' | 'project'> {
  at: string
  id: string | number
  title: string | null
  parent_id: string | null
}

export const listTodaysChanges = workEndpoint({
  name: 'list_todays_changes',
  since: '1.7.0',
  operation: 'account:read',
  who: 'people',
  summary: 'See what changed today',
  description:
    "What was done today, in the company's time zone, in projects that you see, by whom and to how many records; the latest first. Among the latest 2,000 changes of the company, and at most 12 entries.",
  method: 'GET',
  at: ['/me/today'],
  returns: Type.Object({ data: Type.Array(TodaysChange) }),
  async run(call) {
    const { db, company } = call
    const zone = company.time_zone
    const groups = await db.many<Group>(sql`
      select c.kind, c.change, c.actor, c.count, c.at, c.parent_id, ${titleOf(call)} as title,
        json_build_object('id', c.project_ref, 'name', c.project_name) as project,
        case when c.record_id ~ '^[0-9]+$' then to_json(c.record_id::bigint) else to_json(c.record_id) end as id
      from (
        select c.company_id, c.kind, c.change, c.actor, p.ref as project_ref, p.name as project_name,
          count(distinct c.record_id)::int as count, max(c.at) as at,
          (array_agg(c.record_id order by c.tx desc, c.id desc))[1] as record_id,
          (array_agg(c.parent_id order by c.tx desc, c.id desc))[1] as parent_id
        from (select * from changes where company_id = ${company.id} order by tx desc, id desc limit ${LOOKED_AT}) c
        join projects p on p.company_id = c.company_id and p.ref = c.project_id and ${isInSight(call)}
        where c.at >= date_trunc('day', now() at time zone ${zone}) at time zone ${zone} and c.change <> 'scanned'
        group by c.company_id, c.kind, c.change, c.actor, p.ref, p.name
        order by max(c.at) desc, p.ref, c.kind, c.change, c.actor limit ${MOST_GROUPS}) c
      order by c.at desc, c.project_ref, c.kind, c.change, c.actor`)
    const data = groups.map(({ at, id, title, parent_id, ...group }) => ({
      ...group,
      latest: { at, id, title, ...parentOf({ parent_id }) },
    }))
    return { data }
  },
})
