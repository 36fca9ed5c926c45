import type { Config } from '../../../src/config.ts'
import type { Db } from '../../../src/db/db.ts'
import { inspect } from '../../../src/db/inspect.ts'
import type { Database } from '../../../src/db/postgres.ts'
import { feedEpoch } from '../../../src/domain/feed/feed.ts'
import { isFingerprintOf } from '../../../src/domain/installation/secret-mark.ts'
import { findServerSecret } from '../../../src/domain/installation/secrets.ts'
import type { Blobs } from '../../../src/domain/ports/blob-store.ts'
import { openBlobs } from '../../../src/storage.ts'
import { Failure } from '../frame/command.ts'
import { withDatabase } from '../local/own-database.ts'
import { requireTwoCells, type TargetSettings } from './settings.ts'

export interface Cell {
  database: Database
  db: Db
  blobs: Blobs
}

export interface Cells {
  source: Cell
  target: Cell
  /** The number of the target. */
  cell: number
}

/** Opens both cells, and refuses two between which nothing can be moved. Nothing is changed by that. */
export async function withCells<T>(
  config: Config,
  settings: TargetSettings,
  path: string,
  work: (cells: Cells) => Promise<T>,
): Promise<T> {
  requireTwoCells(config, settings, path)
  const secret = await findServerSecret(config.dataDir, config)
  if (secret === undefined) throw new Failure('SERVER_SECRET must be set to that of the cells')
  return withDatabase(config, source =>
    withDatabase(settings.config, async target => {
      await requireReady(source, 'DATABASE_URL', secret)
      await requireReady(target, `DATABASE_URL in ${path}`, secret)
      if ((await feedEpoch(source.db)) === (await feedEpoch(target.db)))
        throw new Failure(`DATABASE_URL in ${path} must be that of another cell: both are the same database`)
      await requireQuietTriggers(target.db, path)
      return work({
        source: { database: source, db: source.db, blobs: await openBlobs(config) },
        target: { database: target, db: target.db, blobs: await openBlobs(settings.config) },
        cell: settings.cell,
      })
    }),
  )
}

async function requireReady({ withoutDeadline }: Database, name: string, secret: string): Promise<void> {
  const { migrations, secretMark } = await withoutDeadline(inspect)
  if (!migrations || !secretMark) throw new Failure(`${name}: no server has been started on this database yet`)
  if (Object.values(migrations).some(names => names.length > 0))
    throw new Failure(`${name}: its schema is not that of this version of Diwan. Bring both cells to the same version`)
  if (!isFingerprintOf(secret, secretMark))
    throw new Failure(`${name}: this database is used with another SERVER_SECRET. All cells must have the same`)
}

/** Rows are inserted as they are: triggers would count and tell everything a second time. */
async function requireQuietTriggers(db: Db, path: string): Promise<void> {
  const [may] = await db.raw<{ set: boolean; name: string }>(
    `select has_parameter_privilege('session_replication_role', 'set') as set, current_user::text as name`,
    [],
  )
  if (may?.set) return
  throw new Failure(
    `DATABASE_URL in ${path}: its role must be allowed to insert rows as they are. As a superuser, run: grant set on parameter session_replication_role to ${may?.name}`,
  )
}
