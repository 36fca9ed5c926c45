import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { startEngine } from '../src/db/engine.ts'

// Writes the database cluster that a first start unpacks. It depends only on the version of the engine, not on our code; a
// test fails when it no longer matches what initdb creates. `src/db/new-cluster.ts` describes the format.
const PACKED_CLUSTER = 'src/db/cluster/cluster.br'

const folder = mkdtempSync(join(tmpdir(), 'diwan-cluster-'))
try {
  writeFileSync(PACKED_CLUSTER, packed(folder, await makeCluster(folder)))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the name of the only WAL segment that is needed to open the cluster. */
async function makeCluster(folder: string): Promise<string> {
  const { pglite, close } = await startEngine(folder, reason => {
    throw new Error(reason)
  })
  // What initdb has logged stays in the previous segment.
  await pglite.exec('select pg_switch_wal(); checkpoint')
  const { rows } = await pglite.query<{ name: string }>('select pg_walfile_name(pg_current_wal_lsn()) as name')
  await close()
  return rows[0]?.name as string
}

function packed(folder: string, log: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => ({ name: join(entry.parentPath, entry.name).slice(folder.length + 1), isFile: entry.isFile() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = entries.filter(entry => entry.isFile && isNeeded(entry.name, log)).map(({ name }) => name)
  const bytes = names.map(name => readFileSync(join(folder, name)))
  const contents = {
    folders: entries.filter(entry => !entry.isFile).map(({ name }) => name),
    files: names.map((name, n) => [name, bytes[n]?.length ?? 0]),
  }
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(contents)}\n`), ...bytes])
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants
  // Its three databases are identical, so the compression window must be larger than one of them.
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: all.length }
  return brotliCompressSync(all, { params })
}

function isNeeded(name: string, log: string): boolean {
  return !/^pg_wal\/[0-9A-F]{24}$/.test(name) || name.endsWith(log)
}
