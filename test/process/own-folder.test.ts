import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder, serve } from '../support/server-process.ts'

/** Puts the program under a umask that keeps nothing from others. */
const WIDE_OPEN = ['sh', '-c', 'umask 000; exec "$@"', 'sh']

const modeOf = (path: string) => lstatSync(path).mode & 0o777

/** A cache that the engine gives the mode itself. Its folder keeps it from others. */
const CACHE = 'pg_internal.init'

/** Every file and folder under a folder that somebody else has any access to. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => (modeOf(path) & 0o077) !== 0 && !path.endsWith(CACHE))
}

describe('A server that is started with umask 000', () => {
  it('writes a data folder that nobody else can look into, with its database, files and secrets', async () => {
    const folder = join(newFolder(), 'data')
    const server = await serve({ DATA_DIR: folder, WORKER: 'off' }, WIDE_OPEN)
    await server.end('SIGTERM')
    expect(modeOf(folder)).toBe(0o700)
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['database', 'files', 'operator-token', 'server-secret']),
    )
    expect(openToOthers(folder)).toEqual([])
  })

  it('closes a data folder of its own that was open to others; one with other things in it stays, and it says so', async () => {
    for (const [other, mode, isTold] of [
      ['files', 0o700, false],
      ['notes', 0o755, true],
    ] as const) {
      const folder = newFolder()
      mkdirSync(join(folder, other))
      chmodSync(folder, 0o755)
      const server = await serve({ DATA_DIR: folder, WORKER: 'off', DEMO: 'off' }, WIDE_OPEN)
      expect([other, modeOf(folder), server.stderr().includes(`chmod 700 ${folder}`)]).toEqual([other, mode, isTold])
      await server.end('SIGKILL')
    }
  })
})
