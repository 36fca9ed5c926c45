import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourcesFrom } from './client-resources.ts'
import type { Description } from './description.ts'
import { typesFrom } from './types-from-description.ts'

export const ROOT = join(import.meta.dirname, '..')

/** Every file that is generated from a description. They are committed, and a test fails when one is out of date. */
const WRITTEN = [
  { file: 'client/src/types.ts', from: 'openapi.json', write: typesFrom },
  { file: 'client/src/resources.ts', from: 'openapi.json', write: resourcesFrom },
  { file: 'console/src/api/types.ts', from: 'openapi-admin.json', write: typesFrom },
]

export function writtenFiles(): { file: string; text: string }[] {
  return WRITTEN.map(({ file, from, write }) => {
    const description: Description = JSON.parse(readFileSync(join(ROOT, from), 'utf8'))
    return { file, text: write(description, from) }
  })
}
