import { describeKilledDeliveries } from '../rounds/killed-deliveries.ts'

describeKilledDeliveries(40)
