import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Every file of the build, and when it was last written. */
function written(): Record<string, number> {
  const names = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(names.map(name => [name, statSync(join('dist', name)).mtimeMs]))
}

it('A build whose sources have not changed says nothing and writes nothing', () => {
  const before = written()
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['main.js', 'pages/console/index.html.br']))
  expect(execFileSync(process.execPath, ['build/build.js'], { encoding: 'utf8' })).toBe('')
  expect(written()).toEqual(before)
})
