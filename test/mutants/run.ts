import { parseArgs } from 'node:util'
import { CONCERNS } from './concerns.ts'
import { faultsIn } from './faults.ts'
import { endRunner, findBy, isNoticedAlone } from './trials.ts'

const OPTIONS = { sample: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } } as const
const { sample, seed = '0', only = '' } = parseArgs({ options: OPTIONS }).values

let [tried, noticed] = [0, 0]
process.on('exit', () => {
  endRunner()
  if (tried > 0) console.log(`${noticed} of ${tried} faults were noticed: ${((100 * noticed) / tried).toFixed(1)} %.`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const concerns = Object.entries(CONCERNS).filter(([file]) => file.includes(only))
const all = concerns.flatMap(([file]) => faultsIn(file))
const step = Math.max(1, Math.floor(all.length / Number(sample ?? all.length)))
const chosen = new Set(all.filter((_, n) => n % step === Number(seed) % step).map(({ name }) => name))

/** Tries many faults at a time, in one worker. Returns those that were not noticed, each with the tests that reach it. */
async function unnoticedTogether(file: string, tests: string[]): Promise<[fault: string, tests: string[]][]> {
  let left = faultsIn(file)
    .map(({ name }) => name)
    .filter(name => chosen.has(name))
  tried += left.length
  const reachedBy = new Map(left.map(fault => [fault, [] as string[]]))
  for (const test of tests) {
    if (left.length === 0) break
    const { noticed, reached } = await findBy(test, left)
    for (const fault of reached) reachedBy.get(fault)?.push(test)
    left = left.filter(fault => !noticed.has(fault))
  }
  noticed += reachedBy.size - left.length
  return left.map(fault => [fault, reachedBy.get(fault) ?? []])
}

/** What runs when the app is loaded and started, or depends on what came before, shows only when each has a worker of its own. */
async function isNoticedByAny(fault: string, tests: string[]): Promise<boolean> {
  for (const test of tests) if (await isNoticedAlone(fault, test)) return true
  return false
}

const left: [fault: string, tests: string[]][] = []
for (const [file, tests] of concerns) left.push(...(await unnoticedTogether(file, tests)))
for (const [fault, tests] of left) {
  if (await isNoticedByAny(fault, tests)) noticed++
  else console.log(`${tests.length > 0 ? 'not noticed' : 'not reached'}: ${fault}`)
}
process.exit()
