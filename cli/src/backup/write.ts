import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import { STORED_JOBS } from '../../../src/adapters/job-queue.ts'
import { CONTRACT_VERSION } from '../../../src/contract-version.ts'
import type { Db } from '../../../src/db/db.ts'
import { countRows, listTables, readAll, readRows, readSequences, type Table } from '../../../src/db/rows.ts'
import { writeCursor } from '../../../src/domain/feed/cursor.ts'
import { endOfEveryFeed, feedEpoch } from '../../../src/domain/feed/feed.ts'
import { markOf } from '../../../src/domain/installation/secret-mark.ts'
import { type Blobs, DamagedBlob } from '../../../src/domain/ports/blob-store.ts'
import type { Snapshot } from '../local/snapshot.ts'
import { type Archive, createArchive, type Write } from './archive.ts'
import * as manifest from './manifest.ts'
import { createProgress, type Progress } from './progress.ts'

const gzip = promisify(gzipWithCallback)

/** A part of a table has at most this much text, or a single row: a reader holds it in memory. */
const PART_CHARACTERS = 4 * 1024 * 1024

/** Stored content that rows of the snapshot need. */
interface NeededFile {
  company_id: number
  digest: string
  size_bytes: number
}

const NEEDED = `from files where digest is not null and scan_state <> 'infected' group by company_id, digest`

export interface Taken extends Progress {
  contents: manifest.Manifest
  missing: string[]
  heldMs: number
}

export async function writeBackup(snapshot: Snapshot, blobs: Blobs, secret: string, write: Write): Promise<Taken> {
  const { db } = snapshot
  const tables = [...(await listTables(db)), STORED_JOBS]
  const contents = await describe(snapshot, tables, secret)
  const taken = { rows: 0, files: 0, sizeBytes: 0 }
  const progress = createProgress('Backing up')
  const counted = async (bytes: Buffer) => {
    taken.sizeBytes += bytes.length
    await write(bytes)
    progress.show(taken)
  }
  const archive = createArchive(counted, new Date(contents.taken_at))
  await addJson(archive, manifest.MANIFEST, contents)
  await addJson(archive, manifest.SEQUENCES, await readSequences(db))
  for (const table of tables) await addTable(archive, db, table, taken)
  const missing: string[] = []
  for await (const files of neededFiles(db)) {
    for (const file of files) {
      if (await addFile(archive, blobs, file)) taken.files++
      else missing.push(`${file.company_id}/${file.digest}`)
    }
  }
  await addJson(archive, manifest.MISSING, missing)
  await archive.finish()
  progress.end()
  return { ...taken, contents, missing, heldMs: snapshot.heldMs }
}

async function describe(
  { db, engine, migration }: Snapshot,
  tables: Table[],
  secret: string,
): Promise<manifest.Manifest> {
  const takenAt = new Date()
  const end = await endOfEveryFeed(db)
  const [snapshot] = await db.raw<{ text: string }>('select pg_current_snapshot()::text as text', [])
  const [files] = await db.raw<manifest.Manifest['files']>(
    `select count(*) as count, coalesce(sum(size_bytes), 0)::bigint as size_bytes from (
       select max(size_bytes) as size_bytes ${NEEDED}) needed`,
    [],
  )
  const counted = []
  for (const table of tables)
    counted.push({ name: table.name, columns: table.columns, rows: await countRows(db, table) })
  return {
    format: manifest.FORMAT,
    format_version: manifest.FORMAT_VERSION,
    version: CONTRACT_VERSION,
    migration,
    engine,
    taken_at: takenAt.toISOString(),
    point: {
      cursor: writeCursor({ epoch: await feedEpoch(db), atMs: takenAt.getTime(), ...end }),
      snapshot: snapshot?.text ?? '',
    },
    server_secret: markOf(secret),
    tables: counted,
    files: files ?? { count: 0, size_bytes: 0 },
  }
}

async function addJson(archive: Archive, name: string, value: unknown): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  await archive.add(name, bytes.length, [bytes])
}

async function addTable(archive: Archive, db: Db, table: Table, taken: Progress): Promise<void> {
  let lines: string[] = []
  let characters = 0
  let part = 0
  const flushPart = async () => {
    if (lines.length === 0) return
    const bytes = await gzip(`${lines.join('\n')}\n`)
    await archive.add(manifest.partName(table.name, ++part), bytes.length, [bytes])
    taken.rows += lines.length
    lines = []
    characters = 0
  }
  for await (const rows of readRows(db, table)) {
    for (const row of rows) {
      if (characters + row.length > PART_CHARACTERS) await flushPart()
      lines.push(row)
      characters += row.length
    }
  }
  await flushPart()
}

function neededFiles(db: Db): AsyncGenerator<NeededFile[]> {
  return readAll<NeededFile>(
    db,
    `select company_id, digest, max(size_bytes) as size_bytes ${NEEDED} order by company_id, digest`,
  )
}

/** False when its bytes had already been lost or damaged. */
async function addFile(
  archive: Archive,
  blobs: Blobs,
  { company_id, digest, size_bytes }: NeededFile,
): Promise<boolean> {
  try {
    const bytes = await blobs.stream(company_id, digest, { start: 0, end: Number.MAX_SAFE_INTEGER })
    await archive.add(manifest.fileName(company_id, digest), size_bytes, bytes)
    return true
  } catch (error) {
    if (error instanceof DamagedBlob) return false
    throw error
  }
}
