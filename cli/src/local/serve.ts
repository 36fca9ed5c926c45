import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Logger } from 'pino'
import { type Config, SECRET_CHARACTERS, shortSecrets } from '../../../src/config.ts'
import { secretFiles } from '../../../src/domain/installation/secrets.ts'
import { ConfigError } from '../../../src/lib/settings.ts'
import { type Running, type RunningServer, startServer, startWorkerAlone } from '../../../src/server.ts'

/** After this time, people are told what they are waiting for. */
const SAID_AFTER_MS = 1_000

export async function serve(config: Config): Promise<void> {
  const isFirst = !config.databaseUrl && !existsSync(join(config.dataDir, 'database'))
  const say = () => isFirst && process.stderr.write('Preparing the database…\n')
  const saying = setTimeout(say, SAID_AFTER_MS)
  const server = await startServer(config).finally(() => clearTimeout(saying))
  stopOnSignal(server)
  process.stdout.write(greeting(config, server))
  warnOfShortSecrets(config, server.log)
}

/** Runs only the jobs, for an installation whose servers leave them alone (WORKER=off). */
export async function work(config: Config): Promise<void> {
  if (!config.databaseUrl)
    throw new ConfigError('DATABASE_URL must be set for a worker: the embedded database works in one process')
  const worker = await startWorkerAlone(config)
  stopOnSignal(worker)
  process.stdout.write('Diwan is working on jobs\n')
  warnOfShortSecrets(config, worker.log)
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

function greeting(config: Config, { url, consoleUrl, consoleCode, demoKey }: RunningServer): string {
  const tokenFile = `${relative('.', config.dataDir) || '.'}/${secretFiles.operatorToken}`
  const operator = config.operatorToken ? 'the token in OPERATOR_TOKEN' : `the token in ${tokenFile}`
  const lines = [
    '',
    `Diwan is running at ${url}/api/v1`,
    '',
    ...(consoleCode
      ? [
          `  Console    ${consoleUrl}#code=${consoleCode}`,
          '             (signs the operator in once, within 10 minutes; later with the operator token)',
        ]
      : [`  Console    ${consoleUrl}`]),
    `  Reference  ${url}/docs`,
    `  Operator   ${operator}`,
  ]
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

/**
 * A warning and not an error, because an existing installation with a short secret must still start. It is given at every
 * start, to people and in the log.
 */
function warnOfShortSecrets(config: Config, log: Logger): void {
  const variables = shortSecrets(config)
  if (variables.length === 0) return
  log.warn({ variables }, `Secrets with fewer than ${SECRET_CHARACTERS} characters can be guessed`)
  const edge = '*'.repeat(78)
  const lines = [
    `WARNING: fewer than ${SECRET_CHARACTERS} characters in ${variables.join(' and ')}`,
    '',
    'A short secret can be guessed, and who guesses it may do whatever its owner may.',
    'Make a new one:  openssl rand -base64 32',
    'Before you change SERVER_SECRET, read "Secrets" in docs/running-in-production.md.',
  ]
  process.stderr.write(`\n${[edge, ...lines.map(line => `*  ${line}`.trimEnd()), edge].join('\n')}\n\n`)
}
