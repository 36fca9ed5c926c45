import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, ConfigError } from '../config.ts'
import { secretFiles } from '../domain/secrets.ts'

/** Makes an API key on the running server, through its administration surface, as the operator. */
export async function makeKey(config: Config, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      company: { type: 'string', default: '1' },
      name: { type: 'string', default: 'Command line' },
      access: { type: 'string', default: 'write' },
    },
  })
  const token =
    config.operatorToken ??
    (await readFile(join(config.dataDir, secretFiles.operatorToken), 'utf8').catch(() => '')).trim()
  if (token === '')
    throw new ConfigError('OPERATOR_TOKEN is not set and DATA_DIR holds none: start the server once, or set it')

  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const response = await fetch(
    `http://${host}:${config.port}/admin/v1/companies/${encodeURIComponent(values.company)}/keys`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: values.name, access: values.access }),
    },
  ).catch(() => {
    throw new ConfigError(`No server answers at ${config.host}:${config.port}: start it first, or set HOST and PORT`)
  })
  const answer = (await response.json()) as { data?: { key: string }; error?: { message: string } }
  if (!answer.data) throw new ConfigError(`The server refused: ${answer.error?.message ?? response.status}`)
  process.stdout.write(`${answer.data.key}\n`)
}
