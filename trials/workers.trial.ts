import { describeKilledWorkers } from '../test/rounds/killed-workers.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

describeKilledWorkers(trialRounds(1_000))
