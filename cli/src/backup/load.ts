import { STORED_JOBS } from '../../../src/adapters/job-queue.ts'
import type { Config } from '../../../src/config.ts'
import { withoutIndexes } from '../../../src/db/bulk-load.ts'
import { type Db, transactionOn } from '../../../src/db/db.ts'
import type { Database } from '../../../src/db/postgres.ts'
import { continueSequences, insertRows, listTables, type Table } from '../../../src/db/rows.ts'
import { adoptForeignChanges, FOREIGN_CHANGES, makeRoomForForeignChanges } from '../../../src/domain/feed/restored.ts'
import type { Blobs } from '../../../src/domain/ports/blob-store.ts'
import { type Manifest, SEQUENCES } from './manifest.ts'
import { createProgress, type Progress } from './progress.ts'
import { type Entry, parseJson, readBackup, rowsIn, Unusable } from './read.ts'
import { OF_THE_FIRST_START, requireEmptyDatabase } from './target.ts'
import { tableOf } from './verify.ts'

/** How much text is sent with one statement, unless it is a single row: the embedded database is slow with larger ones. */
const STATEMENT_CHARACTERS = 128 * 1024

/**
 * Loads everything into empty tables, in one transaction: all of it, or nothing. The bytes of files are safe before it commits.
 * The backup is checked once more while it is read.
 */
export function loadBackup(
  { withoutDeadline }: Database,
  blobs: Blobs,
  path: string,
  config: Config,
): Promise<Progress> {
  return withoutDeadline(client => transactionOn(client, tx => load(tx, blobs, path, config)))
}

async function load(tx: Db, blobs: Blobs, path: string, config: Config): Promise<Progress> {
  await tx.raw('set local statement_timeout = 0', [])
  await tx.raw(`set local maintenance_work_mem = '256MB'`, [])
  const own = await listTables(tx)
  const tables = new Map([...own, STORED_JOBS].map(table => [table.name, table]))
  const done = { rows: 0, files: 0, sizeBytes: 0 }
  const progress = createProgress('Restoring')

  async function put(entry: Entry): Promise<void> {
    const { name } = entry
    if (name.startsWith('tables/')) {
      const rows = await rowsIn(entry)
      await addRows(tx, tables.get(tableOf(entry)) as Table, rows)
      done.rows += rows.length
    } else if (name.startsWith('files/')) {
      await putFile(blobs, entry)
      done.files++
    } else if (name === SEQUENCES) await continueSequences(tx, parseJson((await entry.bytes()).toString(), name))
    done.sizeBytes += entry.sizeBytes
    progress.show(done)
  }

  await makeRoomForForeignChanges(tx)
  await withoutIndexes(
    tx,
    own.map(({ at }) => at),
    async () => {
      // Checked again, now that nobody else can write.
      await requireEmptyDatabase(tx, config)
      for (const { name, at } of own) if (OF_THE_FIRST_START.includes(name)) await tx.raw(`delete from ${at}`, [])
      await readBackup(path, {
        onManifest: async manifest => requireSameTables(manifest, tables),
        onEntry: put,
        onEnd: async () => progress.end(),
      })
      await adoptForeignChanges(tx)
    },
  )
  return done
}

function requireSameTables(manifest: Manifest, tables: Map<string, Table>): void {
  for (const { name, columns } of manifest.tables) {
    if (tables.get(name)?.columns.join() !== columns.join())
      throw new Unusable(`its table ${name} is not what ${manifest.migration} makes of it in this version`)
  }
}

/** Feed entries are held back until all of them are there. */
async function addRows(tx: Db, table: Table, rows: string[]): Promise<void> {
  const into = table.name === 'changes' ? FOREIGN_CHANGES : table.at
  let some: string[] = []
  let characters = 0
  const flushRows = async () => {
    if (some.length > 0) await insertRows(tx, table, some, into)
    some = []
    characters = 0
  }
  for (const row of rows) {
    if (characters + row.length > STATEMENT_CHARACTERS) await flushRows()
    some.push(row)
    characters += row.length
  }
  await flushRows()
}

async function putFile(blobs: Blobs, entry: Entry): Promise<void> {
  const [, company, digest = ''] = entry.name.split('/')
  if (!(await blobs.has(Number(company), digest))) await blobs.put(Number(company), digest, await entry.bytes())
}
