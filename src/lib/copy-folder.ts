import { type BigIntStats, constants, type Dirent } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The state of a file when it was copied. */
interface Copied {
  size: bigint
  mtimeNs: bigint
  /** False if it had changed so recently that another change could have the same time. */
  isSettled: boolean
}

/** What has been copied so far, by path within the folder. */
export type Copies = Map<string, Copied>

const AT_ONCE = 8
/** File times come from a clock that advances in steps of some milliseconds. */
const SETTLED_AFTER_NS = 1_000_000_000n

/**
 * Brings a copy of a folder up to date: files that have not changed since they were last copied stay, and files that are gone
 * are removed. Where the file system can share blocks between files, no bytes are copied at all.
 */
export async function copyFolder(from: string, to: string, copies: Copies): Promise<void> {
  const { files: names, folders } = await contentsOf(from)
  await mkdir(to, { recursive: true })
  for (const name of folders) await mkdir(join(to, name), { recursive: true })
  const next = names.values()
  const work = async () => {
    for (const name of next) await copyChanged(join(from, name), join(to, name), name, copies)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const name of copies.keys()) {
    if (names.has(name)) continue
    await rm(join(to, name), { force: true })
    copies.delete(name)
  }
}

async function copyChanged(from: string, to: string, name: string, copies: Copies): Promise<void> {
  const now = await statOf(from)
  if (!now) return
  const before = copies.get(name)
  if (before?.isSettled && before.size === now.size && before.mtimeNs === now.mtimeNs) return
  const isSettled = BigInt(Date.now()) * 1_000_000n - now.mtimeNs > SETTLED_AFTER_NS
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(unlessGone)
  copies.set(name, { size: now.size, mtimeNs: now.mtimeNs, isSettled })
}

export async function sizeOfFolder(folder: string): Promise<number> {
  let sizeBytes = 0
  for (const name of (await contentsOf(folder)).files)
    sizeBytes += Number((await statOf(join(folder, name)))?.size ?? 0)
  return sizeBytes
}

/** By path within the folder. Empty folders count: a program may need them. */
async function contentsOf(folder: string): Promise<{ files: Set<string>; folders: string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = (entry: Dirent) => relative(folder, join(entry.parentPath, entry.name))
  return {
    files: new Set(entries.filter(entry => entry.isFile()).map(pathOf)),
    folders: entries.filter(entry => entry.isDirectory()).map(pathOf),
  }
}

/** Undefined when the file has been removed in the meantime. */
function statOf(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(unlessGone)
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
