import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Diwan } from '../support/diwan.ts'
import { random } from '../support/random.ts'
import { launch, newFolder, serve } from '../support/server-process.ts'
import { tell } from '../support/trial.ts'

/** Kills a server in the middle of its first start, again and again on the same folder, and then lets it start. */
export async function expectToOpenAfter(kills: number): Promise<void> {
  const env = { DATA_DIR: newFolder(), PORT: '0' }
  const delays = Array.from({ length: kills }, () => Math.round(400 + random() * 2_100))
  for (const delay of delays) {
    const killed = launch(env)
    await Promise.race([sleep(delay), killed.exited])
    expect(killed.hasExited(), `after ${delays}: ${killed.stderr()}`).toBe(false)
    await killed.end('SIGKILL')
  }
  const server = await serve(env)
  expect(server.stderr().replace('Preparing the database…\n', ''), `after ${delays}`).toBe('')
  const { body } = await new Diwan(
    server.url,
    readFileSync(join(env.DATA_DIR, 'operator-token'), 'utf8').trim(),
  ).operator.get('/companies')
  expect(body.data.map((company: { name: string }) => company.name)).toEqual(['Diwan Demo'])
  tell('crash, first starts', { kills, 'after ms': delays.join(', ') })
  await server.end('SIGKILL')
}
