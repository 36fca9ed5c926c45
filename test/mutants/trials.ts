import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Progress, Trial } from './runner.ts'

/** A fault after which nothing happens for so long stands still. */
const LATE_MS = 120_000
/** After so many faults the tests are run without one, to see whether what came before has left something broken. */
const BETWEEN_CONTROLS = 10

let runner: ChildProcess | undefined

/** Ends everything that it started too. */
export function endRunner(): void {
  if (runner?.pid) process.kill(-runner.pid, 'SIGKILL')
  runner = undefined
}

/** Ends with undefined when it stands still. */
async function* progressOf(trial: Trial): AsyncGenerator<Progress | undefined> {
  runner ??= fork('test/mutants/runner.ts', { detached: true })
  const messages = on(runner, 'message')
  try {
    runner.send(trial)
    for (;;) {
      const late = setTimeout(LATE_MS, undefined, { ref: false })
      const message = await Promise.race([messages.next(), late])
      if (!message) endRunner()
      const progress: Progress | undefined = message?.value[0]
      yield progress
      if (!progress || 'isSound' in progress) return
    }
  } finally {
    await messages.return?.()
  }
}

/** Whether the test notices the fault when it is there from the start. */
export async function isNoticedAlone(fault: string, test: string): Promise<boolean> {
  for await (const progress of progressOf({ test, faults: [fault] }))
    if (progress && 'isSound' in progress) return !progress.isSound
  return true
}

interface Found {
  noticed: Set<string>
  /** The test came by their places, and be it when the app was started. */
  reached: Set<string>
}

const nothingFound = (): Found => ({ noticed: new Set(), reached: new Set() })

/** Those of the faults that the test notices for certain, and those that it reaches. */
export async function findBy(test: string, faults: string[], found = nothingFound()): Promise<Found> {
  const tried: (string | null)[] = faults.flatMap((fault, n) => (n % BETWEEN_CONTROLS ? [fault] : [null, fault]))
  tried.push(null)
  let sinceControl: string[] = []
  let current = 0
  for await (const progress of progressOf({ test, faults: tried })) {
    if (progress === undefined) {
      const stuck = tried[current]
      if (stuck) found.noticed.add(stuck)
      const rest = tried.slice(current + 1).filter(fault => fault !== null)
      return rest.length > 0 ? findBy(test, rest, found) : found
    }
    if ('isSound' in progress) break
    current = progress.n
    if (!('isNoticed' in progress)) continue
    const fault = tried[current]
    if (fault && progress.isNoticed) sinceControl.push(fault)
    if (fault && progress.isReached) found.reached.add(fault)
    if (fault) continue
    if (progress.isNoticed && current === 0) throw new Error(`${test} fails without any fault.`)
    if (!progress.isNoticed) for (const one of sinceControl) found.noticed.add(one)
    sinceControl = []
  }
  return found
}
