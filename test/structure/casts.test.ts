import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = ['cli/src', 'src']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  .filter(file => file.endsWith('.ts'))

/** A cast that makes the compiler accept anything. Biome refuses the type `any`, unless a comment says why. */
const BLIND = /\bas (?:never|any|(?:unknown|object) as)\b|\bas Services\b|lint\/suspicious\/noExplicitAny/

/** Files that use what a library has and does not declare, or that fill in a part of a type. Each says why. */
const EXCEPTIONS = [
  'src/adapters/scanner/contents/zip-members.ts', // zlib's `info`
  'src/db/engine.ts', // the module of PGlite
  'src/db/engine-thread.ts', // an answer of a thread
  'src/db/log-flushes.ts', // the module of PGlite
  'src/db/pg-internals.ts', // connections of pg
  'src/http/endpoints/reads-inside.ts', // reads that need no services
]

it('No type is cast blindly, except where a file says why', () => {
  const blind = files.filter(file => BLIND.test(readFileSync(join(root, file), 'utf8')))
  expect(blind.length).toBeGreaterThan(0)
  expect(blind.filter(file => !EXCEPTIONS.includes(file))).toEqual([])
})

it('Nothing global is replaced, except the decoder of text in the thread of the engine', () => {
  const replacing = files.filter(file =>
    /globalThis\.\w+ =|\.prototype\.\w+ =/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(replacing).toEqual(['src/db/exact-decoding.ts'])
})
