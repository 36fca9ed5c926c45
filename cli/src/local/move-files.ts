import type { Config } from '../../../src/config.ts'
import { type Blobs, DamagedBlob, type StoredBlob } from '../../../src/domain/ports/blob-store.ts'
import { openMove } from '../../../src/storage.ts'
import { inParallel } from '../frame/in-parallel.ts'
import { createProgressLine } from '../frame/progress.ts'

interface Moved {
  /** Contents that the other storage had not yet. */
  copied: number
  bytes: number
  /** Contents that are only in the other storage now. */
  removed: number
  /** Contents that were not what was uploaded. They stay where they are. */
  damaged: string[]
}

/** What is read is compared with its digest; what has been written is removed only after that. */
export async function moveFiles(config: Config, options: { keep?: boolean; json?: boolean }): Promise<void> {
  const { from, to } = await openMove(config)
  await to.check()
  const total = await countOf(from)
  const moved: Moved = { copied: 0, bytes: 0, removed: 0, damaged: [] }
  const progress = createProgressLine()
  let done = 0
  const moveOne = async (blob: StoredBlob) => {
    await move(from, to, blob, moved, options.keep ?? false)
    done++
    progress.show(() => `${bar(done / total)} ${done} of ${total}`)
  }
  await inParallel(from.list(), moveOne)
  progress.end()
  report(moved, options.json ?? false)
}

async function move(from: Blobs, to: Blobs, blob: StoredBlob, moved: Moved, isKept: boolean): Promise<void> {
  const { companyId, digest } = blob
  try {
    if (!(await to.has(companyId, digest))) {
      const bytes = await from.read(companyId, digest)
      await to.put(companyId, digest, bytes)
      moved.copied++
      moved.bytes += bytes.length
    }
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error
    // Missing means that its file has been deleted in the meantime.
    if (error.damage === 'changed') moved.damaged.push(`${companyId}/${digest}`)
    return
  }
  if (!isKept && (await from.remove(companyId, digest))) moved.removed++
}

async function countOf(blobs: Blobs): Promise<number> {
  let count = 0
  for await (const _ of blobs.list()) count++
  return count
}

function bar(part: number): string {
  const filled = Math.round(part * 30)
  return `[${'#'.repeat(filled)}${' '.repeat(30 - filled)}]`
}

function report({ copied, bytes, removed, damaged }: Moved, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify({ copied, bytes, removed, damaged })}\n`)
  else {
    for (const content of damaged)
      process.stdout.write(`${content}: its bytes are not what was uploaded; it was left\n`)
    process.stdout.write(`${copied} contents copied (${bytes} bytes), ${removed} removed where they were\n`)
  }
  if (damaged.length > 0) process.exitCode = 1
}
