import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { filesOf } from './unchanged.js'
import { writeWhole } from './whole-file.js'

// What people load in a browser, made once and compressed once: the console, and the script of the reference page.
const OUT = 'dist/pages'
const COMPRESSED = /\.(?:js|css|html|svg)$/
const LARGE_BYTES = 1_000_000

export const PAGES = ['package-lock.json', 'build/pages.js', 'console']

export async function makePages() {
  const scalar = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  const files = { 'scalar.js': readFileSync(join(scalar, '../js/standalone.js')), ...(await buildConsole()) }
  await Promise.all(Object.entries(files).map(([name, bytes]) => put(join(OUT, name), bytes)))
  const made = Object.keys(files).map(name => join(OUT, name))
  for (const name of filesOf(OUT)) if (!made.includes(name.replace(/\.(?:br|gz)$/, ''))) rmSync(name)
}

async function buildConsole() {
  const { build } = await import('vite')
  const { output } = await build({ configFile: 'console/vite.config.ts', build: { write: false } })
  return Object.fromEntries(
    output.map(file => [`console/${file.fileName}`, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
}

async function put(name, bytes) {
  if (COMPRESSED.test(name)) {
    // The highest levels take many times as long and save a few hundredths.
    const level = bytes.length > LARGE_BYTES ? 5 : 9
    const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes)])
    writeWhole(`${name}.br`, br)
    writeWhole(`${name}.gz`, gz)
  }
  writeWhole(name, bytes)
}
