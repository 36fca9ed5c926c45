import { constants, existsSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../../src/config.ts'
import { isOpenToOthers } from '../../../src/domain/installation/data-folder.ts'
import { type Finding, reasonOf } from '../../../src/domain/installation/health.ts'
import { secretFiles } from '../../../src/domain/installation/secrets.ts'
import { humanSize } from '../../../src/lib/size.ts'
import { doubtful, fault, ok } from './finding.ts'

const LITTLE_ROOM_BYTES = 1024 ** 3

/** Checks without writing: the doctor may run as another user than the server, which would not own the files. */
export async function lookAtDataFolder({ dataDir }: Config): Promise<Finding[]> {
  const folders = [dataDir, join(dataDir, 'database'), join(dataDir, 'files')].filter(folder => existsSync(folder))
  const nearest = existing(dataDir)
  try {
    for (const folder of folders.length > 0 ? folders : [nearest])
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return [await lookAtRoom(nearest), ...(await lookAtModes(dataDir)), ...(await lookAtSecretFiles(dataDir))]
  } catch (error) {
    const advice = 'Make the user that runs Diwan its owner (chown -R diwan), or choose another DATA_DIR.'
    return [fault('storage', `DATA_DIR cannot be written: ${reasonOf(error)}.`, advice)]
  }
}

/** The folder, or the nearest existing one above it. */
function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder))
}

async function lookAtRoom(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const free = humanSize(bavail * bsize)
  if (bavail * bsize >= LITTLE_ROOM_BYTES) return ok('storage', `DATA_DIR can be written; ${free} free.`)
  return doubtful('storage', `Only ${free} free.`)
}

async function lookAtModes(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir) || !(await isOpenToOthers(dataDir))) return []
  return [doubtful('storage', 'Others on this machine can look into DATA_DIR.', `Run: chmod 700 ${dataDir}`)]
}

async function lookAtSecretFiles(dataDir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of Object.values(secretFiles)) {
    const path = join(dataDir, name)
    const mode = existsSync(path) ? (await stat(path)).mode : 0
    if ((mode & 0o077) !== 0)
      findings.push(doubtful('secrets', `Others on this machine can read ${path}.`, `Run: chmod 600 ${path}`))
  }
  return findings
}
