import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = ['cli/src', 'src']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  .filter(file => file.endsWith('.ts'))

/** A cast that makes the compiler accept anything. */
const BLIND_CAST = /\bas (?:never|any|(?:unknown|object) as)\b/

/** Code that uses libraries, which do not always declare everything that they have. */
const BESIDE_LIBRARIES = /^src\/(?:adapters|db)\//

it('No type is cast blindly, except beside a library that does not declare what it has', () => {
  const blind = files.filter(file => BLIND_CAST.test(readFileSync(join(root, file), 'utf8')))
  expect(blind.filter(file => !BESIDE_LIBRARIES.test(file))).toEqual([])
})
