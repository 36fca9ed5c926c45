import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The maps that live as long as the process, besides those of `lib/recent.ts`, and what keeps each from growing. */
const BOUNDED: Record<string, string> = {
  'cli/src/import/names.ts: plainNames': 'the names of one import, whose process ends with it',
  'cli/src/import/rejects.ts: BYTES': 'the encodings of files',
  'cli/src/remote/api.ts: told': 'two words',
  'src/admin/webhook-test.ts: underWay': 'tests of webhooks that are running; each leaves it when it ends',
  'src/db/prepared-statements.ts: kept': 'the open connections; each leaves it when it ends',
  'src/db/prepared-statements.ts: names': 'MOST_TEXTS',
  'src/http/pages/static-files.ts: known': 'the files of the build',
}

/** A map or set at the top of a module that starts out empty. */
const LONG_LIVED = /^(?:export )?(?:const|let) (\w+)\b.*= new (?:Map|Set)(?:<.*>)?\(\)/gm

it('A map that lives as long as the process forgets what is old, or has a bound that is written down here', () => {
  const found = ['cli/src', 'src']
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
    )
    .filter(file => file.endsWith('.ts'))
    .flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(LONG_LIVED)].map(([, name]) => `${file}: ${name}`),
    )
  expect(found.sort()).toEqual(Object.keys(BOUNDED))
})
