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
