import { relative, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { CONCERNS } from './concerns.ts'
import { withFaults } from './faults.ts'

const root = resolve(import.meta.dirname, '../..')

const faulty = {
  name: 'faulty',
  enforce: 'pre' as const,
  load(id: string) {
    const file = relative(root, id)
    return file in CONCERNS ? withFaults(file) : undefined
  },
}

export default defineConfig({
  root,
  plugins: [faulty],
  test: {
    expect: base.test?.expect,
    tags: base.test?.tags,
    env: { TEST_ENGINE: 'embedded' },
    include: ['test/mutants/with-faults.test.ts'],
    globalSetup: ['./test/support/run-folder.ts', './test/support/global-setup.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
  },
})
