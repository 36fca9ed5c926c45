import sql, { empty, join, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { isHere } from '../domain/cells/where.ts'
import { unprocessable } from '../domain/errors.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Paging } from '../http/answers/schema.ts'
import type { Cursor } from '../http/requests/cursor.ts'
import { ascending } from '../http/requests/order.ts'
import { readQueryId } from '../http/requests/query.ts'
import { Company, companyAnswer, companyColumns, type StoredCompany } from './companies.ts'
import { adminEndpoint } from './gate.ts'
import { Plan } from './vocabulary.ts'

const BY_ID = [ascending(sql`c.id`)]

const { data: CompanyList, meta } = Collection(Company).properties
const Companies = Type.Object({
  data: CompanyList,
  meta: Type.Object({
    ...meta.properties,
    cells_away: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          'The cells that did not answer: their companies are missing. Absent where there are no cells (since 1.7.0)',
      }),
    ),
  }),
})

export const listCompanies = adminEndpoint({
  name: 'list_companies',
  since: '1.3.0',
  operation: 'companies:read',
  who: 'operator',
  summary: 'List companies',
  description:
    'Oldest first. `q` finds companies by name, with the same spelling rules as search, or by id; `plan` selects those on one plan, `closed` those that are closed or those that are not, and `sandbox` the sandboxes or the others. Where companies live in cells, those of all cells are listed; `meta.cells_away` names the cells that did not answer.',
  method: 'GET',
  at: ['/companies'],
  query: Type.Object({
    q: Type.Optional(Type.String({ description: 'Part of the name, or the id' })),
    plan: Type.Optional(Plan()),
    closed: Type.Optional(Type.Boolean()),
    sandbox: Type.Optional(Type.Boolean()),
    ...Paging,
  }),
  returns: Companies,
  async run(call) {
    const { db, cell, query } = call
    const { q, plan, closed, sandbox, ...asked } = query
    const narrowed = [
      isAskedFor(q),
      plan ? sql`and c.plan = ${plan}` : empty,
      isClosedOrNot(closed),
      isSandboxOrNot(sandbox),
    ]
    const { data, meta } = await page<StoredCompany>(db, asked, {
      columns: companyColumns,
      // Among cells, each lists those that it serves.
      from: sql`companies c where ${cell === null ? sql`true` : isHere} ${join(narrowed, ' ')}`,
      // Keys and calls are counted only for the companies of the page.
      joined: { as: sql`c`, to: empty },
      order: BY_ID,
    })
    const own = { data: data.map(company => companyAnswer(company, cell)), meta }
    const others = await call.askOtherCells()
    return others.size === 0 ? own : inOneList(own, others as Map<number, typeof own | undefined>, query)
  },
})

/** The pages of all cells as one. They begin after the same company, so the first of them all are those of this page. */
function inOneList(
  own: Type.Static<typeof Companies>,
  others: Map<number, Type.Static<typeof Companies> | undefined>,
  { limit, offset, cursor }: { limit: number; offset: number; cursor: Cursor },
): Type.Static<typeof Companies> {
  // No cell can know which of its companies are among those to skip.
  if (offset > 0 && !cursor.after(BY_ID))
    throw unprocessable('offset', 'must be 0 where companies live in cells: follow meta.next_cursor instead')
  const pages = [own, ...[...others.values()].filter(page => page !== undefined)]
  const all = pages.flatMap(page => page.data).sort((one, other) => one.id - other.id)
  const data = all.slice(0, limit)
  const last = all.length > limit || pages.some(({ meta }) => meta.next_cursor !== null) ? data.at(-1) : undefined
  return {
    data,
    meta: {
      ...own.meta,
      total: pages.reduce((sum, { meta }) => sum + meta.total, 0),
      count: data.length,
      next_cursor: last ? cursor.next(BY_ID, [String(last.id)]) : null,
      cells_away: [...others].filter(([, page]) => page === undefined).map(([cell]) => cell),
    },
  }
}

/** Open and closed ones, unless one is asked for. */
function isClosedOrNot(closed: boolean | undefined): Sql {
  if (closed === undefined) return empty
  return closed ? sql`and c.closed_at is not null` : sql`and c.closed_at is null`
}

function isSandboxOrNot(sandbox: boolean | undefined): Sql {
  return sandbox === undefined ? empty : sql`and (c.sandbox_of is not null) = ${sandbox}`
}

/** A name is a word or two. As search normalises it, it has no character that is special to LIKE. */
const LONGEST_QUESTION = 255

function isAskedFor(q = ''): Sql {
  if (q.trim() === '') return empty
  const wanted = sql`left(search_name(${q}), ${LONGEST_QUESTION})`
  const isNamed = sql`${wanted} <> '' and c.search_name like '%' || ${wanted} || '%'`
  const id = readQueryId(q)
  return id === undefined ? sql`and ${isNamed}` : sql`and (c.id = ${id} or ${isNamed})`
}
