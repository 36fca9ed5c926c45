import { isStorableText, isVisible } from '../../../src/lib/text.ts'
import { type Columns, FORMAT, REJECTED, type Role } from './columns.ts'
import { isPlainYesOrNo, readCompleted } from './completion.ts'
import { readDay } from './dates.ts'
import { describe, type Extra } from './description.ts'
import type { Entry } from './entry.ts'
import { readMetadata } from './metadata.ts'
import { listTitle, ownCopy, plainName, trimmed } from './names.ts'
import type { People } from './people.ts'
import { portionsOf, type Source } from './records.ts'
import { DEFAULT_LIST, type Settings } from './settings.ts'
import { readHours, toMinutes } from './spent-time.ts'

/** A task as the API accepts it. */
interface NewTask {
  title: string
  notes?: string
  due_at?: string
  assignee_email?: string
  metadata?: Record<string, string>
}

export interface Draft {
  number: number
  list: string
  /** The name of the task in the system that FILE comes from; undefined when FILE has no ids. */
  externalId: string | undefined
  task: NewTask
  isCompleted: boolean
  /** The time spent; undefined when FILE says none. */
  minutes: number | undefined
}

export interface Problem {
  row: number
  field: string
  reason: string
}

interface Watchers {
  onBytes?(bytes: Buffer): void
  onBad?(problem: Problem, entry: Entry, source: Source): void
}

/** Everything in FILE that can become a task, in order. */
export async function* draftsOf(settings: Settings, people: People, watchers: Watchers): AsyncGenerator<Draft[]> {
  const { onBytes = () => {}, onBad = () => {} } = watchers
  const requireDistinct = createIdCheck()
  for await (const { entries, ...source } of portionsOf(settings, onBytes)) {
    const drafts: Draft[] = []
    for (const entry of entries) {
      const read = requireDistinct(draftOf(entry, source.columns, settings, people))
      if ('reason' in read) onBad(read, entry, source)
      else drafts.push(read)
    }
    yield drafts
  }
}

/** Two rows with the same id would be one task: which of them is meant, only the user knows. */
function createIdCheck() {
  const rows = new Map<string, number>()
  return (draft: Draft | Problem): Draft | Problem => {
    if ('reason' in draft || draft.externalId === undefined) return draft
    const { externalId, number } = draft
    const before = rows.get(externalId)
    if (before === undefined) rows.set(ownCopy(externalId), number)
    return before === undefined
      ? draft
      : { row: number, field: 'external_id', reason: `is the same as that of row ${before}` }
  }
}

const LONGEST_TITLE = 255
const LONGEST_ID = 255
const LONGEST_NOTES = 65_535

function draftOf(entry: Entry, columns: Columns, settings: Settings, people: People): Draft | Problem {
  const { number, cells } = entry
  const bad = (field: string, reason: string): Problem => ({ row: number, field, reason })
  const cell = (role: Role) => cells[columns.roles[role] ?? -1] ?? ''
  if (entry.problem !== undefined) return bad('row', entry.problem)
  const strange = strangeCell(entry, columns)
  if (strange) return bad(...strange)

  const title = trimmed(cell('title').replaceAll(/[\r\n\t]+/g, ' '))
  if (!isVisible(title)) return bad('title', 'is empty')
  if (isLonger(title, LONGEST_TITLE)) return bad('title', `has more than ${LONGEST_TITLE} characters`)
  const { list, column } = listOf(cells, columns, settings)
  if (isLonger(list, LONGEST_TITLE)) return bad('list', `has more than ${LONGEST_TITLE} characters`)
  const due = trimmed(cell('due')) === '' ? undefined : readDay(cell('due'), settings.dates)
  if (due && 'problem' in due) return bad('due', due.problem)
  const isCompleted = completionOf(entry, cell, columns, settings)
  if (isCompleted === undefined)
    return bad('completed', `${JSON.stringify(cell('completed').slice(0, 40))} is not yes, no or a date`)

  const externalId = idOf(cell, columns, settings)
  if (externalId === '')
    return bad('external_id', 'is empty. Give every row one, or use --map external_id= to import without them')
  if (externalId !== undefined && isLonger(externalId, LONGEST_ID))
    return bad('external_id', `has more than ${LONGEST_ID} characters`)
  const minutes = minutesOf(cell, settings)
  if (minutes === undefined) return bad('time', `${JSON.stringify(cell('time').slice(0, 40))} is not a number of hours`)
  const read = readMetadata(cells, columns.metadata)
  if ('reason' in read) return bad(read.field, read.reason)

  const assignee = people.find(cell('assignee'), cell('assignee_email'))
  const unknown: Extra[] = assignee && assignee.email === null ? [['Assignee', assignee.called]] : []
  const extras = settings.dropExtra ? [] : extrasOf(entry, columns, column, settings)
  const notes = describe(cell('notes'), [...unknown, ...extras], FORMAT[settings.format].origin)
  if (isLonger(notes, LONGEST_NOTES))
    return bad('notes', `has more than ${LONGEST_NOTES} characters, including what the import adds`)
  return {
    number,
    list,
    externalId,
    isCompleted,
    minutes: minutes ?? undefined,
    task: {
      title,
      ...(notes !== '' && { notes }),
      ...(due && { due_at: due.day }),
      ...(assignee?.email && { assignee_email: assignee.email }),
      ...(columns.metadata.length > 0 && { metadata: read.metadata }),
    },
  }
}

