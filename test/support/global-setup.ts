import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../src/db/postgres.ts'
import { findEmbeddedTemplate } from './embedded-template.ts'
import { furnish } from './furnished-database.ts'
import { findPart } from './parts.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { askPostgres, POSTGRES_TEMPLATE, type StartedPostgres, type StartedServer, startPostgres } from './servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a migrated, empty embedded database, to be copied. */
    embeddedTemplate: string
    postgresUrl: string | undefined
    /** The server behind PgBouncer, if TEST_POOLER is set: then the apps of the `postgres` group use it. */
    poolerUrl: string | undefined
    /** A server that follows that of the run, if TEST_REPLICA is set: then the apps of the `postgres` group read from it. */
    replicaUrl: string | undefined
  }
}

/** Builds the program, and starts each external program once for the whole run. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject()
  // This runs for each project; the first one starts them for all.
  if (run.getProvidedContext().embeddedTemplate) return undefined
  const postgresFolder = findPart('postgres')
  const isOnly = (group: string) => vitest.projects.every(({ name }) => name === group || name === 'pure')
  const needsPostgres = postgresFolder && !isOnly('embedded')
  const needsBuild = !isOnly('embedded') && !isOnly('postgres')
  const [embeddedTemplate, postgres] = await Promise.all([
    findEmbeddedTemplate(),
    needsPostgres ? startTemplatePostgres(postgresFolder) : undefined,
    needsBuild ? build() : undefined,
  ])
  run.provide('embeddedTemplate', embeddedTemplate)
  run.provide('postgresUrl', postgres?.url)
  const pooler =
    process.env.TEST_POOLER && postgres && (await startPgbouncer(findPart('pgbouncer') as string, postgres.url))
  run.provide('poolerUrl', pooler ? pooler.through(postgres.url) : undefined)
  const replica = process.env.TEST_REPLICA && postgres && (await startReplica(postgresFolder as string, postgres))
  run.provide('replicaUrl', replica ? replica.url : undefined)
  return async () => {
    if (replica) await replica.stop()
    if (pooler) await pooler.stop()
    await postgres?.stop()
  }
}

/** A replica is only used if writes are flushed before they are acknowledged. Here a flush costs nothing. */
async function startReplica(binFolder: string, postgres: StartedPostgres): Promise<StartedServer> {
  await askPostgres(postgres.url, "alter role postgres set synchronous_commit = 'on'")
  return startPostgres(binFolder, postgres)
}

async function startTemplatePostgres(binFolder: string): Promise<StartedPostgres> {
  const postgres = await startPostgres(binFolder)
  await askPostgres(postgres.url, `create database ${POSTGRES_TEMPLATE}`)
  const url = new URL(postgres.url)
  url.pathname = `/${POSTGRES_TEMPLATE}`
  await furnish(await openPostgres(url.href, { poolSize: 2, onError: error => console.error(error) }))
  return postgres
}

async function build(): Promise<void> {
  await promisify(exec)('npm run --silent build').catch(({ stdout, stderr }) => {
    throw new Error(`The build failed:\n${stdout}${stderr}`)
  })
}
