import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** A row of the table in CONTRIBUTING: the list that a name is added to, and the files that then fail to compile. */
interface Row {
  what: string
  list: string
  file: string
  asked: string[]
  /** The name that this test adds. */
  added: string
}

const ROWS = readRows(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))

function readRows(text: string): Row[] {
  const rows = text.matchAll(/^\| ([\w ]+) \| `(\w+)` in `([\w/.-]+)` \| (.+?) \|/gm)
  return [...rows].map(([, what = '', list = '', file = '', asked = '']) => ({
    what,
    list,
    file,
    asked: [...asked.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path).sort(),
    added: `added_${what.replaceAll(' ', '_')}`,
  }))
}

/** Compiling takes seconds, so additions that concern different files are made together. */
function together(rows: Row[]): Row[][] {
  const groups: Row[][] = []
  for (const row of rows) {
    const free = groups.find(group => group.every(({ asked }) => !asked.some(file => row.asked.includes(file))))
    if (free) free.push(row)
    else groups.push([row])
  }
  return groups
}

interface Complaint {
  file: string
  text: string
}

function compileWith(rows: Row[]): Promise<Complaint[]> {
  const copy = mkdtempSync(join(tmpdir(), 'diwan-adding-'))
  for (const name of ['src', 'tsconfig.json', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const { list, file, added } of rows) addTo(list, join(copy, file), added)
  return compile(copy).finally(() => rmSync(copy, { recursive: true, force: true }))
}

function addTo(list: string, file: string, added: string): void {
  const source = readFileSync(file, 'utf8')
  const beginning = `const ${list} = [`
  if (!source.includes(beginning)) throw new Error(`${file} has no list ${list}`)
  writeFileSync(file, source.replace(beginning, `${beginning}'${added}', `))
}

function compile(folder: string): Promise<Complaint[]> {
  const args = ['--noEmit', '--incremental', 'false', '--pretty', 'false', '--singleThreaded']
  const options = { cwd: folder, maxBuffer: 2 ** 26, timeout: 120_000 }
  return new Promise(resolve => {
    execFile(join(root, 'node_modules/.bin/tsc'), args, options, (_error, stdout) => {
      // The explanation of an error follows it, indented.
      const complaints = stdout.split(/\n(?=\S)/).filter(text => text.includes(': error '))
      resolve(complaints.map(text => ({ file: text.slice(0, text.indexOf('(')), text })))
    })
  })
}

const isAbout = ({ added, file: list }: Row, { file, text }: Complaint) =>
  text.includes(`'${added}' is missing`) || file === list

describe('Adding to a list', { timeout: 180_000 }, () => {
  let complaints: Complaint[]
  beforeAll(async () => {
    complaints = (await Promise.all(together(ROWS).map(compileWith))).flat()
  }, 180_000)

  it('is explained for job kinds, notification kinds, mail languages and plans at least', () => {
    expect(ROWS.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['job kind', 'notification kind', 'mail language', 'plan']),
    )
  })

  it.each(ROWS)('makes the compiler name the files that CONTRIBUTING lists for a $what', row => {
    const named = complaints.filter(complaint => isAbout(row, complaint)).map(({ file }) => file)
    expect([...new Set(named)].sort()).toEqual(row.asked)
  })

  it('makes it complain of nothing else', () => {
    expect(complaints.filter(complaint => !ROWS.some(row => isAbout(row, complaint)))).toEqual([])
  })
})
