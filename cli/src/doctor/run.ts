import { styleText } from 'node:util'
import { readConfigAndFaults } from '../../../src/config.ts'
import type { Finding } from '../../../src/domain/installation/health.ts'
import { print, printJson } from '../frame/output.ts'
import { lookAtBucket } from './bucket.ts'
import { lookAtDataFolder } from './data-folder.ts'
import { lookAtDatabase } from './database.ts'
import { lookAtParts } from './parts.ts'
import { lookAtReplica } from './replica.ts'
import { lookAtServer } from './server.ts'
import { lookAtSettings } from './settings.ts'

/** Checks everything that an installation depends on, and says what to do about problems. */
export async function examine(isJson: boolean): Promise<void> {
  const { config, faults } = readConfigAndFaults()
  const folder = await lookAtDataFolder(config)
  // A folder that cannot be written is not opened either: the reason is known.
  const canWrite = folder.every(({ state }) => state !== 'down')
  const others = await Promise.all([
    canWrite || config.databaseUrl ? lookAtDatabase(config) : [],
    lookAtReplica(config),
    lookAtBucket(config),
    lookAtParts(config),
    lookAtServer(config),
  ])
  const findings = [...lookAtSettings(config, faults), ...folder, ...others.flat()]
  const wrong = findings.filter(({ state }) => state === 'down' || state === 'degraded')
  if (isJson) printJson({ ok: wrong.length === 0, findings })
  else printFindings(findings, wrong.length)
  if (wrong.length > 0) process.exitCode = 1
}

const LABELS = {
  ok: ['ok', 'green'],
  off: ['off', 'gray'],
  degraded: ['WARN', 'yellow'],
  down: ['FAULT', 'red'],
} as const
const LABEL_WIDTH = 7

function printFindings(findings: Finding[], wrong: number): void {
  const width = Math.max(...findings.map(({ name }) => name.length)) + 2
  for (const { name, state, message, advice } of findings) {
    const [label, colour] = LABELS[state]
    print(`${styleText(colour, label.padEnd(LABEL_WIDTH))}${name.padEnd(width)}${message}`)
    if (advice) print(`${' '.repeat(LABEL_WIDTH + width)}${advice}`)
  }
  print(
    wrong === 0 ? '\nNothing is wrong.' : `\n${wrong === 1 ? 'One thing needs' : `${wrong} things need`} attention.`,
  )
}
