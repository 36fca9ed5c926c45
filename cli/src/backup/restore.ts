import type { Config } from '../../../src/config.ts'
import { requireSameSecret } from '../../../src/domain/installation/secret-mark.ts'
import { findServerSecret } from '../../../src/domain/installation/secrets.ts'
import { openBlobs } from '../../../src/storage.ts'
import { Failure } from '../frame/command.ts'
import { note, print, printJson } from '../frame/output.ts'
import { withDatabase } from '../local/own-database.ts'
import { loadBackup } from './load.ts'
import { amounts, type Progress } from './progress.ts'
import { bringUpToDate, prepareTables, requireEmptyDatabase, requireOnlyOwnFiles } from './target.ts'
import { type Verified, verifyBackup } from './verify.ts'

interface RestoreOptions {
  'verify-only': boolean | undefined
  json: boolean | undefined
}

/** Reads all of a backup before anything is changed, and then loads it into an empty installation. */
export async function restore(config: Config, path: string, options: RestoreOptions): Promise<void> {
  const isTrial = options['verify-only'] ?? false
  const secret = await findServerSecret(config.dataDir, config)
  if (secret === undefined && !isTrial)
    throw new Failure('SERVER_SECRET must be set to that of the installation the backup was taken from')
  const verified = await verifyBackup(path, secret)
  if (secret !== undefined && !isTrial) await putBack(config, path, secret, verified)
  report(verified, isTrial ? 'Verified' : 'Restored', options.json ?? false)
  if (!isTrial)
    note('Start the server with the SERVER_SECRET that this ran with, and keep it: keys and tokens work with no other.')
}

function putBack(config: Config, path: string, secret: string, { manifest, contents }: Verified): Promise<void> {
  return withDatabase(config, async database => {
    const blobs = await openBlobs(config)
    await requireEmptyDatabase(database.db, config)
    await requireOnlyOwnFiles(blobs, contents, config)
    await prepareTables(database, manifest.migration)
    await requireSameSecret(database.db, secret)
    await loadBackup(database, blobs, path, config)
    await bringUpToDate(database)
  })
}

function report({ manifest, missing, ...verified }: Verified, what: string, json: boolean): void {
  const { version, taken_at, engine, migration, point } = manifest
  const { rows, files, sizeBytes }: Progress = verified
  if (json)
    printJson({
      version,
      taken_at,
      engine,
      migration,
      point,
      rows,
      files,
      size_bytes: sizeBytes,
      missing_files: [...missing],
    })
  else print(`${what} ${amounts({ rows, files, sizeBytes })}, as of ${taken_at}`)
  for (const name of missing) note(`Not in the backup, because it was damaged or missing when it was taken: ${name}`)
}
