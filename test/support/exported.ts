import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was exported
type Line = any

/** The kind that the feed gives to the records of each file of an export. */
const KINDS = {
  projects: 'project',
  task_lists: 'task_list',
  tasks: 'task',
  discussions: 'discussion',
  comments: 'comment',
  folders: 'folder',
  files: 'file',
}

/** Derived from other records; the feed does not report changes to them. */
const DERIVED = ['task_lists_count', 'tasks_count', 'completed_tasks_count', 'replies_count']
const DERIVED_OF_LISTS = ['completed', 'completed_at']

export function linesOf(folder: string, name: string): Line[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8').split('\n')
  return lines.slice(0, -1).map(line => JSON.parse(line))
}

/** Every record that the feed reports on, by its kind and id there, without the derived fields. */
export function recordsIn(folder: string): Map<string, Line> {
  const records = new Map<string, Line>()
  for (const [name, kind] of Object.entries(KINDS)) {
    for (const line of linesOf(folder, name)) {
      const derived = kind === 'task_list' ? [...DERIVED, ...DERIVED_OF_LISTS] : DERIVED
      for (const field of derived) delete line[field]
      records.set(`${kind} ${line.ref ?? line.id}`, line)
    }
  }
  return records
}

/** The records that are in only one of the exports, or differ between them. */
export function differences(a: Map<string, Line>, b: Map<string, Line>): string[] {
  const text = (record: Line) => JSON.stringify(record)
  return [...new Set([...a.keys(), ...b.keys()])].filter(key => text(a.get(key)) !== text(b.get(key)))
}

/** A digest of every file in a folder: equal for folders that are equal byte for byte. */
export function fingerprintsIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort()
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(paths.map(path => [path.slice(folder.length + 1), digest(path)]))
}
