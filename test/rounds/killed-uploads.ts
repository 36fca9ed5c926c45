import { expect } from 'vitest'
import { random } from '../support/random.ts'
import { embedded, launch, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'

/** Kills an embedded server in the middle of uploads and deletions, and checks the bytes of every acknowledged upload. */
export async function expectBytesOfEveryFileIn(kills: number, env = embedded()): Promise<void> {
  const acknowledged = new Map<number, string>()
  let setUp: { key: string; base: string } | undefined
  for (let round = 0; round < kills; round++) {
    const server = await serve(env)
    if (!setUp) {
      const company = await server.diwan.company()
      setUp = { key: company.key, base: `/projects/${(await server.diwan.project(company)).id}` }
    }
    const api = server.diwan.api(setUp.key)
    const { base } = setUp
    let written = 0
    const write = async (n: number) => {
      const content = `${round} ${n} `.repeat(2000)
      const { status, body } = await api.post(`${base}/files`, { name: `${round}-${n}.txt`, content })
      if (status === 201) {
        acknowledged.set(body.data.id, content)
        written++
      }
      const [oldest] = acknowledged.keys()
      // Always keep some files to check.
      if (n % 3 !== 0 || oldest === undefined || acknowledged.size <= kills + 1) return
      // The file is no longer checked, whether this deletion is acknowledged or not.
      acknowledged.delete(oldest)
      await api.delete(`${base}/files/${oldest}`)
    }
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let n = lane; n < 40; n += 8) await write(n)
    })
    const writers = Promise.allSettled(lanes)
    const enough = 4 + random() * 20
    await until(async () => written >= enough)
    await server.end('SIGKILL')
    await writers
  }
  const verified = launch(env, ['verify-files'])
  expect(await verified.exited).toMatchObject({ code: 0 })
  expect(verified.stdout()).toMatch(/ files checked, 0 without their bytes/)
  const server = await serve(env)
  for (const id of acknowledged.keys()) {
    expect((await server.diwan.api(setUp?.key).get(`${setUp?.base}/files/${id}`)).status).toBe(200)
  }
  expect(acknowledged.size).toBeGreaterThan(kills)
  tell('crash, uploads', { kills, acknowledged: acknowledged.size })
}
