import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node'
import { neededIn } from './describe-with.ts'
import { LEFT_TO_OTHERS } from './suites.ts'

const EVERY_MS = 15_000
const SHOWN = 5

/**
 * Says every few seconds how far the run is, and at once which test failed and why. Ends with the slowest tests, the counts, and one
 * sentence on what was not tested. Names the files that failed in the file `FAILED_FILES`, unless something else went wrong too.
 */
export default class Progress implements Reporter {
  readonly #tests: { seconds: number; name: string }[] = []
  readonly #missing = new Set<string>()
  readonly #counts = { passed: 0, failed: 0, skipped: 0 }
  readonly #began = Date.now()
  #files = { done: 0, all: 0 }
  #saying: NodeJS.Timeout | undefined

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files.all = specifications.length
    this.#saying = setInterval(() => this.#say(), EVERY_MS).unref()
  }

  onTestModuleEnd(): void {
    this.#files.done++
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state !== 'pending') this.#counts[state]++
    if (state === 'skipped') for (const part of neededIn(test.name)) this.#missing.add(part)
    const seconds = (test.diagnostic()?.duration ?? 0) / 1000
    const name = `${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`
    this.#tests.push({ seconds, name })
    if (state === 'failed') console.log(`\nFailed: ${name}\n${errors?.map(problem).join('\n')}`)
  }

  onTestRunEnd(modules: readonly TestModule[], otherErrors: readonly SerializedError[]): void {
    clearInterval(this.#saying)
    const slowest = this.#tests.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
    console.log('The slowest tests:')
    for (const { seconds, name } of slowest) console.log(`  ${seconds.toFixed(1).padStart(5)} s  ${name}`)
    const { FAILED_FILES } = process.env
    const failed = modules.filter(module => !module.ok())
    if (FAILED_FILES && otherErrors.length === 0)
      writeFileSync(
        FAILED_FILES,
        failed.map(({ project, relativeModuleId }) => `${project.name}\t${relativeModuleId}\n`).join(''),
      )
    const { passed, failed: failures, skipped } = this.#counts
    console.log(`\n${passed} passed, ${failures} failed, ${skipped} skipped`)
    const missing = this.#missing.size > 0 && `what needs ${[...this.#missing].join(', ')}, which this machine lacks`
    const left = [missing, LEFT_TO_OTHERS].filter(Boolean)
    if (left.length > 0) console.log(`Not tested here: ${left.join('; and ')}.`)
  }

  #say(): void {
    const seconds = Math.round((Date.now() - this.#began) / 1000)
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const { passed, failed } = this.#counts
    const { done, all } = this.#files
    console.log(`${time}  ${done} of ${all} files, ${passed} tests passed, ${failed > 0 ? failed : 'none'} failed`)
  }
}

/** The message, and the line of the test on which it happened. */
function problem({ message, stacks }: SerializedError): string {
  const [at] = stacks ?? []
  return `  ${message.slice(0, 1_000)}${at ? `\n  at ${at.file}:${at.line}` : ''}`
}
