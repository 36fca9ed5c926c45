import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Client, Diwan } from '../test/support/diwan.ts'
import { canMount, mountImage, unmount } from '../test/support/mounts.ts'
import { answering, endAll, type Launched, launch, newFolder } from '../test/support/server-process.ts'
import { until } from '../test/support/servers.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

/** The seconds before each power cut: during the first start, soon after its first answer, and later. */
const pauses = (count: number, least: number, most: number) =>
  Array.from({ length: trialRounds(count) }, () => least + Math.random() * (most - least))
const DURING_START = pauses(2, 0, 3)
const SOON = pauses(5, 0, 3)
const LATER = pauses(2, 5, 20)
const START_WITHIN_MS = 180_000

/** Creates the image of an empty disk. */
function newImage(): string {
  const image = join(newFolder(), 'disk')
  writeFileSync(image, '')
  truncateSync(image, 400 * 1024 * 1024)
  execFileSync('mkfs.ext4', ['-q', image])
  return image
}

interface Installation {
  server: Launched
  env: Record<string, string>
}

/** The first start creates everything: the data folder, the secrets, the database. */
function start(disk: string): Installation {
  const env = { DATA_DIR: join(disk, 'a', 'data'), DEMO: 'off', BURST_PER_MINUTE: '0', PORT: '0' }
  return { server: launch(env), env }
}

async function diwanOf({ server, env }: Installation): Promise<Diwan> {
  const url = await answering(server, START_WITHIN_MS)
  if (url === undefined) throw new Error(`The server ended instead of serving: ${server.stderr()}`)
  return new Diwan(url, readFileSync(join(env.DATA_DIR as string, 'operator-token'), 'utf8').trim())
}

interface Acknowledged {
  key?: string
  paths: string[]
}

/** Creates a company, then projects and files as fast as they are accepted, until the server is gone. */
async function write(installation: Installation, acknowledged: Acknowledged): Promise<void> {
  const diwan = await diwanOf(installation)
  const { key } = await diwan.company()
  acknowledged.key = key
  const api = diwan.api(key)
  const { body } = await api.post('/projects', { name: 'Website launch' })
  const files = `/projects/${body.data.id}/files`
  await Promise.all([
    add(api, '/projects', n => ({ name: `Project ${n}` }), acknowledged),
    add(api, files, n => ({ name: `${n}.txt`, content: `${n} `.repeat(5_000) }), acknowledged),
  ])
}

async function add(api: Client, path: string, fields: (n: number) => object, acknowledged: Acknowledged) {
  for (let n = 1; ; n++) {
    const { status, body } = await api.post(path, fields(n))
    if (status === 201) acknowledged.paths.push(`${path}/${body.data.id}`)
  }
}

interface Cut {
  image: string
  /** What had been acknowledged by then. */
  acknowledged: Acknowledged
}

/** Copies what is on the disk at this moment, without what is only in memory. */
async function cutPower({ pid }: Launched, image: string, acknowledged: Acknowledged): Promise<Cut> {
  process.kill(pid, 'SIGSTOP')
  // Answers that were sent before may still be on their way.
  await sleep(200)
  const cut = { image: `${image}.${randomUUID()}`, acknowledged: structuredClone(acknowledged) }
  execFileSync('cp', ['--sparse=always', image, cut.image])
  process.kill(pid, 'SIGCONT')
  return cut
}

/** Starts on what the power cut has left, and reads everything that was acknowledged. */
async function missingAfter({ image, acknowledged: { key, paths } }: Cut): Promise<string[]> {
  const disk = mountImage(image)
  const diwan = await diwanOf(start(disk))
  const missing: string[] = []
  for (const path of key === undefined ? [] : paths) {
    const { status } = await diwan.api(key).get(path)
    if (status !== 200) missing.push(`${path}: ${status}`)
  }
  await endAll()
  const verified = launch({ DATA_DIR: join(disk, 'a', 'data') }, ['verify-files'])
  if ((await verified.exited).code !== 0) missing.push(verified.stdout() + verified.stderr())
  unmount(disk)
  rmSync(image)
  return missing
}

const isPossible = canMount(() => mountImage(newImage()))
if (!isPossible) console.log('Not tried: a power cut. It takes the right to mount a disk image (root, loop devices).')

describe.skipIf(!isPossible)('A power cut', () => {
  it('at any moment from the first start on loses nothing that was acknowledged', async () => {
    const image = newImage()
    const disk = mountImage(image)
    mkdirSync(join(disk, 'a'))
    execFileSync('sync', ['-f', disk])

    const acknowledged: Acknowledged = { paths: [] }
    const installation = start(disk)
    const cuts: Cut[] = []
    const cutAfterEach = async (pauses: number[]) => {
      for (const seconds of pauses) {
        await sleep(seconds * 1000)
        cuts.push(await cutPower(installation.server, image, acknowledged))
      }
    }
    await cutAfterEach(DURING_START)
    const writing = write(installation, acknowledged).catch(() => {})
    await until(async () => acknowledged.paths.length > 0, START_WITHIN_MS)
    await cutAfterEach([...SOON, ...LATER])
    expect(installation.server.hasExited(), installation.server.stderr()).toBe(false)
    await installation.server.end('SIGKILL')
    await writing
    unmount(disk)

    for (const [n, cut] of cuts.entries()) {
      const missing = await missingAfter(cut)
      console.log(`Cut ${n + 1}: ${cut.acknowledged.paths.length} acknowledged, ${missing.length} missing`)
      expect(missing, `after cut ${n + 1}`).toEqual([])
    }
  }, 1_800_000)
})
