import { randomBytes } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import { getCompany } from './admin/companies.ts'
import type { AdminCall } from './admin/gate.ts'
import { listUsers } from './admin/users.ts'
import type { Db } from './db/db.ts'
import { createCursors } from './http/cursor.ts'
import type { BaseCall, Services } from './http/endpoint.ts'
import type { Gate } from './http/gate.ts'
import { mount } from './http/mount.ts'
import { recordApp } from './record-reader.ts'

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

/** What can have comments: the table, the column of a comment, and its path in the API. */
const COMMENTED = [
  ['task_lists', 'task_list_id', 'lists'],
  ['tasks', 'task_id', 'tasks'],
  ['discussions', 'discussion_id', 'discussions'],
] as const

export function createCompanyReader(db: Db, companyId: number): CompanyReader {
  // Nobody sees the cursors, so any secret will do.
  const services = { readCursor: createCursors(randomBytes(32).toString('hex')) } as Services
  const app = recordApp(db, services)
  mount(app, { db, services, publicUrl: undefined }, administrationGate, [getCompany, listUsers])

  async function read<T>(url: string, personId = 0): Promise<Answer<T> | undefined> {
    const headers = { 'x-company': String(companyId), 'x-person': String(personId) }
    const { statusCode, body } = await app.inject({ url, headers })
    if (statusCode === 404) return undefined
    if (statusCode !== 200) throw new Error(`${url} could not be read: ${body}`)
    return JSON.parse(body)
  }

  return {
    show: async <T>(address: string, personId?: number) => (await read<T>(address, personId))?.data,

    async *pages<T>(address: string, query: Record<string, string> = {}) {
      for (let cursor: string | null = ''; cursor !== null; ) {
        const asked = new URLSearchParams({ ...query, limit: LONGEST_PAGE, ...(cursor && { cursor }) })
        const page: Answer<T> | undefined = await read<T>(`${address}?${asked}`)
        if (page) yield page.data
        cursor = page?.meta?.next_cursor ?? null
      }
    },

    async *commented() {
      for (const [table, column, resource] of COMMENTED) {
        for await (const { ref } of commentedOf(db, companyId, table, column))
          yield { ref, address: `/${resource}/${ref}` }
      }
    },

    events: () =>
      inTurn(
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
  return inTurn(
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
async function* inTurn<T extends { id: number }>(db: Db, next: (last: number) => Sql): AsyncGenerator<T> {
  for (let last = 0, rows: T[] = []; ; last = rows.at(-1)?.id as number) {
    rows = await db.many<T>(next(last))
    yield* rows
    if (rows.length < AT_ONCE) return
  }
}

type Administrator = Omit<AdminCall, keyof BaseCall>

/** The administration surface, for code that already has access to the database. */
const administrationGate: Gate<Administrator, object> = {
  prefix: '/admin',
  admit: async (_endpoint, { params }) =>
    ({ by: 'operator', session: null, companyId: Number(params.company) }) as Administrator,
  isReadOnly: () => true,
  isAudited: () => false,
  comparesVersions: false,
  companyOf: ({ companyId }) => companyId,
  repeater: () => undefined,
}
