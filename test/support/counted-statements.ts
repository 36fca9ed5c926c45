import type { Db } from '../../src/db/db.ts'

/** The same database, which tells of every statement that is sent on the account of a company: those of the endpoints. */
export function toldOfStatements(db: Db, onStatement: () => void): Db {
  return { ...db, onBehalfOf: companyId => counted(db.onBehalfOf(companyId)) }

  function counted(own: Db): Db {
    const told =
      <A extends unknown[], R>(send: (...sent: A) => R) =>
      (...sent: A): R => {
        onStatement()
        return send(...sent)
      }
    return {
      one: told(own.one) as Db['one'],
      maybe: told(own.maybe) as Db['maybe'],
      many: told(own.many) as Db['many'],
      run: told(own.run),
      raw: told(own.raw) as Db['raw'],
      transaction: work => own.transaction(tx => work(counted(tx))),
      onBehalfOf: companyId => counted(own.onBehalfOf(companyId)),
    }
  }
}
