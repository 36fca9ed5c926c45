import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type Database, openPostgres } from '../../src/db/postgres.ts'

const fail = (error: Error) => console.error('The database connection failed:', error)

/** A migrated database of its own, on the engine that this run is about. */
export function openTestDatabase(): Promise<Database> {
  return process.env.TEST_ENGINE === 'postgres' ? openTestPostgres() : openTestEmbedded()
}

async function openTestEmbedded(): Promise<Database> {
  const folder = copyEmbeddedTemplate()
  const database = await openEmbedded(folder, fail)
  return {
    ...database,
    async close() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function copyEmbeddedTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-test-'))
  cpSync(inject('embeddedTemplate'), folder, { recursive: true })
  return folder
}

async function openTestPostgres(): Promise<Database> {
  const { url, drop } = await createPostgresDatabase()
  const database = await openPostgres(url, { poolSize: 10, onError: fail })
  await migrate(database)
  return {
    ...database,
    async close() {
      await database.close()
      await drop()
    },
  }
}

/** An empty database on the PostgreSQL server of this run. */
export async function createPostgresDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('postgresUrl') as string
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `drop database ${name} with (force)`) }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
