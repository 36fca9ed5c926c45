import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))

/** A cast by which the compiler would believe anything. */
const BLIND_CAST = /\bas (?:never|any|(?:unknown|object) as)\b/

/** Where a library does not declare what it has. */
const UNDECLARED = ['adapters/scanner/contents/zip-members.ts', 'db/silence.ts']

it('No type is cast blindly, except where a library does not declare what it has', () => {
  const blind = files.filter(file => BLIND_CAST.test(readFileSync(join(root, file), 'utf8')))
  expect(blind.sort()).toEqual(UNDECLARED)
})
