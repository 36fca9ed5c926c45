import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { requireParts } from './test/support/parts.ts'
import { GroupByGroup } from './test/support/sequence.ts'

const parts = requireParts()

/** What is true over HTTP is true on both engines: the same files run on each. */
const engines = ['embedded', ...(parts.postgres ? ['postgres'] : [])]
const runFolder = './test/support/run-folder.ts'
const globalSetup = [runFolder, './test/support/global-setup.ts']

/**
 * Where nobody watches, what waits for browsers and whole processes on a busy machine has a second try, and is named
 * (`second-tries.ts`). A false assertion has none: a record that is lost once is lost.
 */
const retry = { count: process.env.CI ? 1 : 0, condition: /^(?!.*\bexpected )/s }

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A second, as it is without this, can pass on a busy machine before anything has happened.
    expect: { poll: { timeout: 30_000 } },
    // One more than there are cores, because many tests wait; and no more than PostgreSQL has connections for.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: GroupByGroup },
    projects: [
      { extends: true, test: { name: 'pure', include: ['test/{units,structure}/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'adapters', include: ['test/adapters/**/*.test.ts'], globalSetup: runFolder } },
      ...engines.map(engine => ({
        extends: true as const,
        test: {
          name: engine,
          // The client is the same whatever the server keeps its records in.
          include: [
            engine === 'embedded' ? 'test/{api,admin,client,mcp}/**/*.test.ts' : 'test/{api,admin,mcp}/**/*.test.ts',
          ],
          // To load the whole app takes longer than most files: a worker loads it once. Each file has its own database.
          isolate: false,
          env: { TEST_ENGINE: engine },
          globalSetup,
        },
      })),
      {
        extends: true,
        test: {
          name: 'console',
          include: ['test/console/**/*.test.ts'],
          maxConcurrency: 2,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          globalSetup,
        },
      },
    ],
  },
})
