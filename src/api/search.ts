import Type from 'typebox'
import { readableAmong } from '../domain/access/policy.ts'
import { OneOf } from '../http/answers/schema.ts'
import { endpoint } from './gate.ts'
import { findHits } from './search/hits.ts'
import type { Hit } from './search/plan.ts'
import { sampleNames } from './search/samples.ts'
import { showHits } from './search/shown.ts'
import { type HitType, TYPES } from './search/sources.ts'
import { spell } from './search/spelling.ts'

const SearchResult = Type.Unsafe<{ type: HitType }>({
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
    results: Type.Array(SearchResult),
    truncated: Type.Array(OneOf(TYPES), { description: 'Kinds that had more matches than were returned' }),
  }),
})

/** Unknown names are ignored. If all are unknown, it is as if none had been given. */
function readTypes(values: string[]): HitType[] {
  const names = values.flatMap(value => value.split(',')).map(name => name.trim())
  const known = TYPES.filter(type => names.includes(type))
  return known.length > 0 ? known : TYPES
}

/**
 * How many hits of a kind are considered, and at least one more than requested: that one tells whether there are more, and among
 * all of them those that are spelled as typed come first.
 */
const CONSIDERED = 16
/** How many of the newest records are scanned for each wanted hit, at most, if it is not known to be common. */
const SCANNED_PER_HIT = 200

const asTypedFirst = (one: Hit, other: Hit) => one.rank - other.rank || Number(other.typed) - Number(one.typed)

export const search = endpoint({
  name: 'search',
  tool: 'search',
  since: '1.2.0',
  operation: 'account:read',
  summary: 'Search by name',
  description:
    'Arabic spelling variants, case and accents do not matter. The words can come in any order, and each must occur in the name. If little is found, other forms of Arabic words are found too, and if nothing is, misspellings. Only kinds that the key may read are searched.',
  method: 'GET',
  at: ['/search'],
  onReplica: true,
  query: Type.Object({
    q: Type.String({ default: '', examples: ['الاثاث'], description: 'What to look for; a blank query finds nothing' }),
    types: Type.Array(OneOf(TYPES), {
      description: 'For several kinds, repeat the parameter or separate them by commas; leave it out for all',
    }),
    per_type: Type.Integer({ default: 5, minimum: 1, maximum: 25 }),
  }),
  returns: Results,
  async run(call) {
    const { db, company, key, query, samples: kept } = call
    const { q, per_type } = query
    const types = readableAmong(readTypes(query.types), key.operations)
    if (q === '' || types.length === 0) return { data: { query: q, results: [], truncated: [] } }
    const sample = kept.get(company.id, () => sampleNames(db, company.id))
    const [spelled, samples] = await Promise.all([spell(db, q), sample])
    if (spelled.query.name === '') return { data: { query: q, results: [], truncated: [] } }
    const limit = Math.max(per_type + 1, CONSIDERED)
    const scan = SCANNED_PER_HIT * (per_type + 1)
    const sought = { viewer: call, ...spelled, limit, scan, enough: per_type, samples }
    const found = [...(await findHits(db, types, sought))]
    const hits = new Map(found.map(([type, ofType]) => [type, ofType.sort(asTypedFirst).slice(0, per_type)]))
    const truncated = found.filter(([, ofType]) => ofType.length > per_type).map(([type]) => type)
    return { data: { query: q, results: await showHits(db, { companyId: company.id, hits }), truncated } }
  },
})
