import { STORED_JOBS } from '../../../src/adapters/job-queue.ts'
import type { Db } from '../../../src/db/db.ts'
import { listTables, type Table } from '../../../src/db/rows.ts'
import { COMPANY_OF_JOB } from '../../../src/domain/upkeep/stored-jobs.ts'

/** A table whose rows of some companies are moved. */
export interface MovedTable extends Table {
  where: string
  /** What is compared, if not the rows as they are: a select over the rows in the source, and one over those in the target. */
  compared?: { source: string; target: string }
}

/** What a move changes in the row of the company itself. */
const OF_THE_MOVE = ['version', 'closed_at', 'moving', 'moved_to']
/** Where an entry of the feed stands, and how far a webhook has come: each database numbers its own transactions. */
const PLACES = ['tx', 'id', 'change_id', 'told_since']

/** Every table with rows of these companies, the companies themselves and their jobs. The database is asked, so none is forgotten. */
export async function movedTables(db: Db, ids: number[]): Promise<MovedTable[]> {
  const these = `any (array[${ids.join(', ')}]::bigint[])`
  const tables = (await listTables(db)).flatMap(table => {
    if (table.name === 'companies') return [withoutMove({ ...table, where: `id = ${these}` })]
    if (!table.columns.includes('company_id')) return []
    const moved = { ...table, where: `company_id = ${these}` }
    if (table.name === 'changes') return [byOrder(moved)]
    return [table.name === 'webhooks' ? byPlace(moved) : moved]
  })
  return [...tables, { ...STORED_JOBS, where: `${STORED_JOBS.where} and ${COMPANY_OF_JOB} = ${these}` }]
}

const columnsBut = ({ columns }: Table, left: string[]) => columns.filter(name => !left.includes(name)).join(', ')

function withoutMove(table: MovedTable): MovedTable {
  const select = `select ${columnsBut(table, OF_THE_MOVE)} from companies where ${table.where}`
  return { ...table, compared: { source: select, target: select } }
}

/** The entries of a company in their order: in the target they are numbered by it. */
function byOrder(table: MovedTable): MovedTable {
  const columns = columnsBut(table, PLACES)
  return {
    ...table,
    compared: {
      source: `select row_number() over (partition by company_id order by tx, id) as n, ${columns} from changes where ${table.where}`,
      target: `select id as n, ${columns} from changes where ${table.where}`,
    },
  }
}

function byPlace(table: MovedTable): MovedTable {
  const columns = [...columnsBut(table, PLACES).split(', '), 'id'].map(name => `w.${name}`).join(', ')
  const told = `(select count(*) from changes c where c.company_id = w.company_id and (c.tx, c.id) <= (w.tx, w.change_id))`
  const rows = `from webhooks w where w.${table.where}`
  return {
    ...table,
    compared: {
      source: `select ${told} as n, ${columns} ${rows}`,
      target: `select w.change_id as n, ${columns} ${rows}`,
    },
  }
}

/** How many rows there are, and a sum of the digests of all of them. Equal sums mean equal rows, in whatever order. */
export interface Sum {
  rows: number
  digest: string
}

export async function sumOf(tx: Db, table: MovedTable, side: 'source' | 'target'): Promise<Sum> {
  const all = `select ${table.columns.map(name => `"${name}"`).join(', ')} from ${table.at} where ${table.where}`
  const [sum] = await tx.raw<Sum>(
    `select count(*) as rows, concat(sum(('x' || left(hash, 16))::bit(64)::bigint), ' ',
       sum(('x' || substr(hash, 17, 16))::bit(64)::bigint)) as digest
     from (select encode(sha256(convert_to(row_to_json(one)::text, 'UTF8')), 'hex') as hash
       from (${table.compared?.[side] ?? all}) one) hashed`,
    [],
  )
  return sum as Sum
}

/** So that the same value is written in the same way by both servers. */
export const SAME_WRITING = `
  set local timezone = 'UTC'; set local bytea_output = 'hex'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local lc_monetary = 'C'`
