import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDiskBlobs } from '../../src/adapters/blobs-disk.ts'

const bytes = Buffer.from('0123456789')
const digest = createHash('sha256').update(bytes).digest('hex')
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'diwan-blobs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('Drafts of a killed process are removed when they are older than an hour, and no sooner', async () => {
  const blobs = await openDiskBlobs(folder)
  const drafts = join(folder, 'drafts')
  for (const [name, hours] of [
    ['old', 1.1],
    ['young', 0.9],
  ] as const) {
    writeFileSync(join(drafts, name), 'half')
    utimesSync(join(drafts, name), hoursAgo(hours), hoursAgo(hours))
  }
  await blobs.removeAbandoned()
  expect(readdirSync(drafts)).toEqual(['young'])
})

it('A write that fails leaves nothing and keeps the code of its failure', async () => {
  const blobs = await openDiskBlobs(folder)
  // A folder where the file should be: the rename fails.
  mkdirSync(join(folder, '1', digest.slice(0, 2), digest, 'x'), { recursive: true })
  await expect(blobs.put(1, digest, bytes)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) })
  expect(readdirSync(join(folder, 'drafts'))).toEqual([])
})

it('Bytes that changed are neither read nor streamed; written again they are', async () => {
  const blobs = await openDiskBlobs(folder)
  await blobs.put(1, digest, bytes)
  const path = join(folder, '1', digest.slice(0, 2), digest)
  writeFileSync(path, '0123456780')
  await expect(blobs.read(1, digest)).rejects.toMatchObject({
    damage: 'changed',
    message: `The bytes ${digest} of company 1 are changed`,
  })
  await expect(blobs.stream(1, digest, { start: 0, end: 0 })).rejects.toMatchObject({ damage: 'changed' })
  await blobs.put(1, digest, bytes)
  expect(await text(await blobs.stream(1, digest, { start: 2, end: 4 }))).toBe('234')
  await blobs.remove(1, digest)
  expect(existsSync(path)).toBe(false)
  await expect(blobs.read(1, digest)).rejects.toMatchObject({ damage: 'missing' })
})

it('Bytes are listed while a company is being removed', async () => {
  const blobs = await openDiskBlobs(folder)
  for (const company of [1, 2, 3]) await blobs.put(company, digest, bytes)
  const listed: number[] = []
  for await (const { companyId } of blobs.list()) {
    listed.push(companyId)
    if (listed.length === 1) await blobs.removeAll(companyId === 2 ? 1 : 2)
  }
  expect(listed).toHaveLength(2)
})

it('Nothing is removed while everything is kept, by this process or another, and what nobody needs goes after that', async () => {
  const [blobs, ofAnother] = [await openDiskBlobs(folder), await openDiskBlobs(folder)]
  await blobs.put(1, digest, bytes)
  const release = await ofAnother.keepEverything()
  expect(await blobs.remove(1, digest)).toBe(false)
  await blobs.removeAll(1)
  expect(await blobs.has(1, digest)).toBe(true)
  await release()
  expect([await blobs.remove(1, digest), await blobs.has(1, digest)]).toEqual([true, false])
})

it('A process that was killed keeps nothing for longer than a few minutes', async () => {
  const blobs = await openDiskBlobs(folder)
  await blobs.put(1, digest, bytes)
  await blobs.keepEverything()
  const [mark = ''] = readdirSync(join(folder, 'kept'))
  utimesSync(join(folder, 'kept', mark), hoursAgo(0.1), hoursAgo(0.1))
  expect([await blobs.remove(1, digest), await blobs.has(1, digest)]).toEqual([true, false])
  expect(readdirSync(join(folder, 'kept'))).toEqual([])
})
