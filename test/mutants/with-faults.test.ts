import { afterAll, afterEach, beforeAll, beforeEach, describe, type TestContext } from 'vitest'
import type { Trial } from './runner.ts'

// Runs one test file again for each fault, in the same worker, where the app is loaded and started only once.

const { faults, test } = JSON.parse(process.env.FAULTS as string) as Trial
/** A fault that is tried alone is awake from the start, and so also while the modules are loaded. */
let awake = faults.length === 1 ? faults[0] : null

/** The places of faults that the code came by: ever, since the last test ended, and in each test when there was no fault. */
const everReached = new Set<string>()
let reached = new Set<string>()
const reachedBy = new Map<string, Set<string>>()
const reachedBefore = new Set<string>()

Object.assign(globalThis, {
  isAwake(fault: string): boolean {
    everReached.add(fault)
    reached.add(fault)
    return fault === awake
  },
})

const nameOf = ({ task }: TestContext) => task.fullTestName.replace(/^\d+/, '')

for (const [n, fault] of faults.entries())
  describe(String(n), async () => {
    const isFirst = n === 0 && fault === null
    let isNoticed = false
    beforeAll(() => {
      awake = fault
    })
    beforeEach(context => {
      if (isFirst) for (const place of reached) reachedBefore.add(place)
      reached = new Set()
      const isConcerned =
        fault === null || faults.length === 1 || reachedBefore.has(fault) || reachedBy.get(nameOf(context))?.has(fault)
      context.skip(isNoticed || !isConcerned)
    })
    afterEach(context => {
      if (isFirst) reachedBy.set(nameOf(context), reached)
      isNoticed ||= context.task.result?.state === 'fail'
    })
    // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on it
    afterAll(({}, suite) => {
      Object.assign(suite.meta, { isReached: everReached.has(fault ?? '') })
      awake = null
    })
    await import(/* @vite-ignore */ `${import.meta.dirname}/../${test}.test.ts?n=${n}`)
  })
