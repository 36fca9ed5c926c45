import type { Config } from '../../../src/config.ts'
import { refuseAnotherSecret } from '../../../src/domain/installation/secret-mark.ts'
import { findServerSecret } from '../../../src/domain/installation/secrets.ts'
import { openBlobs } from '../../../src/storage.ts'
import { Failure } from '../frame/command.ts'
import { note, print, printJson } from '../frame/output.ts'
import { withSnapshot } from '../local/snapshot.ts'
import { openDestination, STANDARD_OUTPUT } from './destination.ts'
import { amounts } from './progress.ts'
import { type Taken, writeBackup } from './write.ts'

/** Backs up the database and the files as of one moment, while everything keeps running. */
export async function backup(
  config: Config,
  path: string,
  { json = false }: { json: boolean | undefined },
): Promise<void> {
  const secret = await findServerSecret(config.dataDir, config)
  if (secret === undefined)
    throw new Failure(`DATA_DIR: there is no server secret in ${config.dataDir}, and SERVER_SECRET is not set`)
  const blobs = await openBlobs(config)
  const destination = await openDestination(path)
  try {
    const taken = await withSnapshot(config, blobs, async snapshot => {
      await refuseAnotherSecret(snapshot.db, secret)
      return writeBackup(snapshot, blobs, secret, destination.write)
    })
    await destination.finish()
    report(path, taken, json)
  } catch (error) {
    await destination.abandon()
    throw error
  }
}

function report(path: string, { contents, missing, heldMs, ...taken }: Taken, json: boolean): void {
  const { taken_at, point, engine, migration } = contents
  const summary = {
    ...(path === STANDARD_OUTPUT ? {} : { file: path }),
    ...{ taken_at, point, engine, migration, rows: taken.rows, files: taken.files, size_bytes: taken.sizeBytes },
    ...(engine === 'embedded' && { held_ms: heldMs }),
    missing_files: missing,
  }
  const printSummary = path === STANDARD_OUTPUT ? note : print
  if (json && path === STANDARD_OUTPUT) note(JSON.stringify(summary))
  else if (json) printJson(summary)
  else printSummary(`Backed up ${amounts(taken)}, as of ${taken_at}${path === STANDARD_OUTPUT ? '' : `, to ${path}`}`)
  note('The backup does not contain SERVER_SECRET. Keep it elsewhere: nothing can be restored without it.')
  if (missing.length === 0) return
  for (const name of missing)
    note(`Not in the backup, because its bytes are missing or changed on the disk: files/${name}`)
  note('diwan verify-files tells which files these belong to.')
  process.exitCode = 1
}
