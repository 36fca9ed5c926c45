import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import { type Database, openPostgres } from '../../src/db/postgres.ts'
import { askPostgres, POSTGRES_TEMPLATE } from './servers.ts'

const fail = (error: Error) => console.error('The database connection failed:', error)

export type Engine = Database['engine']

/** Opens a new, migrated database on the engine that this run tests. */
export function openTestDatabase(engine = process.env.TEST_ENGINE, poolSize = 10): Promise<Database> {
  return engine === 'postgres' ? openTestPostgres(poolSize) : openTestEmbedded()
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

function copyEmbeddedTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-test-'))
  cpSync(inject('embeddedTemplate'), folder, { recursive: true })
  return folder
}

async function openTestPostgres(poolSize: number): Promise<Database> {
  const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
  const pooler = inject('poolerUrl')
  const through = pooler && sameDatabase(pooler, url)
  const replicaUrl = inject('replicaUrl')
  // The pool lets go of its connections before they are closed, and the database is dropped under them.
  let isClosing = false
  const database = await openPostgres(through ?? url, {
    poolSize,
    onError: error => {
      if (!isClosing) fail(error)
    },
    directUrl: through && url,
    replica: replicaUrl ? { url: sameDatabase(replicaUrl, url), onStateChange: () => {} } : undefined,
  })
  return {
    ...database,
    async close() {
      isClosing = true
      await database.close()
      await drop()
    },
  }
}

function sameDatabase(server: string, url: string): string {
  return Object.assign(new URL(server), { pathname: new URL(url).pathname }).href
}

/** Creates a database on the PostgreSQL server of this run: empty, unless a template is given. */
export async function createPostgresDatabase(
  template = 'template1',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('postgresUrl') as string
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`
  await askPostgres(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await askPostgres(server, `drop database ${name} with (force)`)
    },
  }
}
