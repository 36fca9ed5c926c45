import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

/** Compiles a copy of the sources in which something was edited. */
function compileAfter(edit: (copy: string) => void): Promise<Complaint[]> {
  const copy = mkdtempSync(join(tmpdir(), 'diwan-adding-'))
  for (const name of ['main.ts', 'cli', 'client', 'src', 'tsconfig.json', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  edit(copy)
  return compile(copy).finally(() => rmSync(copy, { recursive: true, force: true }))
}

function compileWith(rows: Row[]): Promise<Complaint[]> {
  return compileAfter(copy => {
    for (const { list, file, added } of rows) addTo(list, join(copy, file), added)
  })
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
  return new Promise((resolve, reject) => {
    execFile(join(root, 'node_modules/.bin/tsc'), args, options, (error, stdout) => {
      // The explanation of an error follows it, indented.
      const complaints = stdout.split(/\n(?=\S)/).filter(text => text.includes(': error '))
      // A compiler that was stopped or did not start has not found the sources in order.
      if (error && (error.killed || complaints.length === 0)) return reject(error)
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

  it('is explained for job kinds, notification kinds, languages and plans at least', () => {
    expect(ROWS.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['job kind', 'notification kind', 'language', 'plan']),
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

/** The files in the first column of the table below a heading of CONTRIBUTING. */
function filesUnder(heading: string): string[] {
  const [, chapter = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`\n## ${heading}\n`)
  const [table = ''] = /\| File \|.*?\n\n/s.exec(chapter) ?? []
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file)
}

/** The field that CONTRIBUTING adds to tasks, in each file of code that it names: after what, and what is written there. */
const ESTIMATE: Record<string, [after: string, written: string][]> = {
  'src/domain/records/records.ts': [["time_spent_minutes: 'time_spent_minutes',", "estimate: 'estimate',"]],
  'src/api/task-record.ts': [
    ['due_at_hijri: HijriDay(),', 'estimate: Type.Optional(Nullable(Type.Integer())),'],
    ['completed_at: Nullable(Instant()),', 'estimate: Nullable(Type.Integer()),'],
    ['t.completed_at, t.due_at,', ' t.estimate,'],
  ],
  'src/api/task-writes.ts': [['const COLUMNS: Record<keyof Stored, string> = {', " estimate: 'integer',"]],
}

function addEstimate(copy: string, files: string[]): void {
  for (const file of files) {
    let source = readFileSync(join(copy, file), 'utf8')
    for (const [after, written] of ESTIMATE[file] ?? []) {
      if (!source.includes(after)) throw new Error(`${file} does not contain ${after}`)
      source = source.replace(after, after + written)
    }
    writeFileSync(join(copy, file), source)
  }
}

describe('Adding a field', { timeout: 180_000 }, () => {
  const files = Object.keys(ESTIMATE)

  it('takes the four files that CONTRIBUTING names: the migration, and three of code', async () => {
    expect(filesUnder('Adding a field').sort()).toEqual(['src/db/migrations/00NN_estimates.sql', ...files].sort())
    expect(await compileAfter(copy => addEstimate(copy, files))).toEqual([])
  })

  it('does not compile before all three of code have it, and the compiler says which', async () => {
    const complaints = await compileAfter(copy => addEstimate(copy, ['src/api/task-record.ts']))
    const said = complaints.map(({ text }) => text).join('\n')
    expect(said).toContain('src/domain/records/records.ts does not declare estimate')
    expect(said).toMatch(/src\/api\/task-writes\.ts.*\n? *.*'estimate' is missing/)
  })
})

/** A kind of record as it is declared, but for `words` and `example`. */
const LABEL = `
  label: {
    table: 'labels',
    readBy: 'tasks:read',
    parameter: 'label',
    handle: 'The id of a label',
    title: 'name',
    address: '/labels/:id',
    isSearched: true,
    isAudited: true,
    deletion: 'removed',
    feed: { changes: ['created', 'deleted'], fields: { name: 'name' }, states: [], showsUpdatedAt: false },
  },`

function addLabel(copy: string): void {
  const file = join(copy, 'src/domain/records/records.ts')
  const beginning = 'export const RECORDS = {'
  writeFileSync(file, readFileSync(file, 'utf8').replace(beginning, beginning + LABEL))
}

describe('Adding a resource', { timeout: 180_000 }, () => {
  it('takes fourteen files of code and tests at most, and those that exist have the name that CONTRIBUTING gives', () => {
    const files = filesUnder('Adding a resource')
    expect(files.length).toBeGreaterThan(5)
    expect(files.length).toBeLessThanOrEqual(14)
    expect(files.filter(file => !/<resource>/.test(file) && !existsSync(join(root, file)))).toEqual([])
  })

  it('does not compile without an export, a search source, words for the console and an example', async () => {
    const complaints = await compileAfter(addLabel)
    const expected = ['cli/src/export/records.ts', 'src/api/search/sources.ts', 'src/domain/records/records.ts']
    expect(complaints.map(({ file }) => file)).toEqual(expect.arrayContaining(expected))
    expect(complaints.map(({ text }) => text).join('\n')).toContain(': words, example')
  })
})
