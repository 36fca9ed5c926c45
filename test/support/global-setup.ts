import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { findParts } from './parts.ts'
import { startPostgres, startRedis } from './servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a migrated, empty embedded database, to be copied. */
    embeddedTemplate: string
    postgresUrl: string | undefined
    redisUrl: string | undefined
  }
}

let isSetUp = false

/** Starts each real part once for the whole run. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (isSetUp) return undefined
  isSetUp = true
  const parts = findParts()
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'inherit', 'inherit'] })

  const folder = mkdtempSync(join(tmpdir(), 'diwan-template-'))
  const template = await openEmbedded(folder, error => console.error(error))
  await migrate(template)
  await template.close()

  const postgres = parts.postgres ? await startPostgres(parts.postgres) : undefined
  const redis = parts.redis ? await startRedis(parts.redis) : undefined
  project.provide('embeddedTemplate', folder)
  project.provide('postgresUrl', postgres?.url)
  project.provide('redisUrl', redis?.url)

  return async () => {
    await postgres?.stop()
    await redis?.stop()
    rmSync(folder, { recursive: true, force: true })
    const missing = Object.entries(parts).filter(([, path]) => path === undefined)
    for (const [name] of missing) console.log(`Not tested, because it is not on this machine: ${name}`)
  }
}
