import type { Reporter, TestCase } from 'vitest/node'

/** Lists tests that passed only on a retry, whichever other reporter is used, because flakiness is a fault to look for. */
export default class SecondTries implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    if (this.#names.length > 0) console.warn(['Passed only when tried again:', ...this.#names].join('\n  '))
  }
}
