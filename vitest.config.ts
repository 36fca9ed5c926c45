import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findPart, requireParts } from './test/support/parts.ts'
import { GroupByGroup } from './test/support/sequence.ts'
import { filesOf, type Group, LEFT_OUT } from './test/support/suites.ts'

requireParts()

const runFolder = './test/support/run-folder.ts'
const globalSetup = [runFolder, './test/support/global-setup.ts']
/** What waits for browsers and other processes takes its time on a busy machine. */
const patient = { testTimeout: 600_000, hookTimeout: 600_000 }
/** To load the whole app takes longer than most files: a worker loads it once. */
const onEngine = (engine: string) => ({ isolate: false, env: { TEST_ENGINE: engine }, globalSetup })

const files = filesOf()
const groups = {
  pure: { isolate: false },
  adapters: { ...patient, isolate: false, globalSetup: runFolder },
  embedded: onEngine('embedded'),
  ...(findPart('postgres') && { postgres: onEngine('postgres') }),
  console: { ...patient, maxConcurrency: 2, globalSetup },
  process: { ...patient, globalSetup },
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A second, as it is without this, can pass on a busy machine before anything has happened.
    expect: { poll: { timeout: 30_000 } },
    // One more than there are cores, because many tests wait; and no more than PostgreSQL has connections for.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: GroupByGroup },
    setupFiles: process.env.SEED ? ['./test/support/seed.ts'] : [],
    reporters: ['minimal', './test/support/progress.ts'],
    tags: [{ name: 'long', description: 'Left to `npm run test:all`: at size, or waiting for a limit.' }],
    projects: Object.entries(groups).flatMap(([name, options]) => {
      const include = files[name as Group]
      return include ? [{ extends: true as const, test: { name, include, exclude: LEFT_OUT, ...options } }] : []
    }),
  },
})
