import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { openJobQueue } from './adapters/job-queue.ts'
import { generateData } from './commands/generate.ts'
import { makeKey } from './commands/key.ts'
import { verifyFiles } from './commands/verify-files.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { adminDescription, apiDescription } from './descriptions.ts'
import { secretFiles } from './domain/secrets.ts'
import { createLog, openDatabase, type Running, type RunningServer, startServer, startWorkerAlone } from './server.ts'

const COMMANDS: Record<string, (config: Config, args: string[]) => Promise<void>> = {
  serve,
  worker: work,
  migrate: migrateOnly,
  key: makeKey,
  'verify-files': verifyFiles,
  generate: generateData,
  openapi: writeDescriptions,
}

async function serve(config: Config): Promise<void> {
  const server = await startServer(config)
  stopOnSignal(server)
  process.stdout.write(greeting(config, server))
}

/** Only the jobs, for an installation whose servers leave them alone (WORKER=off). */
async function work(config: Config): Promise<void> {
  if (!config.databaseUrl)
    throw new ConfigError('DATABASE_URL must be set for a worker: the embedded database works in one process')
  const worker = await startWorkerAlone(config)
  stopOnSignal(worker)
  process.stdout.write('Diwan is working on jobs\n')
}

function stopOnSignal({ log, stop }: Running): void {
  const onSignal = (signal: string) => {
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      error => {
        log.error({ err: error }, 'did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

async function migrateOnly(config: Config): Promise<void> {
  const log = createLog(config)
  const database = await openDatabase(config, log)
  try {
    const applied = await migrate(database)
    const jobs = await openJobQueue(database, error => log.warn({ err: error }, 'The job queue failed'))
    await jobs.close()
    process.stdout.write(
      applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply: the schema is current\n',
    )
  } finally {
    await database.close()
  }
}

async function writeDescriptions(): Promise<void> {
  await writeFile('openapi.json', `${JSON.stringify(apiDescription, null, 2)}\n`)
  await writeFile('openapi-admin.json', `${JSON.stringify(adminDescription, null, 2)}\n`)
}

function greeting(config: Config, { url, demoKey }: RunningServer): string {
  const tokenFile = `${relative('.', config.dataDir) || '.'}/${secretFiles.operatorToken}`
  const operator = config.operatorToken ? 'the token in OPERATOR_TOKEN' : `the token in ${tokenFile}`
  const lines = ['', `Diwan is running at ${url}/api/v1`, '', `  Reference  ${url}/docs`, `  Operator   ${operator}`]
  if (!demoKey) return [...lines, '  API key    npm run key makes one', '', ''].join('\n')
  const curl = `curl -H 'Authorization: Bearer ${demoKey}'`
  return [
    ...lines,
    `  API key    ${demoKey}`,
    '             (for the demo company; shown this once, npm run key makes another)',
    '',
    'Try it:',
    '',
    `  ${curl} ${url}/api/v1/me`,
    `  ${curl} ${url}/api/v1/projects`,
    `  ${curl} ${url}/api/v1/projects -d '{"name": "مشروع جديد"}' -H 'Content-Type: application/json'`,
    '',
    '',
  ].join('\n')
}

/** What the operator can mend is one line; anything else is a fault of ours and shows where. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isOperators = error instanceof ConfigError || /^[A-Z_]+[: ]/.test(error.message) || 'code' in error
  return isOperators ? error.message || String(error) : (error.stack ?? error.message)
}

const [command = 'serve', ...args] = process.argv.slice(2)
try {
  const run = COMMANDS[command]
  if (!run) throw new ConfigError(`There is no command ${command}. Use one of ${Object.keys(COMMANDS).join(', ')}`)
  await run(readConfig(), args)
} catch (error) {
  process.stderr.write(`diwan: ${explain(error)}\n`)
  process.exit(1)
}
