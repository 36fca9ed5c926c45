import { describe, expect, it } from 'vitest'
import { describeKilledWorkers } from '../rounds/killed-workers.ts'
import { launch, newFolder } from '../support/server-process.ts'

describeKilledWorkers({ discussions: 60, fewestKills: 2 })

describe('A worker of its own', () => {
  it('has nothing to do without a database of its own, and says so in one line', async () => {
    const worker = launch({ DATA_DIR: newFolder() }, ['worker'])
    expect(await worker.exited).toEqual({ code: 1, signal: null })
    expect(worker.stderr()).toMatch(/^diwan: DATABASE_URL .*\n$/)
  })
})
