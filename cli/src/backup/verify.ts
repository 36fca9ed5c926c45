import { migrationNames } from '../../../src/db/migration-files.ts'
import { isFingerprintOf } from '../../../src/domain/installation/secret-mark.ts'
import { isRecord } from '../frame/output.ts'
import { fileName, type Manifest, MISSING, partName, SEQUENCES } from './manifest.ts'
import { createProgress, type Progress } from './progress.ts'
import { type Entry, parseJson, readBackup, rowsIn, Unusable } from './read.ts'

/** A backup that was read completely and is as it was written. */
export interface Verified extends Progress {
  manifest: Manifest
  /** The names of the files in it. */
  contents: Set<string>
  /** Files that had lost their bytes before the backup was taken. */
  missing: Set<string>
}

/** `secret` is left out by callers who do not intend to restore. */
export async function verifyBackup(path: string, secret: string | undefined): Promise<Verified> {
  const progress = createProgress('Verifying')
  const found = { rows: 0, files: 0, sizeBytes: 0, contents: new Set<string>(), missing: new Set<string>() }
  const needed = new Set<string>()
  const tables = createTableReader()
  let manifest: Manifest | undefined

  async function look(entry: Entry): Promise<void> {
    const { name } = entry
    if (name.startsWith('tables/')) {
      const { table, rows } = await tables.read(entry)
      found.rows += rows.length
      if (table === 'files') for (const row of rows) if (needsBytes(row)) needed.add(nameOf(row))
    } else if (name.startsWith('files/')) {
      if ((await entry.digest()) !== name.slice(-64)) throw new Unusable(`${name} was changed`)
      found.contents.add(name)
      found.files++
    } else if (name === MISSING) {
      for (const file of parseJson<string[]>(await textOf(entry), name)) found.missing.add(`files/${file}`)
    } else if (name === SEQUENCES) parseJson(await textOf(entry), name)
    else throw new Unusable(`${name} is not known`)
    found.sizeBytes += entry.sizeBytes
    progress.show(found)
  }

  await readBackup(path, {
    async onManifest(read) {
      manifest = read
      await requireKnownMigration(read)
      requireSecret(read, secret)
      tables.expect(read)
    },
    onEntry: look,
    async onEnd() {
      progress.end()
      tables.requireAll()
      for (const name of needed)
        if (!found.contents.has(name) && !found.missing.has(name)) throw new Unusable(`${name} is missing`)
    },
  })
  return { ...found, manifest: manifest as Manifest }
}

const textOf = async (entry: Entry) => (await entry.bytes()).toString()

/** An older migration is fine: the database is created as it was then, and updated afterwards. */
async function requireKnownMigration({ migration, version }: Manifest): Promise<void> {
  if ((await migrationNames()).includes(migration)) return
  throw new Unusable(
    `it was taken by Diwan ${version}, which is newer than this one: restore it with that version or a later one`,
  )
}

function requireSecret({ server_secret }: Manifest, secret: string | undefined): void {
  if (secret === undefined || isFingerprintOf(secret, server_secret)) return
  throw new Unusable(
    'SERVER_SECRET must be that of the installation it was taken from, or no key and no password would work',
  )
}

type Row = Record<string, unknown>

const needsBytes = ({ digest, scan_state }: Row) => digest !== null && scan_state !== 'infected'
const nameOf = ({ company_id, digest }: Row) => fileName(Number(company_id), String(digest))

/** Reads the rows of each table, as many as the manifest says, in consecutive parts. */
function createTableReader() {
  const expected = new Map<string, { columns: string; rows: number; rowsRead: number; parts: number }>()
  return {
    expect({ tables }: Manifest): void {
      for (const { name, columns, rows } of tables)
        expected.set(name, { columns: columns.join(), rows, rowsRead: 0, parts: 0 })
    },

    async read(entry: Entry): Promise<{ table: string; rows: Row[] }> {
      const table = tableOf(entry)
      const known = expected.get(table)
      if (!known || entry.name !== partName(table, ++known.parts)) throw new Unusable(`${entry.name} is out of place`)
      const rows = (await rowsIn(entry)).map(line => parseJson<Row>(line, entry.name))
      const isComplete = (row: Row) => isRecord(row) && Object.keys(row).join() === known.columns
      if (!rows.every(isComplete)) throw new Unusable(`${entry.name} has a row that is not complete`)
      known.rowsRead += rows.length
      return { table, rows }
    },

    requireAll(): void {
      for (const [table, { rows, rowsRead }] of expected)
        if (rows !== rowsRead) throw new Unusable(`of ${rows} rows of ${table} there are ${rowsRead}`)
    },
  }
}

export function tableOf({ name }: Entry): string {
  return name.split('/')[1] ?? ''
}
