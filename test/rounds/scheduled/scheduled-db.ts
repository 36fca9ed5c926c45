import type fc from 'fast-check'
import type { Db } from '../../../src/db/db.ts'

/** Does work when the scheduler says so, and tells of it when the scheduler says so: as if each took its time on the way. */
export async function scheduled<T>(scheduler: fc.Scheduler, label: string, work: () => Promise<T>): Promise<T> {
  await scheduler.schedule(Promise.resolve(), `${label}: sent`)
  const outcome = await work().then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  )
  await scheduler.schedule(Promise.resolve(), `${label}: answered`)
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

const SINGLE = ['one', 'maybe', 'many', 'run', 'last'] as const

/** A real database whose statements are sent and answered in an order that the scheduler chooses. */
export function scheduleStatements(db: Db, scheduler: fc.Scheduler): Db {
  const single = Object.fromEntries(
    SINGLE.map(name => [
      name,
      (query: Parameters<Db['run']>[0]) => scheduled(scheduler, name, () => db[name](query) as Promise<unknown>),
    ]),
  )
  return {
    ...db,
    ...single,
    transaction: (work, options) => db.transaction(tx => work(scheduleStatements(tx, scheduler)), options),
    onBehalfOf: (company, signer) => scheduleStatements(db.onBehalfOf(company, signer), scheduler),
  } as Db
}
