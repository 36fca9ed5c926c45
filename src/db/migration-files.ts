import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

// Beside this file in both src and dist: the build copies them.
const FOLDER = new URL('./migrations/', import.meta.url)

export interface Migration {
  name: string
  checksum: string
  /** What is sent at once: the whole file, or each of its statements if it has to run outside a transaction. */
  steps: string[]
  isOutside: boolean
  /** The oldest release that can work with the database once this is applied. Null if the file only adds to the schema. */
  oldestRelease: string | null
}

/** In the order in which they are applied. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter(file => file.endsWith('.sql')).sort()
}

export async function readMigration(name: string, folder = FOLDER): Promise<Migration> {
  return { name, ...parse(await readFile(new URL(name, folder), 'utf8')) }
}

/** The first line of a file whose statements PostgreSQL does not run in a transaction, such as `create index concurrently`. */
const OUTSIDE = '-- outside a transaction\n'
/** In the heading of a file that takes away what an earlier release used. */
const CONTRACTS = /^(?:--.*\n)*?-- contracts: unused since (\d+\.\d+\.\d+)\b/

function parse(text: string): Omit<Migration, 'name'> {
  // Whatever the line endings are: Git can change them.
  const statements = text.replaceAll('\r\n', '\n')
  const isOutside = statements.startsWith(OUTSIDE)
  return {
    checksum: createHash('sha256').update(statements).digest('hex'),
    steps: isOutside ? statements.split(/;\n/).filter(step => step.trim() !== '') : [statements],
    isOutside,
    oldestRelease: CONTRACTS.exec(statements)?.[1] ?? null,
  }
}
