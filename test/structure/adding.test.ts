// @module-tag long

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The rows of the table in CONTRIBUTING: the list that a name is added to, and the files that then fail to compile. */
const ROWS = [
  ...readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(
    /^\| ([\w ]+) \| `(\w+)` in `([\w/.-]+)` \| (.+?) \|/gm,
  ),
].map(([, what = '', list = '', file = '', asked = '']) => ({
  what,
  list,
  file,
  asked: [...asked.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path).sort(),
  added: `added_${what.replaceAll(' ', '_')}`,
}))

/** The field that CONTRIBUTING adds to tasks, in two of the three files of code that it names. */
const ESTIMATE: [file: string, after: string, written: string][] = [
  ['src/api/task-record.ts', 'due_at_hijri: HijriDay(),', 'estimate: Type.Optional(Nullable(Type.Integer())),'],
  ['src/api/task-record.ts', 'completed_at: Nullable(Instant()),', 'estimate: Nullable(Type.Integer()),'],
  ['src/api/task-record.ts', 't.completed_at, t.due_at,', ' t.estimate,'],
]
/** A kind of record as it is declared, but for `words` and `example`. */
const LABEL = `label: {
  table: 'labels', readBy: 'tasks:read', parameter: 'label', handle: 'The id of a label', title: 'name', address: '/labels/:id',
  isSearched: true, isAudited: true, deletion: 'removed',
  feed: { changes: ['created', 'deleted'], fields: { name: 'name' }, states: [], showsUpdatedAt: false },
},`

/** The complaints of the compiler about a copy of the sources in which words were added. */
async function complaintsAfter(edits: [file: string, after: string, written: string][]) {
  const copy = mkdtempSync(join(tmpdir(), 'diwan-adding-'))
  for (const name of ['main.ts', 'cli', 'client', 'src', 'tsconfig.json', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const [file, after, written] of edits) {
    const source = readFileSync(join(copy, file), 'utf8')
    expect(source, file).toContain(after)
    writeFileSync(join(copy, file), source.replace(after, after + written))
  }
  const args = ['--noEmit', '--incremental', 'false', '--pretty', 'false', '--singleThreaded']
  const said = await new Promise<string>(resolve => {
    execFile(join(root, 'node_modules/.bin/tsc'), args, { cwd: copy, maxBuffer: 2 ** 26 }, (_, stdout) =>
      resolve(stdout),
    )
  })
  rmSync(copy, { recursive: true })
  // The explanation of an error follows it, indented.
  return said.split(/\n(?=\S)/).filter(text => text.includes(': error '))
}

const filesIn = (complaints: string[]) => [...new Set(complaints.map(text => text.slice(0, text.indexOf('('))))].sort()

describe('The compiler names the files that are still missing', { timeout: 600_000 }, () => {
  it('where a name is added to a list, as the table in CONTRIBUTING says', async () => {
    expect(ROWS.map(({ what }) => what)).toEqual(expect.arrayContaining(['job kind', 'language', 'plan']))
    const complaints = await complaintsAfter(
      ROWS.map(({ list, file, added }) => [file, `const ${list} = [`, `'${added}', `]),
    )
    const asked = ROWS.flatMap(row => row.asked)
    expect(filesIn(complaints)).toEqual([...new Set(asked)].sort())
  })

  it('where a field is added in one file, and where a kind of record is', async () => {
    const ofField = (await complaintsAfter(ESTIMATE)).join('\n')
    expect(ofField).toContain('src/domain/records/records.ts does not declare estimate')
    expect(ofField).toMatch(/src\/api\/task-writes\.ts.*\n? *.*'estimate' is missing/)
    const ofKind = await complaintsAfter([['src/domain/records/records.ts', 'export const RECORDS = {', LABEL]])
    const expected = ['cli/src/export/records.ts', 'src/api/search/sources.ts', 'src/domain/records/records.ts']
    expect(filesIn(ofKind)).toEqual(expect.arrayContaining(expected))
    expect(ofKind.join('\n')).toContain(': words, example')
  })
})
