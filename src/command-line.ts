import { writeFile } from 'node:fs/promises'
import { openJobQueue } from './adapters/job-queue.ts'
import { generateData } from './commands/generate.ts'
import { makeKey } from './commands/key.ts'
import { printSchema } from './commands/schema.ts'
import { serve, work } from './commands/serve.ts'
import { verifyFiles } from './commands/verify-files.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { adminDescription, apiDescription, CONTRACT_VERSION } from './descriptions.ts'
import { createLog, openDatabase } from './server.ts'

interface Command {
  does: string
  options?: string
  run(config: Config, args: string[]): Promise<void>
}

const COMMANDS: Record<string, Command> = {
  serve: { does: 'Answer requests, and work on jobs unless WORKER=off. Without a command, this one.', run: serve },
  worker: { does: 'Work on jobs alone. Needs DATABASE_URL.', run: work },
  migrate: { does: 'Bring the schema of the database up to date. Every start does this too.', run: migrateOnly },
  key: {
    does: 'Make an API key on the running server.',
    options: '[--company 1] [--name NAME] [--access read|write]',
    run: makeKey,
  },
  'verify-files': { does: 'Compare every uploaded file with its bytes.', run: verifyFiles },
  generate: {
    does: 'Fill the database with made-up companies, to try Diwan at size.',
    options: '[--companies 10] [--tasks 10000]',
    run: generateData,
  },
  schema: { does: 'Print the schema of a new database as SQL.', run: printSchema },
  openapi: { does: 'Write openapi.json and openapi-admin.json here.', run: writeDescriptions },
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

function help(): string {
  const line = (name: string, text: string) => `  ${name.padEnd(14)}${text}`
  return [
    'Usage: node dist/main.js [command]',
    '',
    ...Object.entries(COMMANDS).flatMap(([name, { does, options }]) => [
      line(name, does),
      ...(options ? [line('', options)] : []),
    ]),
    line('help', 'Show this. So do --help and -h.'),
    line('version', 'Show the version. So does --version.'),
    '',
    'Settings are environment variables: PORT, HOST, DATA_DIR, DATABASE_URL and others. The README lists them all.',
    '',
  ].join('\n')
}

/** What the operator can fix is one line; anything else is a fault of ours and shows where. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isOperators = error instanceof ConfigError || /^[A-Z_]+[: ]/.test(error.message) || 'code' in error
  return isOperators ? error.message || String(error) : (error.stack ?? error.message)
}

async function run([command = 'serve', ...args]: string[]): Promise<void> {
  const words = [command, ...args]
  if (command === 'help' || words.includes('--help') || words.includes('-h')) {
    process.stdout.write(help())
  } else if (command === 'version' || command === '--version') {
    process.stdout.write(`diwan ${CONTRACT_VERSION}\n`)
  } else {
    const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
    if (!known) throw new ConfigError(`There is no command ${JSON.stringify(command)}. --help lists those there are`)
    await known.run(readConfig(), args)
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`diwan: ${explain(error)}\n`)
  process.exit(1)
}
