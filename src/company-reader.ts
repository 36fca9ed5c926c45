import sql, { raw, type Sql } from 'sql-template-tag'
import { getCompany } from './admin/companies.ts'
import type { AdminCall } from './admin/gate.ts'
import { listUsers } from './admin/users.ts'
import type { Db } from './db/db.ts'
import { RECORDS, type RecordKind } from './domain/records/records.ts'
import type { BaseCall } from './http/endpoints/endpoint.ts'
import { type Reader, readsInside } from './http/endpoints/reads-inside.ts'
import { apiReads } from './record-reader.ts'

/** Reads everything of a company, as the API shows it. */
export interface CompanyReader {
  /** What the API shows at an address; undefined when there is nothing. `personId` says whose calendar is meant. */
  show<T>(address: string, personId?: number): Promise<T | undefined>
  /** What each page of a collection shows. */
  pages<T>(address: string, query?: Record<string, string>): AsyncGenerator<T>
  /** The addresses of everything that has comments, with the ref of each. */
  commented(): AsyncGenerator<{ ref: string; address: string }>
  /** Each event, and the person who organizes it. */
  events(): AsyncGenerator<{ id: number; organizer_id: number }>
}

interface Answer<T> {
  data: T
  meta?: { next_cursor: string | null }
}

const LONGEST_PAGE = '100'
/** Before the addresses of the administration surface. */
const ADMINISTRATION = '/admin'

/** What can have comments. A comment refers to it with a column of its name. */
const COMMENTED = ['task_list', 'task', 'discussion'] as const satisfies RecordKind[]

export function createCompanyReader(db: Db, companyId: number): CompanyReader {
  const fromApi = apiReads(db)
  const fromAdministration = readsInside(db, asOperator, [getCompany, listUsers])

  async function read<T>(address: string, personId = 0, query = {}): Promise<Answer<T> | undefined> {
    const shown = address.startsWith(ADMINISTRATION)
      ? fromAdministration(address.slice(ADMINISTRATION.length), { companyId }, query)
      : fromApi(address, { companyId, personId }, query)
    return (await shown) as Answer<T> | undefined
  }

  return {
    show: async <T>(address: string, personId?: number) => (await read<T>(address, personId))?.data,

    async *pages<T>(address: string, query: Record<string, string> = {}) {
      for (let cursor: string | null = ''; cursor !== null; ) {
        const asked: Record<string, string> = { ...query, limit: LONGEST_PAGE, ...(cursor && { cursor }) }
        const page: Answer<T> | undefined = await read<T>(address, 0, asked)
        if (page) yield page.data
        cursor = page?.meta?.next_cursor ?? null
      }
    },

    async *commented() {
      for (const kind of COMMENTED) {
        const { table, address } = RECORDS[kind]
        for await (const { ref } of commentedOf(db, companyId, table, `${kind}_id`))
          yield { ref, address: address.replace(':id', ref) }
      }
    },

    events: () =>
      byId(
        db,
        last => sql`
          select id, organizer_id from events
          where company_id = ${companyId} and id > ${last} order by id limit ${AT_ONCE}`,
      ),
  }
}

function commentedOf(
  db: Db,
  companyId: number,
  table: string,
  column: string,
): AsyncGenerator<{ id: number; ref: string }> {
  const parent = raw(column)
  return byId(
    db,
    last => sql`
      select c.id, p.ref from (
        select distinct ${parent} as id from comments
        where company_id = ${companyId} and ${parent} > ${last} order by 1 limit ${AT_ONCE}) c
      join ${raw(table)} p on p.company_id = ${companyId} and p.id = c.id order by c.id`,
  )
}

const AT_ONCE = 500

/** Rows in the order of their ids, in batches. */
async function* byId<T extends { id: number }>(db: Db, next: (last: number) => Sql): AsyncGenerator<T> {
  for (let last = 0, rows: T[] = []; ; last = rows.at(-1)?.id as number) {
    rows = await db.many<T>(next(last))
    yield* rows
    if (rows.length < AT_ONCE) return
  }
}

type Administrator = Omit<AdminCall, keyof BaseCall>

/** The administration surface, for code that already has access to the database. */
async function asOperator({ companyId }: Reader): Promise<Administrator> {
  return { by: 'operator', session: null, companyId } as Administrator
}
