import { readConfig } from '../../src/config.ts'
import { RowTooLarge } from '../../src/db/rows.ts'
import { PLANS } from '../../src/domain/access/plans.ts'
import { StorageUnavailable } from '../../src/domain/ports/blob-store.ts'
import { command } from './frame/command.ts'

// Commands that work on the database and the files themselves. Each loads what it needs when it runs, so help is fast.

/** What ends them, and can be mended by the operator. */
export const OPERATORS_FAULTS = [StorageUnavailable, RowTooLarge]

export const serve = command({
  name: 'serve',
  summary: 'Answer requests, and work on jobs unless WORKER=off.',
  examples: ['serve', 'serve  # with PORT=8080 in the environment'],
  async run() {
    const config = readConfig()
    // The engine is loaded and compiled in other threads while this one loads the rest.
    if (!config.databaseUrl) (await import('../../src/db/engine-thread.ts')).prepareEngine()
    await (await import('./local/serve.ts')).serve(config)
  },
})

export const worker = command({
  name: 'worker',
  summary: 'Work on jobs alone. Needs DATABASE_URL.',
  run: async () => (await import('./local/serve.ts')).work(readConfig()),
})

export const migrate = command({
  name: 'migrate',
  summary: 'Bring the schema of the database up to date.',
  description: 'Every start of the server does this too.',
  run: async () => (await import('./local/migrate.ts')).migrateOnly(readConfig()),
})

export const acceptSecret = command({
  name: 'accept-secret',
  summary: 'Use the database with another SERVER_SECRET from now on.',
  description:
    'For a secret that was lost or found out. No API key, token, session or invitation that was made under the earlier one works any longer, and neither the passwords of calendars nor the secrets of webhooks can be read. Stop every node first.',
  run: async () => (await import('./local/accept-secret.ts')).acceptSecret(readConfig()),
})

export const init = command({
  name: 'init',
  summary: 'Create the first company and its owner on an empty database.',
  description:
    "Prints the owner's token, once. It works on the database itself, so that no server has to run; the embedded database is open to one process at a time.",
  options: {
    name: { type: 'text', isRequired: true, help: 'The name of the company' },
    'owner-name': { type: 'text', isRequired: true, help: 'The name of the owner' },
    'owner-email': { type: 'text', isRequired: true, help: 'The e-mail address of the owner' },
    'time-zone': {
      type: 'text',
      value: 'ZONE',
      help: 'An IANA zone such as Asia/Riyadh; default that of this machine',
    },
    plan: { type: 'text', choices: PLANS, default: 'enterprise', help: 'The plan of the company' },
  },
  examples: ['init --name "Najd Trading" --owner-name Layla --owner-email layla@example.com'],
  run: async ({ options }) => (await import('./local/init.ts')).init(readConfig(), options),
})

export const signInLink = command({
  name: 'sign-in-link',
  summary: 'Print a link that signs the operator in to the console, once.',
  description:
    'It works for 10 minutes, and no link printed before it works any longer. It is made in the database itself, so that only those can who may reach that.',
  run: async () => (await import('./local/sign-in-link.ts')).printSignInLink(readConfig()),
})

export const doctor = command({
  name: 'doctor',
  summary: 'Look for faults of an installation, and say what to do.',
  description:
    'Looks at the settings, the data folder, the database, connected calendars, Redis, the virus scanner, mail, the clock and the running server. Changes no setting and no record. Ends with 1 when something needs attention. Run it as the user and with the environment of the server.',
  options: { json: { type: 'flag', help: 'Print the findings as JSON' } },
  run: async ({ options: { json = false } }) => (await import('./doctor/run.ts')).examine(json),
})

export const verifyFiles = command({
  name: 'verify-files',
  summary: 'Compare every uploaded file with its bytes.',
  description: 'Ends with 1 when bytes are missing or are not those that were uploaded.',
  run: async () => (await import('./local/verify-files.ts')).verifyFiles(readConfig()),
})

