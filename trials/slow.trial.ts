import { describe, expect, it } from 'vitest'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import { ratio, usualP99FromAside } from '../test/support/latency.ts'
import { random } from '../test/support/random.ts'
import { SLOWNESS, type SlowClient, startSlowClient, whenCut } from '../test/support/slow-clients.ts'
import { rounds, tell } from '../test/support/trial.ts'

const CLIENTS = rounds(300, 2_000)
const ROUNDS = rounds(1, 3)
const WINDOWS = rounds(5, 15)
const CALLS = 200
const CUT_WITHIN_MS = 15_000
/** Opened at once, more would wait in the kernel until they are accepted. */
const OPENED_AT_ONCE = 100

describe.each(ENGINES)('On %s', engine => {
  const using = useServerOn(engine, () => ({ WORKER: 'off' }))

  it(`${CLIENTS} clients that send or take next to nothing are cut off in time, and delay nobody, ${ROUNDS} times`, async () => {
    const { port, url, diwan } = using.server
    const company = await diwan.company()
    await diwan.project(company)
    // This thread has the slow clients to look after.
    const measured = () =>
      usualP99FromAside(WINDOWS, CALLS, `${url}/api/v1/projects`, { authorization: `Bearer ${company.key}` })
    const usual = [await measured()]
    const kinds = Object.keys(SLOWNESS)
    for (let round = 0; round < ROUNDS; round++) {
      const clients: SlowClient[] = []
      while (clients.length < CLIENTS) {
        const kind = () => kinds[Math.floor(random() * kinds.length)] as string
        const opening = Array.from({ length: OPENED_AT_ONCE }, () => startSlowClient(port, kind(), company.key))
        clients.push(...(await Promise.all(opening)))
      }
      const cutting = whenCut(port, clients, 3 * CUT_WITHIN_MS)
      const during = await measured()
      const cut = await cutting
      for (const client of clients) client.leave()
      usual.push(await measured())
      const longest = Object.fromEntries(
        kinds.map(kind => [
          kind,
          Math.max(...clients.filter(client => client.kind === kind).map(client => cut.get(client) ?? Number.NaN)),
        ]),
      )
      const times = ratio(during, usual)
      tell('slow', { engine, clients: CLIENTS, 'p99 in ms': during, usually: Math.max(...usual), times, ...longest })
      expect(longest).toEqual(
        Object.fromEntries(kinds.map(kind => [kind, expect.toSatisfy(ms => ms <= CUT_WITHIN_MS)])),
      )
      expect(times).toBeLessThanOrEqual(2)
    }
  })
})
