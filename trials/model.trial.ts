import { describe, it } from 'vitest'
import { COMMANDS, expectTheModelToAgree } from '../test/rounds/model.ts'
import { useOwnApp } from '../test/support/app.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

const RUNS = trialRounds(60)

describe('A plain model of the rules and the service', () => {
  const app = useOwnApp({ engine: 'embedded' })

  it(`never disagree, in ${RUNS} runs of up to ${COMMANDS} commands`, () => expectTheModelToAgree(app, RUNS))
})
