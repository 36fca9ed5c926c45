import { constants } from 'node:fs'
import { access, chmod, readdir, stat } from 'node:fs/promises'
import { makeFolder } from '../../lib/flush.ts'

/** The data folder or one within it, made if it is missing. Error messages begin with the name of its variable. */
export async function requireWritable(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(folder, error as Error)
  }
}

/** The reason without the system call and the path that Node.js appends to it. */
export function unwritable(path: string, { message }: Error): Error {
  return new Error(`DATA_DIR: ${path} cannot be written: ${message.split(', ')[0]}`)
}

/** What a data folder has in it, with drafts and locks. */
const OURS = /^(database|files|copies|yara-rules|server-secret|operator-token|lock|new-)/

/**
 * Closes a data folder that others on the machine may look into. One that is somebody else's, or that has other things in it, is
 * left as it is. Returns whether others may still look into it.
 */
export async function closeToOthers(folder: string): Promise<boolean> {
  if (!(await isOpenToOthers(folder))) return false
  const { uid } = await stat(folder)
  if (uid !== process.getuid?.() || !(await readdir(folder)).every(name => OURS.test(name))) return true
  await chmod(folder, 0o700)
  return false
}

export async function isOpenToOthers(folder: string): Promise<boolean> {
  return process.getuid !== undefined && ((await stat(folder)).mode & 0o077) !== 0
}
