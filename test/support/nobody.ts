import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './server-process.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** Put before a command, so that it runs as a user who owns nothing. Without root there are no rights to give up. */
export const asNobody = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []

/** Put before a command, so that file permissions apply to it as to any owner, even if it runs as root. */
export const asOwner = isRoot ? ['setpriv', '--bounding-set=-all'] : []

/** A folder that this user can write to, inside one that everybody can enter. */
export function folderOfNobody(): string {
  const folder = join(newFolder(), 'own')
  mkdirSync(folder)
  chmodSync(join(folder, '..'), 0o755)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  return folder
}

/** Lets everybody read everything below the folder, and nobody write to it. */
export function makeReadOnly(folder: string): void {
  spawnSync('chmod', ['-R', 'a+rX,a-w', folder])
}

/** The owner can only remove a folder that is writable. */
export function makeWritable(folder: string): void {
  spawnSync('chmod', ['-R', 'u+w', folder])
}
