import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CONCERNS } from './concerns.ts'
import { describeFault, type Fault, faultsIn } from './faults.ts'

const OPTIONS = { sample: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } } as const
const { sample, seed = '0', only = '' } = parseArgs({ options: OPTIONS }).values
/** A test file that takes longer stands still. */
const LATE_MS = 120_000

const outcomes = { noticed: 0, 'not noticed': 0, 'stands still': 0 }
type Outcome = keyof typeof outcomes
let runner: ChildProcess | undefined

async function tryOut(tests: string[], fault?: Fault): Promise<Outcome> {
  runner ??= fork('test/mutants/runner.ts', { detached: true })
  runner.send({ fault, tests })
  const answer = await Promise.race([
    once(runner, 'message'),
    setTimeout(tests.length * LATE_MS, undefined, { ref: false }),
  ])
  if (answer) return answer[0] ? 'noticed' : 'not noticed'
  endRunner()
  return 'stands still'
}

/** Ends everything that it started too. */
function endRunner(): void {
  if (runner?.pid) process.kill(-runner.pid, 'SIGKILL')
  runner = undefined
}
process.on('exit', () => {
  endRunner()
  const tried = outcomes.noticed + outcomes['not noticed'] + outcomes['stands still']
  const found = tried - outcomes['not noticed']
  if (tried > 0) console.log(`${found} of ${tried} faults were noticed: ${((100 * found) / tried).toFixed(1)} %.`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const all = Object.keys(CONCERNS)
  .filter(file => file.includes(only))
  .flatMap(faultsIn)
const step = Math.max(1, Math.floor(all.length / Number(sample ?? all.length)))
const chosen = all.filter((_, n) => n % step === Number(seed) % step)
const concerned = new Set(chosen.flatMap(({ file }) => CONCERNS[file] ?? []))
if ((await tryOut([...concerned])) !== 'not noticed') throw new Error('The tests fail without any fault.')

for (const fault of chosen) {
  const outcome = await tryOut(CONCERNS[fault.file] ?? [], fault)
  outcomes[outcome]++
  if (outcome !== 'noticed') console.log(`${outcome}: ${describeFault(fault)}`)
}
process.exit()
