import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LOCKS } from '../../src/db/advisory-locks.ts'

const read = (file: string) => readFileSync(`src/db/${file}`, 'utf8')

/** The key and the file of each lock that the list in the code says is taken by a function of the database. */
const LISTED = [...read('advisory-locks.ts').matchAll(/^\/\/ (\w+(?: %s)+) .* (\d{4}_\w+\.sql) /gm)].map(
  ([, key = '', file = '']) => [key, file],
)

it('Advisory locks that functions of the database take are listed beside those of the code, each with a key of its own', () => {
  const taken = readdirSync('src/db/migrations').flatMap(file =>
    [...read(`migrations/${file}`).matchAll(/hashtextextended\(format\('([^']+)'/g)].map(([, key]) => `${key} ${file}`),
  )
  expect(new Set(taken)).toEqual(new Set(LISTED.map(each => each.join(' '))))
  const own = Object.values(LOCKS).map(lock => (typeof lock === 'number' ? String(lock) : lock(1, 'x' as never)))
  const names = [...own, ...LISTED.map(([key = '']) => key)].map(key => key.split(' ')[0])
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
})

it('Advisory locks that functions of the database take are only tried, but for the one whose order is known', () => {
  const taking = readdirSync('src/db/migrations').flatMap(file =>
    (read(`migrations/${file}`).match(/pg_\w*advisory\w*/g) ?? []).map(name => ({ file, name })),
  )
  const waiting = taking.filter(({ name }) => name !== 'pg_try_advisory_xact_lock')
  expect(waiting.map(({ file, name }) => [file.slice(5), name])).toEqual([
    ['external_ids.sql', 'pg_advisory_xact_lock'],
  ])
})
