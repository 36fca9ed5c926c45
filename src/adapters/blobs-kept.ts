import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../lib/flush.ts'

// While there is a fresh mark in this folder, no process removes bytes. A process that needs them renews its mark; the mark of
// a process that was killed expires.

const FOLDER = 'kept'
export const RENEWED_EVERY_MS = 20_000
/** Several times the interval: the clocks of the machines that share the folder may differ. */
export const FRESH_FOR_MS = 300_000

export async function keepEverything(blobs: string): Promise<() => Promise<void>> {
  const folder = join(blobs, FOLDER)
  await makeFolder(folder)
  const mark = join(folder, randomUUID())
  await writeFile(mark, '')
  const renewing = setInterval(() => utimes(mark, new Date(), new Date()).catch(() => {}), RENEWED_EVERY_MS)
  renewing.unref()
  return async () => {
    clearInterval(renewing)
    await rm(mark, { force: true })
  }
}

/** Removes marks that are no longer fresh. */
export async function isEverythingKept(blobs: string): Promise<boolean> {
  const folder = join(blobs, FOLDER)
  let isKept = false
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = join(folder, name)
    const renewedAt = await stat(mark).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (Date.now() - renewedAt < FRESH_FOR_MS) isKept = true
    else await rm(mark, { force: true })
  }
  return isKept
}
