import { describeKilledDeliveries } from '../test/rounds/killed-deliveries.ts'
import { rounds } from '../test/support/trial.ts'

describeKilledDeliveries(rounds(30, 500))
