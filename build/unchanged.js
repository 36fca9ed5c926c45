import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from './whole-file.js'

/** Builds a part of dist, unless it was already built from the same content of these files and folders. */
export async function unlessUnchanged(part, sources, make) {
  const note = join('dist', `.${part}-made-of`)
  const made = fingerprint(sources)
  if (made === earlier(note)) return
  // An interrupted build must not count as done.
  rmSync(note, { force: true })
  await make()
  writeWhole(note, made)
}

function fingerprint(sources) {
  const hash = createHash('sha256').update(process.version)
  for (const name of sources.flatMap(filesOf)) hash.update(`${name}\0`).update(readFileSync(name))
  return hash.digest('hex')
}

function earlier(note) {
  try {
    return readFileSync(note, 'utf8')
  } catch {
    return undefined
  }
}

/** The file itself; for a folder, all files in it except hidden ones and installed packages. */
export function filesOf(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true })
    .filter(name => !/(?:^|\/)(?:node_modules|\.[^/]*)(?:\/|$)/.test(name))
    .map(name => join(path, name))
    .filter(name => statSync(name).isFile())
    .sort()
}
