import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../../src/config.ts'
import { openEmbedded } from '../../../src/db/embedded.ts'
import { askPostgres, type Inspection, inspect, type Query } from '../../../src/db/inspect.ts'
import { WHAT_TO_DO_ABOUT_EDITED } from '../../../src/db/migrate.ts'
import { type Finding, reasonOf } from '../../../src/domain/installation/health.ts'
import { isFingerprintOf, WHAT_TO_DO_ABOUT_ANOTHER_SECRET } from '../../../src/domain/installation/secret-mark.ts'
import { findServerSecret } from '../../../src/domain/installation/secrets.ts'
import { lookAtCalendars } from './calendars.ts'
import { doubtful, fault, off, ok } from './finding.ts'

export async function lookAtDatabase(config: Config): Promise<Finding[]> {
  return config.databaseUrl
    ? lookAtPostgres(config.databaseDirectUrl ?? config.databaseUrl, config)
    : lookAtEmbedded(config)
}

async function lookAtPostgres(url: string, config: Config): Promise<Finding[]> {
  let looked: Looked
  try {
    looked = await askPostgres(url, lookInside)
  } catch (error) {
    return [fault('database', `It cannot be reached: ${reasonOf(error)}.`)]
  }
  const { found, calendars } = looked
  return [
    ...serverFindings(found, config.databasePoolSize),
    ...schemaFindings(found),
    ...(await secretFindings(found, config)),
    ...calendars,
    clockFinding(found),
  ]
}

interface Looked {
  found: Inspection
  calendars: Finding[]
}

/** Tables of another version may lack what is queried. */
async function lookInside(client: Query): Promise<Looked> {
  const found = await inspect(client)
  const isCurrent = found.migrations !== null && Object.values(found.migrations).every(names => names.length === 0)
  return { found, calendars: isCurrent ? await lookAtCalendars(client) : [] }
}

const CREATE = "create database diwan template template0 encoding 'UTF8' lc_ctype 'C.UTF-8' lc_collate 'C.UTF-8'"
/** Connections besides the pool: for jobs, for the probe and for migrations. */
const MORE_CONNECTIONS = 4

function serverFindings(found: Inspection, poolSize: number): Finding[] {
  const { version, encoding, knowsArabic, takesWrites, mayCreate, maxConnections } = found
  const wrong: (Finding | false)[] = [
    version < 150_000 &&
      fault('database', `It is PostgreSQL ${Math.floor(version / 10_000)}.`, 'Upgrade it to 15 or newer.'),
    encoding !== 'UTF8' && fault('database', `Its encoding is ${encoding}.`, `Create it in UTF8: ${CREATE}`),
    !knowsArabic && fault('database', 'Its LC_CTYPE knows no Arabic letters.', `Create it anew: ${CREATE}`),
    !takesWrites && fault('database', 'It takes no writes.', 'Point DATABASE_URL at the primary server.'),
    !mayCreate &&
      fault('database', 'The role may not create tables and schemas.', 'Make the role the owner of the database.'),
    poolSize + MORE_CONNECTIONS > maxConnections &&
      doubtful(
        'database',
        `A node needs ${poolSize + MORE_CONNECTIONS} connections, and the server allows ${maxConnections} in all.`,
        'Lower DATABASE_POOL_SIZE, or raise max_connections.',
      ),
  ]
  const findings = wrong.filter(finding => finding !== false)
  return findings.length > 0 ? findings : [ok('database', `PostgreSQL ${Math.floor(version / 10_000)} answers.`)]
}

function schemaFindings({ migrations }: Inspection): Finding[] {
  const advice = 'Run diwan migrate, or start the server: it does the same.'
  if (migrations === null) return [doubtful('migrations', 'The database has no tables yet.', advice)]
  const { missing, unknown, edited, beyond } = migrations
  const ofNewer = `The database is newer than this program: ${unknown.join(', ')}.`
  if (beyond.length > 0)
    return [fault('migrations', `${ofNewer} This program cannot work with it.`, 'Install the newer version.')]
  if (edited.length > 0)
    return [
      fault('migrations', `Edited after the database had applied it: ${edited.join(', ')}.`, WHAT_TO_DO_ABOUT_EDITED),
    ]
  if (unknown.length > 0)
    return [
      doubtful(
        'migrations',
        `${ofNewer} This program can work with it.`,
        'Install the newer version, unless it is being rolled out or back.',
      ),
    ]
  if (missing.length > 0) return [doubtful('migrations', `Not applied yet: ${missing.join(', ')}.`, advice)]
  return [ok('migrations', 'The schema is current.')]
}

async function secretFindings({ secretMark }: Inspection, config: Config): Promise<Finding[]> {
  const secret = await findServerSecret(config.dataDir, config)
  if (secretMark === null || (secret !== undefined && isFingerprintOf(secret, secretMark))) return []
  return [
    fault('secrets', 'SERVER_SECRET is not the one that the database is used with.', WHAT_TO_DO_ABOUT_ANOTHER_SECRET),
  ]
}

/** Days, allowances and expiry use the clock of one, and are compared with that of the other. */
const CLOCKS_DIFFER_MS = 2_000

function clockFinding({ aheadMs }: Inspection): Finding {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
  if (Math.abs(aheadMs) < CLOCKS_DIFFER_MS) return ok('clock', `${seconds} s from that of the database.`)
  const advice = 'Set the clocks of both machines by NTP (timedatectl set-ntp true).'
  return fault('clock', `The clock of the database is ${seconds} s ${aheadMs > 0 ? 'ahead' : 'behind'}.`, advice)
}

/** An open database belongs to the server that has it open, which is asked instead. */
async function lookAtEmbedded(config: Config): Promise<Finding[]> {
  const { dataDir } = config
  if (!existsSync(join(dataDir, 'database'))) return [off('database', 'Embedded; it is made by the first start.')]
  // A database opened by another user would get files that the server cannot write.
  if (process.getuid?.() !== statSync(dataDir).uid)
    return [off('database', 'Not opened: DATA_DIR belongs to another user. Run this as that user to look into it.')]
  try {
    const database = await openEmbedded(dataDir, () => {})
    try {
      const { found, calendars } = await database.withoutDeadline(lookInside)
      const about = [...schemaFindings(found), ...(await secretFindings(found, config))]
      return [ok('database', 'The embedded database opens.'), ...about, ...calendars]
    } finally {
      await database.close()
    }
  } catch (error) {
    const words = reasonOf(error)
    if (words.includes('already open in another process'))
      return [ok('database', 'Embedded, and open in a running server.')]
    return [fault('database', words, 'Restore the folder from a backup: "Backup" in docs/running-in-production.md.')]
  }
}