/** A cell that cannot be stored as it is, and why. */
function strangeCell({ cells, more = [] }: Entry, { names }: Columns): [field: string, reason: string] | undefined {
  const named = [...cells.map((value, n): Extra => [names[n] ?? '', value]), ...more]
  for (const [name, value] of named) {
    if (!isStorableText(value)) return [name, 'contains control characters, which cannot be stored']
    if (value.includes('\ufffd')) return [name, 'contains U+FFFD: a character was lost when the file was written']
  }
  return undefined
}

/** Counted as the server counts, by character. */
function isLonger(text: string, most: number): boolean {
  return text.length > most && [...text].length > most
}

/** If only `--list` is given, everything goes there; otherwise it is for rows that name no list. */
function listOf(
  cells: string[],
  { lists }: Columns,
  { list, listBy, map }: Settings,
): { list: string; column?: number } {
  const isForAll = list !== undefined && listBy === undefined && map.list === undefined
  const column = isForAll ? undefined : lists.find(n => trimmed(cells[n] ?? '') !== '')
  if (column === undefined) return { list: list ?? DEFAULT_LIST }
  return { list: listTitle(cells[column] ?? ''), column }
}

/** Empty when the row has none; undefined when FILE has no column for them. */
function idOf(cell: (role: Role) => string, { roles }: Columns, { idPrefix }: Settings): string | undefined {
  if (roles.external_id === undefined) return undefined
  const id = trimmed(cell('external_id'))
  return isVisible(id) ? idPrefix + id : ''
}

/** Time entries that the user gives decide alone: an issue without any has no time. */
function minutesOf(cell: (role: Role) => string, { spentHours }: Settings): number | null | undefined {
  if (spentHours === undefined) return readHours(cell('time'))
  return toMinutes(spentHours.get(trimmed(cell('external_id'))) ?? 0)
}

/** Statuses that the user gives decide alone. Otherwise an explicit statement of the export does, then a known status. */
function completionOf(
  { isCompleted }: Entry,
  cell: (role: Role) => string,
  { roles }: Columns,
  { format, done }: Settings,
): boolean | undefined {
  const status = plainName(cell('status'))
  if (done && roles.status !== undefined) return done.some(each => plainName(each) === status)
  if (isCompleted !== undefined) return isCompleted
  if (FORMAT[format].done.some(each => plainName(each) === status)) return true
  if (FORMAT[format].open?.some(each => plainName(each) === status)) return false
  return readCompleted(cell('completed'))
}

const KEPT_ELSEWHERE: Role[] = ['title', 'notes', 'due', 'assignee', 'assignee_email', 'time']

/** What has no place in a task. */
function extrasOf(
  { cells, more = [] }: Entry,
  { names, roles, metadata }: Columns,
  listColumn: number | undefined,
  { idPrefix }: Settings,
): Extra[] {
  const elsewhere = new Set([
    listColumn,
    // With a prefix it is no longer the number by which people know the task.
    idPrefix === '' ? roles.external_id : undefined,
    ...KEPT_ELSEWHERE.map(role => roles[role]),
    ...metadata.map(([, column]) => column),
  ])
  if (isPlainYesOrNo(cells[roles.completed ?? -1] ?? '')) elsewhere.add(roles.completed)
  const others = cells.flatMap((value, n): Extra[] => (elsewhere.has(n) ? [] : [[names[n] ?? '', value]]))
  return [...others.filter(([name]) => !REJECTED.includes(name)), ...more]
}
