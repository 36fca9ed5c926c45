import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Enough for a journal to combine many flushes. */
const FLUSHES_AT_ONCE = 16

/** When it resolves, a file's bytes or a folder's names survive a power cut. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Flushes every file of a folder, then every folder from the bottom up: a name is worthless before its contents are safe. */
export async function flushTree(folder: string): Promise<void> {
  const { files, folders } = await contentsOf(folder)
  const next = files.values()
  const work = async () => {
    for (const file of next) await flush(file)
  }
  await Promise.all(Array.from({ length: FLUSHES_AT_ONCE }, work))
  for (const each of folders) await flush(each)
}

async function contentsOf(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = []
  const folders: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile()) files.push(path)
    if (!entry.isDirectory()) continue
    const below = await contentsOf(path)
    files.push(...below.files)
    folders.push(...below.folders)
  }
  return { files, folders: [...folders, folder] }
}

/** Creates a folder and any missing ones above it, and flushes the names of those it created. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = resolve(path); made !== dirname(first); made = dirname(made)) await flush(dirname(made))
}
