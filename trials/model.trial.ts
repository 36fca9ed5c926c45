import { describe, expect, it } from 'vitest'
import { COMMANDS, expectTheModelToAgree } from '../test/rounds/model.ts'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import { rounds, tell } from '../test/support/trial.ts'

const SEQUENCES = rounds(6, 1_000)
const SHRINKING_STEPS = rounds(20, 400)

describe.each(ENGINES)('A plain model of the rules and the service, on %s,', engine => {
  const using = useServerOn(engine, () => ({ WORKER: 'off' }))

  it(`never disagree, in ${SEQUENCES} sequences of ${COMMANDS} commands`, async () => {
    const since = performance.now()
    const commands = await expectTheModelToAgree(using.server.diwan, SEQUENCES, SHRINKING_STEPS)
    // Hardly any command is left out when nothing has to be shrunk.
    expect(commands).toBeGreaterThan(SEQUENCES * COMMANDS * 0.98)
    const perSecond = (1_000 * commands) / (performance.now() - since)
    tell('model', { engine, sequences: SEQUENCES, commands, 'a second': perSecond })
  }, 3_600_000)
})
