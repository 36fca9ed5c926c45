import { describeKilledDeliveries } from '../test/rounds/killed-deliveries.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

describeKilledDeliveries(trialRounds(500))
