import { createVitest, type TestSuite } from 'vitest/node'

/** What is asked for: this test file, once for each of these faults; null is none. */
export interface Trial {
  test: string
  faults: (string | null)[]
}

/** The fault of this number is being tried; or this is how it went; or all were tried, and nothing at all went wrong. */
export type Progress = { n: number } | Result | { isSound: boolean }

interface Result {
  n: number
  isNoticed: boolean
  /** The code with the fault was run, and be it when the app was started. */
  isReached: boolean
}

const tell = (progress: Progress) => process.send?.(progress)

function tellOf(suite: TestSuite, result: object): void {
  if (suite.parent.type === 'module') tell({ n: Number(suite.name), ...result })
}

const reporter = {
  onTestSuiteReady: (suite: TestSuite) => tellOf(suite, {}),
  onTestSuiteResult: (suite: TestSuite) => tellOf(suite, { ...suite.meta(), isNoticed: !suite.ok() }),
}

/** One Vitest for all faults: it keeps what it has compiled. */
const options = { config: 'test/mutants/vitest.config.ts', watch: false }
const vitest = await createVitest('test', { ...options, reporters: [reporter] })

process.on('message', async (trial: Trial) => {
  process.env.FAULTS = JSON.stringify(trial)
  const files = await vitest.globTestSpecifications()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(files)
  tell({ isSound: unhandledErrors.length === 0 && testModules.every(module => module.ok()) })
})
