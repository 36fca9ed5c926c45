import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { filesOf } from './unchanged.js'
import { writeWhole } from './whole-file.js'

// What people load in a browser, built and compressed once: the console, and the script of the reference page.
const OUT = 'dist/pages'
const COMPRESSED = /\.(?:js|css|html|svg)$/
const LARGE_BYTES = 1_000_000

/** The preview of a document reads Markdown as the server does that makes a PDF of it. */
const SHARED = ['src/adapters/pdf/markdown-tree.ts', 'src/lib/base-direction.ts']
export const PAGES = ['package-lock.json', 'build/pages.js', 'console', ...SHARED]

export async function makePages() {
  // One is compressed in other threads while the other is built.
  const made = (await Promise.all([reference(), buildConsole()].map(putAll))).flat()
  for (const name of filesOf(OUT)) if (!made.includes(name.replace(/\.(?:br|gz)$/, ''))) rmSync(name)
}

async function reference() {
  const scalar = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return { 'scalar.js': readFileSync(join(scalar, '../js/standalone.js')) }
}

async function buildConsole() {
  const { build } = await import('vite')
  const { output } = await build({ configFile: 'console/vite.config.ts', build: { write: false } })
  return Object.fromEntries(
    output.map(file => [`console/${file.fileName}`, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
}

async function putAll(making) {
  const files = Object.entries(await making).map(([name, bytes]) => [join(OUT, name), bytes])
  await Promise.all(files.map(([name, bytes]) => put(name, bytes)))
  return files.map(([name]) => name)
}

async function put(name, bytes) {
  if (COMPRESSED.test(name)) {
    // The highest levels take many times as long and save only a few percent.
    const level = bytes.length > LARGE_BYTES ? 5 : 9
    const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes)])
    writeWhole(`${name}.br`, br)
    writeWhole(`${name}.gz`, gz)
  }
  writeWhole(name, bytes)
}
