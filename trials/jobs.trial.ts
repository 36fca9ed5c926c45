import { describe, it } from 'vitest'
import { expectEverythingToldAfter } from '../test/rounds/killed-servers.ts'
import { describeKilledWorkers } from '../test/rounds/killed-workers.ts'
import { rounds } from '../test/support/trial.ts'

const KILLS = rounds(3, 40)

// Two workers, then both again and a server.
describeKilledWorkers({ discussions: rounds(40, 5_000), fewestKills: 5 })

describe('An embedded server, which does its own jobs,', () => {
  it(`tells everyone of everything once, however often it is killed: ${KILLS} times`, () =>
    expectEverythingToldAfter(KILLS))
})