export const moveFiles = command({
  name: 'move-files',
  summary: 'Move files into a bucket, or back.',
  description:
    'With S3_MOVE=in into the bucket, with S3_MOVE=out back into DATA_DIR. The server, which must have the same settings, goes on meanwhile. What is interrupted goes on where it was when it is started again.',
  options: {
    keep: { type: 'flag', help: 'Leave the files where they are, too' },
    json: { type: 'flag', help: 'Print how much was moved as JSON' },
  },
  run: async ({ options }) => (await import('./local/move-files.ts')).moveFiles(readConfig(), options),
})

export const backup = command({
  name: 'backup',
  summary: 'Back up the database and the files as they are at one moment.',
  description:
    'The server may go on meanwhile. FILE is there only when it is complete; - is standard output. SERVER_SECRET is not in it: keep that elsewhere. Run it as the user and with the environment of the server.',
  arguments: [{ name: 'FILE', help: 'Where to write the backup' }],
  options: { json: { type: 'flag', help: 'Print what was backed up as JSON' } },
  examples: ['backup /backup/diwan.tar', 'backup - | ssh elsewhere "cat > diwan.tar"'],
  run: async ({ args: [file = ''], options }) =>
    (await import('./backup/backup.ts')).backup(readConfig(), file, options),
})

export const restore = command({
  name: 'restore',
  summary: 'Put a backup into an empty installation.',
  description:
    'Reads and checks all of the backup before it touches anything. The database must be empty and may be of the other kind: a backup of the embedded database can be restored into PostgreSQL, and the other way round. SERVER_SECRET must be the same as before.',
  arguments: [{ name: 'FILE', help: 'The backup' }],
  options: {
    'verify-only': { type: 'flag', help: 'Check the backup and restore nothing' },
    json: { type: 'flag', help: 'Print what was restored as JSON' },
  },
  examples: ['restore /backup/diwan.tar', 'restore /backup/diwan.tar --verify-only'],
  run: async ({ args: [file = ''], options }) =>
    (await import('./backup/restore.ts')).restore(readConfig(), file, options),
})

export const exportCompany = command({
  name: 'export',
  summary: 'Write a company as JSON lines and files.',
  description:
    'Each line is what the API shows of a record, all of them at one moment; the server may go on meanwhile. FOLDER must not exist, or be empty.',
  arguments: [
    { name: 'COMPANY', help: 'The id of the company' },
    { name: 'FOLDER', help: 'Where to write it' },
  ],
  options: { json: { type: 'flag', help: 'Print how much was exported as JSON' } },
  examples: ['export 1 ./najd-trading'],
  run: async ({ args: [company = '', folder = ''], options }) =>
    (await import('./export/export.ts')).exportCompany(readConfig(), company, folder, options),
})

export const moveCompany = command({
  name: 'company move',
  summary: 'Move a company to another cell.',
  description:
    'FILE has the settings of the other cell, one NAME=value a line: CELL, DATABASE_URL, and DATA_DIR or S3_URL. The company is served meanwhile, and can only be read for the seconds in which its rows are copied and compared. What is interrupted goes on when the same command is run again. Run it as the user and with the environment of the server that has the company.',
  arguments: [{ name: 'COMPANY', help: 'The id of the company' }],
  options: {
    to: { type: 'text', value: 'FILE', isRequired: true, help: 'The settings of the other cell' },
    undo: { type: 'flag', help: 'Undo a move that has not been finished' },
    json: { type: 'flag', help: 'Print what was moved as JSON' },
  },
  examples: ['company move 17 --to /etc/diwan/cell-2.env', 'company move 17 --to /etc/diwan/cell-2.env --undo'],
  run: async ({ args: [company = ''], options }) =>
    (await import('./company-move/move.ts')).moveCompany(readConfig(), company, options),
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
  run: async ({ options }) => (await import('./local/generate.ts')).generateData(readConfig(), options),
})

export const schema = command({
  name: 'schema',
  summary: 'Print the schema of a new database as SQL.',
  run: async () => (await import('./local/schema.ts')).printSchema(),
})

export const openapi = command({
  name: 'openapi',
  summary: 'Write openapi.json and openapi-admin.json here.',
  run: async () => (await import('./local/openapi.ts')).writeDescriptions(),
})
