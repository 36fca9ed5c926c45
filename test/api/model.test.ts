import { it } from 'vitest'
import { COMMANDS, expectTheModelToAgree } from '../rounds/model.ts'
import { useApp } from '../support/app.ts'

const app = useApp()
const RUNS = 4

it(
  `A plain model of the rules and the service never disagree, in ${RUNS} sequences of ${COMMANDS} commands`,
  () => expectTheModelToAgree(app.diwan, RUNS),
  180_000,
)
