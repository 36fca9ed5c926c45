import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Copies, copyFolder, sizeOfFolder } from '../../src/lib/copy-folder.ts'

let [from, to] = ['', '']
let copies: Copies
beforeEach(() => {
  from = mkdtempSync(join(tmpdir(), 'diwan-copied-'))
  to = `${from}-copy`
  copies = new Map()
})
afterEach(() => {
  for (const folder of [from, to]) rmSync(folder, { recursive: true, force: true })
})

const longAgo = new Date('2026-01-01T00:00:00Z')

function write(name: string, content: string, at = longAgo): void {
  writeFileSync(join(from, name), content)
  utimesSync(join(from, name), at, at)
}

const read = (name: string) => readFileSync(join(to, name), 'utf8')

it('A copy has every file and every folder, empty ones too', async () => {
  mkdirSync(join(from, 'a/b'), { recursive: true })
  mkdirSync(join(from, 'empty'))
  write('a/b/one', 'one')
  write('two', 'two')
  await copyFolder(from, to, copies)
  expect(readdirSync(to, { recursive: true }).sort()).toEqual(['a', 'a/b', 'a/b/one', 'empty', 'two'])
  expect([read('a/b/one'), read('two'), await sizeOfFolder(to)]).toEqual(['one', 'two', 6])
})

it('Brought up to date, it has what has changed, lacks what is gone, and is not copied again for the rest', async () => {
  for (const name of ['changed', 'gone', 'same']) write(name, 'first')
  await copyFolder(from, to, copies)
  write('changed', 'again', new Date('2026-01-01T00:00:01Z'))
  write('new', 'new')
  rmSync(join(from, 'gone'))
  // Whoever copies it again overwrites this.
  writeFileSync(join(to, 'same'), 'left alone')
  await copyFolder(from, to, copies)
  expect(readdirSync(to).sort()).toEqual(['changed', 'new', 'same'])
  expect([read('changed'), read('new'), read('same')]).toEqual(['again', 'new', 'left alone'])
})

it('What was written a moment before it was copied is copied again, though its time and size are the same', async () => {
  const now = new Date()
  write('busy', 'first', now)
  await copyFolder(from, to, copies)
  write('busy', 'again', now)
  await copyFolder(from, to, copies)
  expect(read('busy')).toBe('again')
})
