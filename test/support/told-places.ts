import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Recorded } from './recorded-statements.ts'
import { type Env, newFolder } from './server-process.ts'

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
/** How esbuild tells of which file the lines below it are. */
const FILE = /^\/\/ (src\/\S+|\S*node_modules\/\S+)$/
const SQL = 'node_modules/sql-template-tag/'

/** What makes a server write down which of its sources had a part in putting each statement together. */
export function tellingPlaces(): { env: Env; places: () => Map<string, string[]> } {
  const file = join(newFolder(), 'places')
  const sourceAt = sources()
  return {
    env: {
      PLACES: file,
      SQL_MODULE: moduleWith(SQL),
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('./told-places.mjs', import.meta.url))}`,
    },
    places() {
      const places = new Map<string, string[]>()
      for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
        const { text, places: built } = JSON.parse(line) as Recorded
        places.set(text, [...(places.get(text) ?? []), ...built.map(sourceAt)])
      }
      return places
    },
  }
}

function moduleWith(words: string): string {
  const shared = join(DIST, 'shared')
  const found = readdirSync(shared).find(name => readFileSync(join(shared, name), 'utf8').includes(words))
  if (found === undefined) throw new Error(`No file in ${shared} has "${words}"`)
  return join(shared, found)
}

/** The source of a line in dist. */
function sources(): (place: string) => string {
  const files = new Map<string, string[]>()
  return place => {
    const [file = '', line] = place.split(':')
    const lines = files.get(file) ?? readFileSync(join(DIST, file), 'utf8').split('\n')
    files.set(file, lines)
    const heading = lines.slice(0, Number(line)).findLast(one => FILE.test(one))
    return heading === undefined ? place : (FILE.exec(heading)?.[1] as string)
  }
}
