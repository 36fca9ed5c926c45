import { describe, expect, it } from 'vitest'
import { random } from '../test/support/random.ts'
import { answering, launch, serve, withoutJobs } from '../test/support/server-process.ts'
import { rounds, tell } from '../test/support/trial.ts'

const OPENERS = rounds(4, 50)

describe('A second server on one data folder', () => {
  it(`is refused by name while the first runs, and opens it right after a kill, ${OPENERS} times`, async () => {
    const env = { ...withoutJobs(), PORT: '0' }
    let server = await serve(env)
    let recovered = 0
    for (let n = 0; n < OPENERS; n++) {
      const second = launch(env)
      // Both are tried, whatever is drawn.
      if (n === 0 || (n > 1 && random() < 0.5)) {
        expect(await answering(second), second.stderr()).toBeUndefined()
        expect(second.stderr()).toMatch(/another process|in use|already/i)
        expect((await server.diwan.client('').get('/ready')).status).toBe(200)
        continue
      }
      // It may come before the kill is felt, and is refused then; whoever comes after it opens the folder.
      await server.end('SIGKILL')
      const url = await answering(second)
      if (url !== undefined) await second.end('SIGKILL')
      server = await serve(env)
      expect(server.hasExited()).toBe(false)
      recovered++
    }
    tell('lock', { openers: OPENERS, recovered })
    await server.end('SIGTERM')
  })
})
