import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createCompanyReader } from '../../../src/company-reader.ts'
import type { Config } from '../../../src/config.ts'
import { isConcurrencyConflict, isUnavailable } from '../../../src/db/failures.ts'
import { ReplicaNotUsed } from '../../../src/db/replica-session.ts'
import { flush } from '../../../src/lib/flush.ts'
import { openBlobs } from '../../../src/storage.ts'
import { Failure, UsageError } from '../frame/command.ts'
import { harmless, note, print, printJson } from '../frame/output.ts'
import { createProgressLine } from '../frame/progress.ts'
import { type Snapshot, withSnapshot } from '../local/snapshot.ts'
import { writeContents } from './contents.ts'
import { type Counts, named, writeRecords } from './records.ts'

/** Writes a company as JSON lines and files, under another name until everything is there. */
export async function exportCompany(
  config: Config,
  company: string,
  folder: string,
  { json = false }: { json: boolean | undefined },
): Promise<void> {
  if (!/^[1-9]\d{0,15}$/.test(company))
    throw new UsageError(`COMPANY must be the id of a company, not ${JSON.stringify(company)}`)
  const path = resolve(folder)
  await requireFree(path)
  const draft = `${path}.part`
  await makeDraft(draft)
  const blobs = await openBlobs(config)
  const progress = createProgressLine()
  try {
    const write = async ({ db, missingMigrations }: Snapshot): Promise<Exported> => {
      if (missingMigrations.length > 0)
        throw new Failure('The schema of the database is not up to date: run diwan migrate first')
      const reader = createCompanyReader(db, Number(company))
      const { name, counts } = await writeRecords(reader, Number(company), draft, progress)
      return { name, counts, contents: await writeContents(db, blobs, Number(company), join(draft, 'files'), progress) }
    }
    const fromPrimary = () => withSnapshot(config, blobs, write)
    const fromReplica = (url: string) =>
      withSnapshot(config, blobs, write, url).catch(async error => {
        if (!isOfReplica(error)) throw error
        note(`The replica was not used: ${error.message}. Reading from the primary`)
        await rm(draft, { recursive: true, force: true })
        await makeDraft(draft)
        return fromPrimary()
      })
    const { databaseReplicaUrl } = config
    const exported = await (databaseReplicaUrl ? fromReplica(databaseReplicaUrl) : fromPrimary()).finally(progress.end)
    await rename(draft, path)
    await flush(dirname(path))
    report(exported, path, json)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Replay may have to remove what a long transaction on the replica still sees: then PostgreSQL ends that transaction. */
function isOfReplica(error: unknown): boolean {
  return error instanceof ReplicaNotUsed || isUnavailable(error) || isConcurrencyConflict(error)
}

async function requireFree(path: string): Promise<void> {
  const names = await readdir(path).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length > 0) throw new Failure(`FOLDER must not exist, or be empty: ${path} is not`)
}

/** Its contents are for its owner alone. An existing one is left alone: it may be somebody's. */
async function makeDraft(draft: string): Promise<void> {
  await mkdir(dirname(draft), { recursive: true })
  await mkdir(draft, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
    throw new Failure(
      `${draft} exists: another export is writing it, or one was interrupted. Remove it, or choose another FOLDER`,
    )
  })
  await mkdir(join(draft, 'files'))
}

interface Exported {
  name: string
  counts: Counts
  contents: { count: number; missing: string[] }
}

function report({ name, counts, contents }: Exported, path: string, json: boolean): void {
  const { count, missing } = contents
  if (json) printJson({ folder: path, ...counts, contents: count, missing_contents: missing })
  else {
    const amounts = Object.entries(counts).map(([kind, records]) => `${records.toLocaleString('en')} ${named(kind)}`)
    print(
      `Exported ${harmless(name)} to ${path}: ${amounts.join(', ')}, ${count.toLocaleString('en')} contents of files`,
    )
  }
  for (const ref of missing) note(`The bytes of ${ref} are missing, or are not those that were uploaded`)
  if (missing.length > 0) process.exitCode = 1
}
