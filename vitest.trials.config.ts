import { defineConfig } from 'vitest/config'
import { requireParts } from './test/support/parts.ts'

requireParts()

/** What kills, soaks and goes to size: one at a time, so that each has the machine for itself. */
export default defineConfig({
  test: {
    include: ['trials/**/*.trial.ts'],
    globalSetup: ['./test/support/run-folder.ts', './test/support/global-setup.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    fileParallelism: false,
  },
})
