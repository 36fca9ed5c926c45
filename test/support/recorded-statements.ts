import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from 'sql-template-tag'
import type { Db } from '../../src/db/db.ts'

/** A statement as it was sent, and where in the sources that was, the innermost place first. */
export interface Recorded {
  text: string
  places: string[]
}

/** The folder into which statements are written, if somebody wants to check them (`npm run check:sql`). */
const FOLDER = process.env.RECORD_STATEMENTS
const seen = new Set<string>()

/** The same database, but it writes down every new statement and who sent it. */
export function recordStatements(db: Db): Db {
  return FOLDER ? recorded(db, FOLDER) : db
}

function recorded(db: Db, folder: string): Db {
  const noted =
    <T>(send: (query: Sql) => T) =>
    (query: Sql): T => {
      note(folder, query.text, placesOf(new Error()))
      return send(query)
    }
  return {
    ...db,
    one: noted(db.one) as Db['one'],
    maybe: noted(db.maybe) as Db['maybe'],
    many: noted(db.many) as Db['many'],
    last: noted(db.last) as Db['last'],
    run: noted(db.run),
    signed<T>(statement: (signed: Sql) => Sql) {
      const places = placesOf(new Error())
      return db.signed<T>(signed => {
        const query = statement(signed)
        note(folder, query.text, places)
        return query
      })
    },
    transaction: (work, options) => db.transaction(tx => work(recorded(tx, folder)), options),
    onBehalfOf: (companyId, signer) => recorded(db.onBehalfOf(companyId, signer), folder),
  }
}

function note(folder: string, text: string, places: string[]): void {
  const line = JSON.stringify({ text, places } satisfies Recorded)
  if (seen.has(line)) return
  seen.add(line)
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`)
}

/** The calls in `src` that led here, as `file:line:column`. */
function placesOf({ stack = '' }: Error): string[] {
  return [...stack.matchAll(/\/src\/([\w/.-]+\.ts:\d+:\d+)/g)].map(([, place]) => `src/${place}`).slice(0, 6)
}
