import type { Config } from '../../../src/config.ts'
import { type Db, transactionOn } from '../../../src/db/db.ts'
import { migrate } from '../../../src/db/migrate.ts'
import type { Database } from '../../../src/db/postgres.ts'
import { createMint } from '../../../src/domain/access/credentials.ts'
import { addKey } from '../../../src/domain/access/keyring.ts'
import { requireOwnCell } from '../../../src/domain/cells/numbers.ts'
import { requireSameSecret } from '../../../src/domain/installation/secret-mark.ts'
import { loadSecrets } from '../../../src/domain/installation/secrets.ts'
import { createLog, openDatabase } from '../../../src/parts.ts'
import { expectedRows, generate, type Size } from './generated-data.ts'

/** Fills the database with a large company and many small ones, to try out Diwan at scale. */
export async function generateData(config: Config, { companies, tasks }: Size): Promise<void> {
  const size = { companies, tasks: Math.ceil(tasks / 1_000) * 1_000 }
  const { serverSecret } = await loadSecrets(config.dataDir, config)
  const database = await openDatabase(config, createLog(config))
  try {
    await migrate(database)
    await requireSameSecret(database.db, serverSecret)
    await requireOwnCell(database.db, config.cell)
    const started = performance.now()
    const progress = progressBar(expectedRows(size))
    let written = started
    const { companyId, rows, key } = await transactionWithoutDeadline(database, async tx => {
      const { companyId, ownerId, rows } = await generate(tx, size, done => {
        progress(done)
        written = performance.now()
      })
      await tx.raw('analyze', [])
      const owner = { company_id: companyId, name: 'Generated', created_by: ownerId }
      return { companyId, rows, key: await addKey(tx, owner, createMint(serverSecret, config.cell !== undefined)) }
    })
    const seconds = (written - started) / 1000
    const restSeconds = (performance.now() - written) / 1000
    process.stdout.write(
      `${count(rows)} rows in ${seconds.toFixed(1)} s, ${count(rows / seconds)} a second; their indexes in ${restSeconds.toFixed(1)} s\n` +
        `Company ${companyId} has ${count(size.tasks)} tasks. Its key: ${key}\n`,
    )
  } finally {
    await database.close()
  }
}

function transactionWithoutDeadline<T>({ withoutDeadline }: Database, work: (tx: Db) => Promise<T>): Promise<T> {
  return withoutDeadline(client => transactionOn(client, work))
}

const BAR = 30

/** Redrawn on a terminal; elsewhere one line for every tenth. */
function progressBar(total: number): (rows: number) => void {
  const started = performance.now()
  let tenth = -1
  return rows => {
    const done = Math.min(rows / total, 1)
    const perSecond = (rows / (performance.now() - started)) * 1000
    const line = `${count(rows)} of ${count(total)} rows, ${count(perSecond)} a second`
    if (process.stderr.isTTY) {
      const filled = Math.round(done * BAR)
      process.stderr.write(`\r\x1b[2K[${'='.repeat(filled)}${' '.repeat(BAR - filled)}] ${line}`)
      if (done === 1) process.stderr.write('; putting the indexes back\n')
    } else if (Math.floor(done * 10) > tenth) {
      tenth = Math.floor(done * 10)
      process.stderr.write(`${line}\n`)
    }
  }
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}
