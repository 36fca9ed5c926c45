// @module-tag long

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { type OtherSpellings, otherSpellings } from '../../src/lib/other-spellings.ts'
import { type Pattern, type Patterns, patternsIn, slownessOf } from '../support/patterns.ts'

const root = join(import.meta.dirname, '../../src')
const files = ['.', '../cli/src']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  .filter(file => file.endsWith('.ts'))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/**
 * Files that build patterns while the program runs, and the patterns that result; none is built from untrusted input, except for
 * the letters and digits of a query.
 */
const BUILT_LATER: Record<string, Pattern[]> = {
  'adapters/scanner/contents/tar.ts': [{ source: '^\\d+ path=(.*)$', flags: 'm' }],
  'adapters/scanner/contents/pdf-filters.ts': [
    { source: '/Columns\\s{0,8}(\\d{1,6})(\\s{1,8}\\d{1,5}\\s{1,8}R)?', flags: 'g' },
  ],
  'adapters/scanner/contents/pdf-lock.ts': [
    { source: '/V\\s{0,8}(-?\\d{1,12})', flags: '' },
    { source: '/O\\s{0,8}([(<])', flags: '' },
  ],
  'adapters/scanner/yara/built-in-rules.ts': namesInRules(),
  'api/search/ranks.ts': ofSearches(),
  'adapters/scanner/yara/own-rules.ts': [{ source: '\\bfilename\\b', flags: '' }],
}

/** How a name can contain each of these words. */
function ofSearches(): Pattern[] {
  const words = ['بعقودهم', 'والمراجعات', 'عبدالله', 'هيئة', 'po4512', '0501234567', 'checklist'].map(text => ({
    text,
    typed: text,
  }))
  const { closely, anywhere, inflected, misspelled } = otherSpellings(words) as OtherSpellings
  return [closely, anywhere, inflected, misspelled()]
    .flatMap(each => each ?? [])
    .map(({ pattern }) => ({ source: pattern, flags: 'u' }))
}

/** Our rules name the files that they apply to by a pattern. */
function namesInRules(): Pattern[] {
  const names = read('adapters/scanner/yara/rules/diwan.yar').matchAll(/^ +name = (".+")$/gm)
  return [...names].map(([, quoted = '']) => ({ source: JSON.parse(quoted), flags: 'i' }))
}

/** The patterns that modules build while they are loaded. Each is loaded once: a copy for each file would fill the memory. */
async function builtAtLoad(files: string[]): Promise<Pattern[]> {
  const built: Pattern[] = []
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, [source, flags = '']) {
        built.push({ source, flags })
        return new target(source, flags)
      },
    }),
  )
  vi.resetModules()
  try {
    for (const file of files) await import(join(root, file))
  } finally {
    vi.unstubAllGlobals()
  }
  return built
}

/** All patterns in a schema, however deeply nested. */
function inSchemas(schema: unknown): Pattern[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'pattern' in schema && typeof schema.pattern === 'string' ? [{ source: schema.pattern, flags: 'u' }] : []
  return [...own, ...Object.values(schema).flatMap(inSchemas)]
}

const slow = (patterns: Pattern[]) => patterns.map(slownessOf).filter(each => each !== undefined)

describe('Patterns take linear time on whatever a stranger writes', { timeout: 900_000 }, () => {
  const found: Record<string, Patterns> = {}
  beforeAll(async () => {
    for (const file of files) found[file] = await patternsIn(file, read(file))
  })

  it('in every file', () => {
    for (const file of files) {
      const { written, builtLater } = found[file] as Patterns
      expect([file, slow(written)]).toEqual([file, []])
      if (builtLater.length > 0) expect(BUILT_LATER[file], `${file}: ${builtLater} is not accounted for`).toBeDefined()
    }
  })

  it('when they are built while a module is loaded, or later', async () => {
    const building = files.filter(file => (found[file] as Patterns).builtAtLoad.length > 0)
    const built = await builtAtLoad(building)
    expect(built.length).toBeGreaterThanOrEqual(building.length)
    expect(slow(built)).toEqual([])
    for (const patterns of Object.values(BUILT_LATER)) expect([patterns.length > 0, slow(patterns)]).toEqual([true, []])
  })

  it('in the schemas of bodies and queries', () => {
    const patterns = [...apiEndpoints, ...adminEndpoints].flatMap(({ body, query }) => inSchemas([body, query]))
    expect(patterns).not.toEqual([])
    expect(slow(patterns)).toEqual([])
  })
})

it('A slow pattern is found wherever it stands, and one that only looks like it is none', {
  timeout: 60_000,
}, async () => {
  const code =
    "const a = text.replace(/=+$/, ''); class B { static end = new RegExp(' +$', 'm') }; const END = RegExp(a + '+$')"
  const { written, builtAtLoad } = await patternsIn('planted.ts', code)
  expect([slow(written).length, builtAtLoad.length]).toEqual([2, 1])
  expect(slow([{ source: '^[^@]+@[^@]+$', flags: '' }])).toEqual([])
})
