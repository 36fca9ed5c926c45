import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './server-process.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** In front of a program, so that it runs as a user who owns nothing; whoever is not root has no rights to give up. */
export const asNobody = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []

/** In front of a program, so that permissions hold for it as for any owner, even if it runs as root. */
export const asOwner = isRoot ? ['setpriv', '--bounding-set=-all'] : []

/** A folder that this user can write, in one that everybody can enter. */
export function folderOfNobody(): string {
  const folder = join(newFolder(), 'own')
  mkdirSync(folder)
  chmodSync(join(folder, '..'), 0o755)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  return folder
}

/** Lets everybody read what is below, and takes the right to write from those who would have it. */
export function makeReadOnly(folder: string): void {
  spawnSync('chmod', ['-R', 'a+rX,a-w', folder])
}

/** A folder is removed by its owner only if it can be written. */
export function makeWritable(folder: string): void {
  spawnSync('chmod', ['-R', 'u+w', folder])
}
