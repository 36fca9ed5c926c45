import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Client, Diwan } from '../test/support/diwan.ts'
import { canMount, mountImage, unmount } from '../test/support/mounts.ts'
import { random, shuffled } from '../test/support/random.ts'
import { answering, type Launched, launch, newFolder } from '../test/support/server-process.ts'
import { until } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

/** The seconds before each power cut: during the first start, soon after its first answer, and later. */
const pauses = (count: number, least: number, most: number) =>
  Array.from({ length: count }, () => least + random() * (most - least))
const DURING_START = pauses(rounds(1, 30), 0, rounds(3, 0.2))
const SOON = pauses(rounds(1, 120), 0, 3)
const LATER = pauses(rounds(1, 50), 5, rounds(6, 20))
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

/** The small disk must not be full before the last cut. */
const FILE_WORDS = 500
const PAUSE_MS = 50
/** After each cut the newest are read, and some of the older ones; after the last, all. */
const NEWEST = 500
const OLDER = 200

/** Creates a company, then projects and files, until the server is gone. */
async function write(installation: Installation, acknowledged: Acknowledged, mayWrite: MayWrite): Promise<void> {
  const diwan = await diwanOf(installation)
  const { key } = await diwan.company()
  acknowledged.key = key
  const api = diwan.api(key)
  const { body } = await api.post('/projects', { name: 'Website launch' })
  const files = `/projects/${body.data.id}/files`
  await Promise.all([
    add(api, '/projects', n => ({ name: `Project ${n}` }), acknowledged, mayWrite),
    add(api, files, n => ({ name: `${n}.txt`, content: `${n} `.repeat(FILE_WORDS) }), acknowledged, mayWrite),
  ])
}

/** Resolves when nothing is being looked at: what is written meanwhile fills the disk and proves nothing. */
type MayWrite = () => Promise<unknown>

async function add(
  api: Client,
  path: string,
  fields: (n: number) => object,
  acknowledged: Acknowledged,
  mayWrite: MayWrite,
) {
  for (let n = 1; ; n++) {
    await mayWrite()
    const { status, body } = await api.post(path, fields(n))
    if (status === 201) acknowledged.paths.push(`${path}/${body.data.id}`)
    await sleep(PAUSE_MS)
  }
}

interface Cut {
  image: string
  /** What had been acknowledged by then. */
  acknowledged: Acknowledged
}

/** Copies what is on the disk at this moment, without what is only in memory. */
async function cutPower(server: Launched, image: string, acknowledged: Acknowledged): Promise<Cut> {
  expect(server.hasExited(), server.stderr()).toBe(false)
  const { pid } = server
  process.kill(pid, 'SIGSTOP')
  // Answers that were sent before may still be on their way.
  await sleep(200)
  const cut = { image: `${image}.${randomUUID()}`, acknowledged: structuredClone(acknowledged) }
  execFileSync('cp', ['--sparse=always', image, cut.image])
  process.kill(pid, 'SIGCONT')
  return cut
}

function someOf(paths: string[]): string[] {
  const older = shuffled(paths.slice(0, -NEWEST)).slice(0, OLDER)
  return [...older, ...paths.slice(-NEWEST)]
}

/** Starts on what the power cut has left, and reads what was acknowledged. */
async function missingAfter({ image, acknowledged: { key, paths } }: Cut): Promise<string[]> {
  const disk = mountImage(image)
  const installation = start(disk)
  const diwan = await diwanOf(installation)
  const missing: string[] = []
  for (const path of key === undefined ? [] : paths) {
    const { status } = await diwan.api(key).get(path)
    if (status !== 200) missing.push(`${path}: ${status}`)
  }
  await installation.server.end('SIGKILL')
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
    const cutAfter = async (seconds: number) => {
      await sleep(seconds * 1000)
      return cutPower(installation.server, image, acknowledged)
    }
    const started: Cut[] = []
    for (const seconds of DURING_START) started.push(await cutAfter(seconds))
    let isLookedAt: Promise<unknown> = Promise.resolve()
    let hasFailed: Error | undefined
    const writing = write(installation, acknowledged, () => isLookedAt).catch(error => {
      hasFailed = error
    })
    await until(async () => acknowledged.paths.length > 0, START_WITHIN_MS)
    for (const [n, cut] of started.entries()) expect(await missingAfter(cut), `cut ${n + 1} of the start`).toEqual([])
    // Each is looked at while the server goes on: two hundred copies of a disk take too much of another.
    let last = 0
    const pauses = [...SOON, ...LATER]
    for (const [n, seconds] of pauses.entries()) {
      const cut = await cutAfter(seconds)
      expect(hasFailed, 'whoever writes').toBeUndefined()
      const { key, paths } = cut.acknowledged
      const read = n === pauses.length - 1 ? paths : someOf(paths)
      const missing = missingAfter({ ...cut, acknowledged: { ...(key && { key }), paths: read } })
      isLookedAt = missing.catch(() => {})
      expect(await missing, `cut ${n + 1}`).toEqual([])
      last = paths.length
    }
    await installation.server.end('SIGKILL')
    await writing
    unmount(disk)

    const cuts = DURING_START.length + SOON.length + LATER.length
    tell('powercut', { cuts, 'acknowledged at the last': last, missing: 0 })
  }, 5_400_000)
})
