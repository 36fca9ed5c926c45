import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSchema } from '../../../src/db/describe-schema.ts'
import { openEmbedded } from '../../../src/db/embedded.ts'
import { migrate } from '../../../src/db/migrate.ts'

/** Prints the schema of a new database, which is created for this and removed again. */
export async function printSchema(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-schema-'))
  try {
    process.stdout.write(await schemaIn(folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function schemaIn(folder: string): Promise<string> {
  const database = await openEmbedded(folder, error => process.stderr.write(`diwan: ${error.message}\n`))
  try {
    await migrate(database)
    return await describeSchema(database.db)
  } finally {
    await database.close()
  }
}
