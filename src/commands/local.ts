import { readConfig } from '../config.ts'
import { command } from './frame/command.ts'

// What works on the database and the files themselves. Each loads what it needs when it runs: help is quick.

export const serve = command({
  name: 'serve',
  summary: 'Answer requests, and work on jobs unless WORKER=off.',
  examples: ['serve', 'serve  # with PORT=8080 in the environment'],
  run: async () => (await import('./serve.ts')).serve(readConfig()),
})

export const worker = command({
  name: 'worker',
  summary: 'Work on jobs alone. Needs DATABASE_URL.',
  run: async () => (await import('./serve.ts')).work(readConfig()),
})

export const migrate = command({
  name: 'migrate',
  summary: 'Bring the schema of the database up to date.',
  description: 'Every start of the server does this too.',
  run: async () => (await import('./migrate.ts')).migrateOnly(readConfig()),
})

export const verifyFiles = command({
  name: 'verify-files',
  summary: 'Compare every uploaded file with its bytes.',
  description: 'Ends with 1 when bytes are missing or are not those that were uploaded.',
  run: async () => (await import('./verify-files.ts')).verifyFiles(readConfig()),
})

export const generate = command({
  name: 'generate',
  summary: 'Fill the database with made-up companies, to try Diwan at size.',
  options: {
    companies: {
      type: 'number',
      default: 10,
      minimum: 0,
      maximum: 1_000_000,
      help: 'Small companies beside a large one',
    },
    tasks: { type: 'number', default: 10_000, minimum: 1, maximum: 100_000_000, help: 'Tasks of the large company' },
  },
  examples: ['generate --companies 1000 --tasks 1000000'],
  run: async ({ options }) => (await import('./generate.ts')).generateData(readConfig(), options),
})

export const schema = command({
  name: 'schema',
  summary: 'Print the schema of a new database as SQL.',
  run: async () => (await import('./schema.ts')).printSchema(),
})

export const openapi = command({
  name: 'openapi',
  summary: 'Write openapi.json and openapi-admin.json here.',
  run: async () => (await import('./openapi.ts')).writeDescriptions(),
})
