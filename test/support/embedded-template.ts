import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../src/db/embedded.ts'
import { furnish } from './furnished-database.ts'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/diwan')
const HOUR_MS = 3_600_000
/** Everything that determines what a new database looks like. */
const SOURCES = ['src/db', 'src/db/migrations', 'src/db/cluster', 'src/adapters/job-queue.ts', 'package-lock.json']

/** A folder with a migrated, empty embedded database. It is cached, because creating it takes longer than most test files. */
export async function findEmbeddedTemplate(): Promise<string> {
  const kept = join(CACHE, `embedded-${fingerprint()}`)
  if (!existsSync(kept)) {
    const made = mkdtempSync(join(tmpdir(), 'diwan-template-'))
    await furnish(await openEmbedded(made, error => console.error(error)))
    keep(made, kept)
  }
  return kept
}

/**
 * Renames it into place once it is complete. An interrupted run leaves a draft, which a later change removes. What is younger than
 * an hour stays: a copy with a planted fault shares this cache with the project, and either may be running.
 */
function keep(made: string, kept: string): void {
  mkdirSync(CACHE, { recursive: true })
  const outdated = readdirSync(CACHE).filter(name => statSync(join(CACHE, name)).mtimeMs < Date.now() - HOUR_MS)
  const draft = mkdtempSync(join(CACHE, 'draft-'))
  cpSync(made, draft, { recursive: true })
  try {
    renameSync(draft, kept)
  } catch (error) {
    // Another run was faster.
    if (!existsSync(kept)) throw error
    rmSync(draft, { recursive: true })
  }
  for (const name of outdated) rmSync(join(CACHE, name), { recursive: true, force: true })
}

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap(filesOf)) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path]
  const files = readdirSync(path, { withFileTypes: true }).filter(entry => entry.isFile())
  return files.map(({ name }) => join(path, name)).sort()
}
