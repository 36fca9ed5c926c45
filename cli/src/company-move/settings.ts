import { readFile } from 'node:fs/promises'
import { type Config, readConfig } from '../../../src/config.ts'
import { ConfigError } from '../../../src/lib/settings.ts'
import { Failure } from '../frame/command.ts'

/** The cell that a company moves to. */
export interface TargetSettings {
  config: Config
  cell: number
}

/**
 * Reads the settings of the other cell from a file as systemd's EnvironmentFile, so that no credential is on the command line. What
 * both must have in common need not be there.
 */
export async function readTargetSettings(path: string, source: Config): Promise<TargetSettings> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new Failure(`--to must name a file that can be read: ${path} cannot (${error.code})`)
  })
  const settings = parse(text, path)
  const config = readSettings({ SERVER_SECRET: source.serverSecret, ...settings }, path)
  if (config.cell === undefined)
    throw new Failure(`${path} must set CELL to the number of the cell that the company moves to`)
  return { config, cell: config.cell }
}

function readSettings(settings: NodeJS.ProcessEnv, path: string): Config {
  try {
    return readConfig(settings)
  } catch (error) {
    if (error instanceof ConfigError) throw new Failure(`${path}: ${error.message}`)
    throw error
  }
}

function parse(text: string, path: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue
    const at = trimmed.indexOf('=')
    // The line itself is not shown: it may be a credential.
    if (at < 1 || !/^\w+$/.test(trimmed.slice(0, at)))
      throw new Failure(`${path}, line ${index + 1}, must be NAME=value`)
    settings[trimmed.slice(0, at)] = unquoted(trimmed.slice(at + 1))
  }
  return settings
}

function unquoted(value: string): string {
  const first = value[0]
  const isQuoted = value.length > 1 && (first === '"' || first === "'") && value.endsWith(first)
  return isQuoted ? value.slice(1, -1) : value
}

/** What cannot be right about two cells, whatever their databases contain. */
export function requireTwoCells(source: Config, { config: target }: TargetSettings, path: string): void {
  if (!source.databaseUrl)
    throw new Failure('DATABASE_URL must be set: companies are moved between PostgreSQL databases')
  for (const { s3 } of [source, target])
    if (s3?.moving) throw new Failure('S3_MOVE must not be set: let diwan move-files end before a company is moved')
  if (placeOfFiles(source) === placeOfFiles(target))
    throw new Failure(`${path} must name another DATA_DIR or S3_URL: each cell has its own files`)
}

function placeOfFiles({ s3, dataDir }: Config): string {
  return s3 ? `${s3.endpoint}/${s3.bucket}/${s3.prefix}` : dataDir
}
