import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { makeFolder } from '../lib/flush.ts'

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
