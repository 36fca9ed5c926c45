import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { writeWhole } from './whole-file.js'

// Files that the program reads at run time. The compiler does not copy them.
const READ = ['db/migrations', 'db/cluster', 'adapters/scanner/yara/rules']

// Commands for the administration are made from its description.
const DESCRIPTION = 'openapi-admin.json'

export const CODE = [
  DESCRIPTION,
  'package-lock.json',
  'tsconfig.json',
  'build/code.js',
  'main.ts',
  'cli',
  'client/src',
  'src',
]

export async function compile() {
  for (const folder of READ) carry(join('src', folder), join('dist/src', folder))
  writeWhole(join('dist', DESCRIPTION), readFileSync(DESCRIPTION))
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
  // `npm run check` checks the types.
  const child = spawn(process.execPath, [compiler, '-b', '--noCheck'], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The code could not be compiled.')
}

function carry(from, to) {
  const names = readdirSync(from)
  for (const name of names) writeWhole(join(to, name), readFileSync(join(from, name)))
  for (const name of readdirSync(to)) if (!names.includes(name)) rmSync(join(to, name), { force: true })
}
