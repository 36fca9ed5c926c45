import { describeKilledWorkers } from '../test/rounds/killed-workers.ts'
import { rounds } from '../test/support/trial.ts'

// Two workers, then both again and a server.
describeKilledWorkers({ discussions: rounds(40, 5_000), fewestKills: 5 })
