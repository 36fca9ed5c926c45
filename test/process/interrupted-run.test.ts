import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findParts } from '../support/parts.ts'
import { programsOf } from '../support/run-programs.ts'
import { until } from '../support/servers.ts'

const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
const canSeePrograms = existsSync('/proc/self/environ')

describe.skipIf(!findParts().postgres || !canSeePrograms)('A run of the tests', () => {
  it('that is interrupted leaves no program and no folder behind', async () => {
    const args = [VITEST, 'run', '--project', 'postgres', 'test/api/projects.test.ts']
    const run = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
      stdio: 'ignore',
    })
    onTestFinished(() => void run.kill('SIGTERM'))
    const exited = new Promise(resolve => run.once('exit', resolve))
    const folder = () =>
      ['/dev/shm', tmpdir()]
        .filter(existsSync)
        .flatMap(place => readdirSync(place).map(name => join(place, name)))
        .find(path => path.includes(`/diwan-run-${run.pid}-`))
    const names = () => programsOf(folder() ?? 'no folder yet').map(({ name }) => name)
    // Its workers are Node.js processes.
    await until(async () => names().includes('postgres') && names().some(name => name.startsWith('node')), 120_000)
    const there = folder() as string
    run.kill('SIGINT')
    expect(await exited).toBe(130)
    expect([programsOf(there), existsSync(there)]).toEqual([[], false])
  })
})
