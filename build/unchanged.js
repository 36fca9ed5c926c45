import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from './whole-file.js'

/** Makes a part of dist, unless it was made of the same before: of these files, and those in these folders. */
export async function unlessUnchanged(part, sources, make) {
  const note = join('dist', `.${part}-made-of`)
  const made = fingerprint(sources)
  if (made === earlier(note)) return
  // A build that is interrupted has made nothing.
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

/** Of a folder all files in it but hidden ones and installed packages. */
export function filesOf(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true })
    .filter(name => !/(?:^|\/)(?:node_modules|\.[^/]*)(?:\/|$)/.test(name))
    .map(name => join(path, name))
    .filter(name => statSync(name).isFile())
    .sort()
}
