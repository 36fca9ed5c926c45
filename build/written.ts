import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourcesFrom } from './client-resources.ts'
import { consoleWords } from './console-words.ts'
import type { Description } from './description.ts'
import { pythonResourcesFrom } from './python-resources.ts'
import { pythonTypesFrom } from './python-types.ts'
import { typesFrom } from './types-from-description.ts'

export const ROOT = join(import.meta.dirname, '..')

/** Every file that is generated from a description. */
const FROM_DESCRIPTIONS = [
  { file: 'client/src/types.ts', from: 'openapi.json', write: typesFrom },
  { file: 'client/src/resources.ts', from: 'openapi.json', write: resourcesFrom },
  { file: 'clients/python/src/diwan/types.py', from: 'openapi.json', write: pythonTypesFrom },
  { file: 'clients/python/src/diwan/_resources.py', from: 'openapi.json', write: pythonResourcesFrom },
  { file: 'console/src/api/types.ts', from: 'openapi-admin.json', write: typesFrom },
]

/** Every file that `npm run openapi` generates. They are committed, and a test fails when one is out of date. */
export function writtenFiles(): { file: string; text: string }[] {
  const described = FROM_DESCRIPTIONS.map(({ file, from, write }) => {
    const description: Description = JSON.parse(readFileSync(join(ROOT, from), 'utf8'))
    return { file, text: write(description, from) }
  })
  return [...described, { file: 'console/src/words/record-kinds.ts', text: consoleWords() }]
}
