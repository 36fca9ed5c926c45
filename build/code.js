import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { filesOf } from './unchanged.js'
import { writeWhole } from './whole-file.js'

// The program in a few files, with the packages that it uses: to read hundreds of small files takes longer than to run them.

// What is started by its path: the program, its threads, and the process that makes PDFs.
const STARTED = [
  'main.ts',
  'src/db/engine-worker.ts',
  'src/lib/json-worker.ts',
  'src/adapters/caldav/worker.ts',
  'src/adapters/pdf/worker.ts',
  'src/adapters/scanner/yara/worker.ts',
]
const SHARED = 'dist/shared'

// Packages that read files of their own, and one that pg asks for only where it is wanted.
const LEFT_OUT = ['@electric-sql/pglite', '@myriaddreamin/typst-ts-node-compiler', '@virustotal/yara-x', 'pg-native']

// Files that the program reads at run time.
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
  const { outputFiles } = await build({
    entryPoints: STARTED,
    outbase: '.',
    outdir: 'dist',
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: LEFT_OUT,
    plugins: [ownPlaces],
    banner: { js: BANNER },
    write: false,
    logLevel: 'error',
  }).catch(() => {
    throw new Error('The code could not be compiled.')
  })
  const made = outputFiles.map(({ path }) => relative('.', path))
  for (const [n, { contents }] of outputFiles.entries()) writeWhole(made[n], contents)
  // Only now: a server that runs may still ask for a part that it has not loaded yet.
  for (const name of filesOf(SHARED)) if (!made.includes(name)) rmSync(name)
}

// For packages in the older format; and the folder that this file is in, at whatever depth. It imports nothing: main.js must be
// readable by versions of Node.js that are too old.
const BANNER = `const require = process.getBuiltinModule && process.getBuiltinModule('node:module').createRequire(import.meta.url)
const __dist = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 6)`

/** A module finds what it reads and starts beside itself: it is told its own place, wherever its text ends up. */
const ownPlaces = {
  name: 'own places',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:src|cli)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const place = JSON.stringify(relative('.', path).replace(/\.ts$/, '.js'))
      return { loader: 'ts', contents: text.replaceAll(/\bimport\.meta\.url\b/g, `(__dist + ${place})`) }
    })
  },
}

function carry(from, to) {
  const names = readdirSync(from)
  for (const name of names) writeWhole(join(to, name), readFileSync(join(from, name)))
  for (const name of readdirSync(to)) if (!names.includes(name)) rmSync(join(to, name), { force: true })
}
