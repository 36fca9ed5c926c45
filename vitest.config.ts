import { defineConfig } from 'vitest/config'
import { findParts, REQUIRE_ALL } from './test/support/parts.ts'

const parts = findParts()
const missing = Object.entries(parts).filter(([, path]) => path === undefined)
if (REQUIRE_ALL && missing.length > 0) {
  throw new Error(`REQUIRE_ALL=1, but missing: ${missing.map(([name]) => name).join(', ')}`)
}

/** What is true over HTTP is true on both engines: the same files run on each. */
const engines = ['embedded', ...(parts.postgres ? ['postgres'] : [])]
const globalSetup = './test/support/global-setup.ts'

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: ['test/{lib,structure}/**/*.test.ts'] } },
      { extends: true, test: { name: 'adapters', include: ['test/adapters/**/*.test.ts'] } },
      ...engines.map(engine => ({
        extends: true as const,
        test: { name: engine, include: ['test/{api,admin}/**/*.test.ts'], env: { TEST_ENGINE: engine }, globalSetup },
      })),
      {
        extends: true,
        test: { name: 'process', include: ['test/process/**/*.test.ts'], testTimeout: 180_000, globalSetup },
      },
    ],
  },
})
