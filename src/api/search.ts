import sql, { join, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { endpoint } from '../http/gate.ts'
import { OneOf } from '../http/schema.ts'

const TYPES = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'] as const
type HitType = (typeof TYPES)[number]

const Hit = Type.Unsafe<{ type: HitType }>({
  type: 'object',
  title: 'SearchResult',
  required: ['type', 'project_slug'],
  properties: {
    type: OneOf(TYPES),
    id: Type.String({ description: 'The ref; folders have none' }),
    title: Type.String(),
    name: Type.String({ description: 'Of a folder or a file' }),
    project_slug: Type.String(),
    task_list_slug: Type.String(),
    task_slug: Type.String(),
    discussion_slug: Type.String(),
    folder_id: { type: ['integer', 'null'] },
    archived: Type.Boolean(),
    completed: Type.Boolean(),
  },
  examples: [
    {
      type: 'project',
      id: 'prj-4k7q2m9x0c',
      title: 'Riyadh office move',
      project_slug: 'riyadh-office-move',
      archived: false,
    },
  ],
})

const Results = Type.Object({
  data: Type.Object({
    query: Type.String(),
    results: Type.Array(Hit),
    truncated: Type.Array(OneOf(TYPES), { description: 'Kinds that had more matches than were returned' }),
  }),
})

/** Where each kind is found, and what a hit shows. `p` is the project, and `n` the record whose name is searched. */
const SOURCES: Record<HitType, { from: Sql; shows: Sql }> = {
  project: {
    from: sql`projects n join projects p on p.company_id = n.company_id and p.id = n.id`,
    shows: sql`'id', n.ref, 'title', n.name, 'project_slug', n.slug, 'archived', n.archived`,
  },
  task_list: {
    from: sql`task_lists n join projects p on p.company_id = n.company_id and p.id = n.project_id`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', n.slug,
      'completed', n.tasks_count > 0 and n.tasks_count = n.completed_tasks_count`,
  },
  task: {
    from: sql`tasks n join projects p on p.company_id = n.company_id and p.id = n.project_id
      join task_lists l on l.company_id = n.company_id and l.id = n.task_list_id`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'task_list_slug', l.slug, 'task_slug', n.slug,
      'completed', n.completed_at is not null`,
  },
  folder: {
    from: sql`folders n join projects p on p.company_id = n.company_id and p.id = n.project_id`,
    shows: sql`'name', n.name, 'project_slug', p.slug, 'folder_id', n.id`,
  },
  file: {
    from: sql`files n join projects p on p.company_id = n.company_id and p.id = n.project_id`,
    shows: sql`'id', n.ref, 'name', n.name, 'project_slug', p.slug, 'folder_id', n.folder_id`,
  },
  discussion: {
    from: sql`discussions n join projects p on p.company_id = n.company_id and p.id = n.project_id and n.deleted_at is null`,
    shows: sql`'id', n.ref, 'title', n.title, 'project_slug', p.slug, 'discussion_slug', n.slug`,
  },
}

const INDEXED_WORDS = 4

/**
 * The best matches of one kind, one more than asked for, so that it is known whether there are more. Every word must
 * occur. The whole name comes first, then its beginning, then the beginning of a word, then the inside; then the newest.
 */
function bestOf(type: HitType, companyId: number, wanted: string, limit: number): Sql {
  const { from, shows } = SOURCES[type]
  const words = [...new Set(wanted.split(' '))]
  // The index serves one condition a word; a bounded number of them keeps the number of statements bounded too.
  const occur = [
    ...words.slice(0, INDEXED_WORDS).map(word => sql`n.search_name like ${`%${word}%`}`),
    sql`n.search_name like all(${words.slice(INDEXED_WORDS).map(word => `%${word}%`)}::text[])`,
  ]
  const beginWords = sql`(' ' || n.search_name) like all(${words.map(word => `% ${word}%`)}::text[])`
  const rank = sql`case when n.search_name = ${wanted} then 1 when n.search_name like ${`${wanted}%`} then 2 when ${beginWords} then 3 else 4 end`
  return sql`(
    select ${type} as type, jsonb_build_object(${shows}) as hit from ${from}
    where n.company_id = ${companyId} and p.deleted_at is null and ${join(occur, ' and ')}
    order by ${rank}, n.id desc limit ${limit})`
}

/** Unknown names are ignored; only unknown ones are as good as none. */
function readTypes(asked: string[]): HitType[] {
  const known = TYPES.filter(type => asked.includes(type))
  return known.length > 0 ? known : [...TYPES]
}

export const search = endpoint({
  operation: 'account:read',
  summary: 'Search by name',
  description:
    'Spelling of Arabic, case and accents do not matter. Words may come in any order; each must occur in the name.',
  method: 'GET',
  at: ['/search'],
  query: Type.Object({
    q: Type.String({ default: '', description: 'Blank finds nothing' }),
    types: Type.Array(OneOf(TYPES), { description: 'Repeat it for several; leave it out for all' }),
    per_type: Type.Integer({ default: 5, minimum: 1, maximum: 25 }),
  }),
  returns: Results,
  async run({ db, company, query }) {
    const { q, per_type } = query
    const { wanted } = await db.one<{ wanted: string }>(sql`select search_name(${q}) as wanted`)
    if (wanted === '') return { data: { query: q, results: [], truncated: [] } }
    const types = readTypes(query.types)
    const found = await db.many<{ type: HitType; hit: object }>(
      join(
        types.map(type => bestOf(type, company.id, wanted, per_type + 1)),
        ' union all ',
      ),
    )
    const results = types.flatMap(type => found.filter(row => row.type === type).slice(0, per_type))
    const truncated = types.filter(type => found.filter(row => row.type === type).length > per_type)
    return { data: { query: q, results: results.map(({ type, hit }) => ({ type, ...hit })), truncated } }
  },
})
