import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { documented } from './documented.ts'
import { makeReadOnly } from './nobody.ts'
import { newFolder } from './server-process.ts'

const run = promisify(execFile)

const DOCUMENT = 'docs/running-in-production.md'
const SOURCES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'build',
  'client',
  'console',
  'src',
  'node_modules',
]

/** What the document says to ship, and nothing else, in a folder that nobody can write. */
export async function ship(): Promise<string> {
  const [sources, target] = [newFolder(), join(newFolder(), 'diwan')]
  for (const name of SOURCES) cpSync(name, join(sources, name), { recursive: true, verbatimSymlinks: true })
  const [build = ''] = documented(DOCUMENT, 'Build, ship and start')
  // What npm would install is there already, and nothing is fetched.
  const commands = build.replace('npm ci', 'true').replaceAll('/opt/diwan', target)
  mkdirSync(join(target, '..'), { recursive: true })
  const env = { ...process.env, npm_config_offline: 'true' }
  await run('sh', ['-euc', commands], { cwd: sources, env })
  makeReadOnly(join(target, '..'))
  return target
}
