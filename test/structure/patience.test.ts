import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../console')
const tests = readdirSync(folder).filter(file => file.endsWith('.test.ts'))

/** What a page shows is read once by these: a page that is still drawing fails the test. */
const READ_ONCE =
  /expect\(await [^\n]*\.(?:count|textContent|innerText|all(?:Text|Inner)\w+|is[A-Z]\w+|inputValue|getAttribute)\([^\n]*\)\)\./g

it('Tests of the console wait for what a page shows (`expect.poll`) instead of reading it once', () => {
  const impatient = tests.flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(READ_ONCE)].map(([found]) => `${file}: ${found}`),
  )
  expect(tests.length).toBeGreaterThan(20)
  expect(impatient).toEqual([])
})

/** The feed waits for every transaction that is underway on the server, also for those of tests that run at the same time. */
const FEED_READ_ONCE =
  /await [\w.]+\.get\([`']\/company\/changes(?:\?after=\$\{\w+\}[^`]*)?[`']\)\)\.body\.(?:data|meta)/g

it('Tests of the API wait for the feed (test/support/feed.ts) instead of reading it as soon as they have written', () => {
  const impatient = ['api', 'admin', 'mcp'].flatMap(group => {
    const at = join(import.meta.dirname, '..', group)
    return readdirSync(at).flatMap(file =>
      [...readFileSync(join(at, file), 'utf8').matchAll(FEED_READ_ONCE)].map(([found]) => `${group}/${file}: ${found}`),
    )
  })
  expect(impatient).toEqual([])
})
