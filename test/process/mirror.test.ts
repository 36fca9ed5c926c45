import { describe, it } from 'vitest'
import { expectMirroredOnce } from '../rounds/killed-mirrors.ts'
import { withoutJobs } from '../support/server-process.ts'

const TASKS = 300
const KILLS = 4

describe('A program that mirrors another system by upserts', () => {
  it(`and is killed ${KILLS} times, or its server, leaves each record once, and none has changed when it runs again`, () =>
    expectMirroredOnce(withoutJobs(), TASKS, KILLS))
})
