import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

// What people load in a browser, made once and compressed once: the console, and the script of the reference page.
const OUT = 'dist/pages'
const SCALAR = join(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference'), '../js/standalone.js')
const COMPRESSED = /\.(?:js|css|html|svg)$/

const made = fingerprint()
if (made !== earlier()) {
  const files = { 'scalar.js': readFileSync(SCALAR), ...(await buildConsole()) }
  await Promise.all(Object.entries(files).map(([name, bytes]) => put(name, bytes)))
  for (const name of filesOf(OUT)) if (!(name.replace(/\.(?:br|gz)$/, '') in files)) rmSync(join(OUT, name))
  write('.made-of', made)
}

/** Of everything that goes in: unchanged, nothing is made again. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const name of ['package-lock.json', 'build/pages.js', ...filesOf('console').map(name => join('console', name))])
    hash.update(`${name}\0`).update(readFileSync(name))
  return hash.digest('hex')
}

function earlier() {
  try {
    return readFileSync(join(OUT, '.made-of'), 'utf8')
  } catch {
    return undefined
  }
}

async function buildConsole() {
  const { build } = await import('vite')
  const { output } = await build({ configFile: 'console/vite.config.ts', build: { write: false } })
  return Object.fromEntries(
    output.map(file => [`console/${file.fileName}`, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
}

async function put(name, bytes) {
  const level = bytes.length > 1_000_000 ? 8 : 11
  if (COMPRESSED.test(name)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    write(`${name}.br`, await promisify(brotliCompress)(bytes, { params }))
    write(`${name}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
  write(name, bytes)
}

/** Whole at once: another process may be reading. */
function write(name, bytes) {
  const [draft, target] = [join(OUT, `.made.${process.pid}`), join(OUT, name)]
  mkdirSync(dirname(target), { recursive: true })
  const own = `${draft}.${name.replaceAll('/', '-')}`
  writeFileSync(own, bytes)
  renameSync(own, target)
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter(name => !/(?:^|\/)(?:node_modules|\.[^/]*)(?:\/|$)/.test(name) && statSync(join(folder, name)).isFile())
    .sort()
}
