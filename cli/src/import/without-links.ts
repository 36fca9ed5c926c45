import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'

// For files in folders that others can write to: a link there could lead anywhere.

/** Opens a file for reading. A link is refused with ELOOP. */
export function openPlain(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
}

/** Opens a new, empty file. What had its name before is removed and, if it was a link, not followed. */
export async function openNew(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx')
}
