import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import { WHAT_IS_LEFT } from './suites.ts'

const SHOWN = 10

/**
 * Says at once which test failed and why, so that a run that is cut short tells it too. Ends the run with its ten slowest tests, so that
 * slowness stays in sight, with the seconds that the files of each group took together, and with what was left out. Names the files
 * that failed in the file `FAILED_FILES`, unless something else went wrong too.
 */
export default class LastWords implements Reporter {
  readonly #tests: { seconds: number; name: string }[] = []
  readonly #groups = new Map<string, number>()

  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration, prepareDuration } = module.diagnostic()
    const seconds = (duration + collectDuration + prepareDuration) / 1000
    this.#groups.set(module.project.name, (this.#groups.get(module.project.name) ?? 0) + seconds)
  }

  onTestCaseResult(test: TestCase): void {
    const seconds = (test.diagnostic()?.duration ?? 0) / 1000
    const name = `${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`
    this.#tests.push({ seconds, name })
    const { state, errors } = test.result()
    if (state === 'failed') console.log(`\nFailed: ${name}\n${errors?.map(whatHappened).join('\n')}`)
  }

  onTestRunEnd(modules: readonly TestModule[], otherErrors: readonly SerializedError[]): void {
    const slowest = this.#tests.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
    console.log('The slowest tests:')
    for (const { seconds, name } of slowest) console.log(`  ${seconds.toFixed(1).padStart(5)} s  ${name}`)
    console.log(`Groups: ${[...this.#groups].map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`)
    if (WHAT_IS_LEFT) console.log(WHAT_IS_LEFT)
    const { FAILED_FILES } = process.env
    const failed = modules.filter(module => !module.ok())
    if (FAILED_FILES && otherErrors.length === 0)
      writeFileSync(
        FAILED_FILES,
        failed.map(({ project, relativeModuleId }) => `${project.name}\t${relativeModuleId}\n`).join(''),
      )
  }
}

/** The message, and the line of the test on which it happened. */
function whatHappened({ message, stacks }: SerializedError): string {
  const [at] = stacks ?? []
  return `  ${message.slice(0, 1_000)}${at ? `\n  at ${at.file}:${at.line}` : ''}`
}
