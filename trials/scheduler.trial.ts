import { describe, it } from 'vitest'
import { expectConnectionsInOneHand } from '../test/rounds/scheduled/connections.ts'
import { expectEachSentOncePerAttempt } from '../test/rounds/scheduled/deliveries.ts'
import { expectNoRevokedKeyServed } from '../test/rounds/scheduled/keys.ts'
import { expectExactSpending } from '../test/rounds/scheduled/spends.ts'
import { useOwnApp } from '../test/support/app.ts'
import { DATABASE_ENGINES } from '../test/support/both-engines.ts'
import { rounds, tell } from '../test/support/trial.ts'

const ORDERS = rounds(20, 2_000)
/** Without a database. */
const QUICK = rounds(1_000, 20_000)

it(`A connection is in one hand and is given back, in ${QUICK} orders of statements`, async () => {
  await expectConnectionsInOneHand(QUICK)
  tell('scheduler', { 'orders of connections': QUICK })
})

// On PostgreSQL transactions overlap, and their statements wait for each other's locks besides.
describe.each(DATABASE_ENGINES)('In whatever order statements are sent and answered, on %s', engine => {
  const app = useOwnApp({ engine })

  it(`a key that was revoked is not served, in ${ORDERS} orders`, () => expectNoRevokedKeyServed(app, ORDERS))

  it(`exactly the allowance is granted, in ${ORDERS} orders`, () => expectExactSpending(app, ORDERS))

  it(`a delivery is sent once for each attempt, and none is forgotten, in ${ORDERS} orders`, async () => {
    await expectEachSentOncePerAttempt(app, ORDERS)
    tell('scheduler', { engine, 'orders of statements': 3 * ORDERS })
  })
})
