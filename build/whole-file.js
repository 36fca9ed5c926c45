import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Replaces a file atomically, because another process may be reading it or starting from it. */
export function writeWhole(file, bytes) {
  const draft = join('dist', `.draft.${process.pid}.${file.replaceAll('/', '-')}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(draft, bytes)
  renameSync(draft, file)
}
