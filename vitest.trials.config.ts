import { defineConfig } from 'vitest/config'
import { requireParts } from './test/support/parts.ts'

requireParts()

/** They compare times, or the work of a process with what it does usually: each has the machine for itself. */
const MEASURED = [
  'at-size',
  'burst',
  'crash',
  'evil',
  'neighbour',
  'outside',
  'pg-kill',
  'redis-kill',
  'scanner-leak',
  'shed',
  'slow',
  'soak',
]
const measured = MEASURED.map(name => `trials/${name}.trial.ts`)

/** What kills, soaks and goes to size: two at a time, and then one by one what is measured. */
export default defineConfig({
  test: {
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    reporters: ['minimal', './test/support/progress.ts'],
    globalSetup: ['./test/support/run-folder.ts', './test/support/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'two at a time',
          include: ['trials/**/*.trial.ts'],
          exclude: measured,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: measured, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
