import { resolve } from 'node:path'
import { createVitest } from 'vitest/node'
import type { Fault } from './faults.ts'

const options = { config: 'test/mutants/vitest.config.ts', watch: false, bail: 1, project: ['pure', 'embedded'] }
/** One Vitest for all faults: it keeps what it has compiled. */
const vitest = await createVitest('test', { ...options, reporters: [{}] })

process.on('message', async ({ fault, tests }: { fault?: Fault; tests: string[] }) => {
  process.env.FAULT = JSON.stringify(fault ?? null)
  if (fault) vitest.invalidateFile(resolve(fault.file))
  let isNoticed = false
  for (const test of tests) {
    const files = await vitest.globTestSpecifications([`test/${test}.test.ts`])
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(files)
    isNoticed ||= unhandledErrors.length > 0 || testModules.some(module => !module.ok())
    if (isNoticed) break
  }
  if (fault) vitest.invalidateFile(resolve(fault.file))
  process.send?.(isNoticed)
})
