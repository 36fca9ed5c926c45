import { describeCalendarsOfKilledServers, describeFailingCalendars } from '../test/rounds/failing-calendars.ts'
import { rounds } from '../test/support/trial.ts'

describeFailingCalendars({ changes: rounds(12, 120), kills: rounds(4, 12) })
describeCalendarsOfKilledServers(rounds(3, 30))
