import { describeFailingCalendars } from '../test/rounds/failing-calendars.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

describeFailingCalendars({ changes: trialRounds(120), kills: 6 })
