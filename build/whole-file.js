import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whole at once: another process may be reading, or starting from there. */
export function writeWhole(file, bytes) {
  const draft = join('dist', `.draft.${process.pid}.${file.replaceAll('/', '-')}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(draft, bytes)
  renameSync(draft, file)
}
