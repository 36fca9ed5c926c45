import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sourcesOfImage } from './dockerfile.ts'
import { documented } from './documented.ts'
import { makeReadOnly } from './nobody.ts'
import { newFolder } from './server-process.ts'

const run = promisify(execFile)

const DOCUMENT = 'docs/running-in-production.md'

/** The commands of the document, one per line, without its comments. */
export function shippingCommands(): string[] {
  const [build = ''] = documented(DOCUMENT, 'Build, ship and start')
  return build
    .split('\n')
    .map(line => line.replace(/ +#.*/, ''))
    .filter(Boolean)
}

/** Exactly what the document says to ship, in a folder that nobody can write to. */
export async function ship(): Promise<string> {
  const [sources, target] = [newFolder(), join(newFolder(), 'diwan')]
  // The packages that npm would install are copied, so that nothing is downloaded.
  for (const name of [...sourcesOfImage(), 'node_modules'])
    cpSync(name, join(sources, name), { recursive: true, verbatimSymlinks: true })
  const commands = shippingCommands().join('\n').replace('npm ci', 'true').replaceAll('/opt/diwan', target)
  mkdirSync(join(target, '..'), { recursive: true })
  const env = { ...process.env, npm_config_offline: 'true' }
  await run('sh', ['-euc', commands], { cwd: sources, env })
  makeReadOnly(join(target, '..'))
  return target
}
