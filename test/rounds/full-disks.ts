import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer, Client } from '../support/diwan.ts'
import { fillDisk } from '../support/mounts.ts'
import { random } from '../support/random.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const ANSWER_WITHIN_MS = 20_000
/** Far less than the pause between failed attempts: the server notices that there is room again. */
const SERVE_AGAIN_WITHIN_MS = 20_000
/** Nothing at all, too little for an upload, and too little for the next piece of the write-ahead log. */
const MEGABYTES_LEFT = [0, 3, 13]
const WRITERS = 3
const REFUSALS = 12
const LARGEST_UPLOAD_BYTES = 2_000_000

/** Whatever happens to the disk, a call is answered. */
async function answered(call: Promise<Answer>): Promise<Answer> {
  const tooLate = sleep(ANSWER_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`No answer within ${ANSWER_WITHIN_MS} ms`)
  })
  return Promise.race([call, tooLate])
}

/** An installation of which one part writes to a small disk. */
export interface OnSmallDisk {
  disk: string
  start(): Promise<ServerProcess>
  /** Starts again what ends on a full disk and has somebody else to start it: a service manager does so. */
  revive(): Promise<void>
}

/** Fills and frees a disk under load, so many times. Gives what was taken and refused, and the longest time until it served again. */
export async function expectNothingLostOn({ disk, start, revive }: OnSmallDisk, fills: number) {
  let server = await start()
  const company = await server.diwan.company({ daily_calls: 1_000_000 })
  const project = `/projects/${(await server.diwan.project(company)).id}`
  const figures = { taken: 0, refused: 0, longestMs: 0 }
  const all: string[] = []
  for (let fill = 1; fill <= fills; fill++) {
    const left = MEGABYTES_LEFT[Math.floor(random() * MEGABYTES_LEFT.length)] as number
    const where = `fill ${fill}, ${left} MB left`
    const writes = keepStoring(company.api, project)
    await until(async () => writes.taken.length >= 3 + random() * 20)
    const free = fillDisk(disk, left)
    await until(async () => writes.refusals.length >= REFUSALS)
    expect((await fetch(`${server.url}/health`)).status, where).toBe(200)

    free()
    const freedAt = performance.now()
    await revive()
    const takenByThen = writes.taken.length
    await until(async () => writes.taken.length > takenByThen + WRITERS, SERVE_AGAIN_WITHIN_MS)
    figures.longestMs = Math.max(figures.longestMs, performance.now() - freedAt)
    await writes.stop()
    await until(async () => (await fetch(`${server.url}/ready`)).status === 200, SERVE_AGAIN_WITHIN_MS)
    expect(server.hasExited(), `${where}: ${server.stderr()}`).toBe(false)
    for (const { status, body } of writes.refusals)
      expect({ status, code: body.error?.code }, where).toEqual({ status: 503, code: 'unavailable' })
    all.push(...writes.taken)
    expect(await missingOf(company.api, all), where).toEqual([])
    figures.refused += writes.refusals.length
  }
  await server.end('SIGKILL')
  server = await start()
  expect(await missingOf(server.diwan.api(company.key), all)).toEqual([])
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  return { ...figures, taken: all.length }
}

/** Stores long texts and files that do not compress, until it is told to stop, whether they are taken or not. */
function keepStoring(api: Client, project: string) {
  const taken: string[] = []
  const refusals: Answer[] = []
  let isOver = false
  const store = async (path: string, fields: () => object) => {
    while (!isOver) {
      const answer = await answered(api.post(path, fields()))
      if (answer.status === 201) taken.push(`${path}/${answer.body.data.id}`)
      else refusals.push(answer)
      await sleep(answer.status === 201 ? 0 : 20)
    }
  }
  const text = () => ({ title: 'A long letter', body: randomBytes(36_000).toString('base64') })
  const file = () => ({
    name: 'plan.bin',
    content_base64: randomBytes(1_000 + random() * LARGEST_UPLOAD_BYTES).toString('base64'),
  })
  const storing = [store(`${project}/discussions`, text), store(`${project}/discussions`, text)]
  storing.push(store(`${project}/files`, file))
  return {
    taken,
    refusals,
    async stop() {
      isOver = true
      await Promise.all(storing)
    },
  }
}

async function missingOf(api: Client, paths: string[]): Promise<string[]> {
  const missing: string[] = []
  for (const path of paths) {
    const { status } = await api.get(path)
    if (status !== 200) missing.push(`${path}: ${status}`)
  }
  return missing
}
