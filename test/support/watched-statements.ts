import type { Sql } from 'sql-template-tag'
import type { Db } from '../../src/db/db.ts'

/** The same database, but it reports every statement sent on behalf of a company, which are those that endpoints send. */
export function watchStatements(db: Db, onStatement: () => void): Db {
  return { ...db, onBehalfOf: (companyId, signer) => watched(db.onBehalfOf(companyId, signer)) }

  function watched(own: Db): Db {
    const announced =
      <A extends unknown[], R>(send: (...sent: A) => R) =>
      (...sent: A): R => {
        onStatement()
        return send(...sent)
      }
    return {
      one: announced(own.one) as Db['one'],
      maybe: announced(own.maybe) as Db['maybe'],
      many: announced(own.many) as Db['many'],
      last: announced(own.last) as Db['last'],
      signed: announced(own.signed) as Db['signed'],
      together: own.together,
      run: announced(own.run),
      raw: announced(own.raw) as Db['raw'],
      onCommit: own.onCommit,
      transaction: (work, options) => own.transaction(tx => work(watched(tx)), options),
      onBehalfOf: (companyId, signer) => watched(own.onBehalfOf(companyId, signer)),
    }
  }
}

/** The same database, but it says what each read outside a transaction is. */
export function tellStatements(db: Db, tell: (text: string) => void): Db {
  const told =
    <T>(send: (query: Sql) => T) =>
    (query: Sql): T => {
      tell(query.text)
      return send(query)
    }
  return {
    ...db,
    one: told(db.one) as Db['one'],
    maybe: told(db.maybe) as Db['maybe'],
    many: told(db.many) as Db['many'],
  }
}
