import { createHash } from 'node:crypto'
import { Failure, UsageError } from '../frame/command.ts'
import { UnreadableRow } from './csv-reader.ts'
import { draftsOf, type Problem } from './drafts.ts'
import type { Entry } from './entry.ts'
import { UnreadableJson } from './json-records.ts'
import { ownCopy } from './names.ts'
import type { People } from './people.ts'
import type { Source } from './records.ts'
import type { Rejects } from './rejects.ts'
import type { Settings } from './settings.ts'

/** What FILE contains, found by reading all of it and keeping none of it. */
export interface Checked {
  digest: string
  tasks: number
  completed: number
  /** How many have a time spent. */
  timed: number
  bad: number
  /** The first of the bad rows. */
  problems: Problem[]
  /** Whether FILE has a column for ids, and so every row one. */
  hasIds: boolean
  /** The titles of the lists in order of appearance, and the number of tasks of each. */
  lists: Map<string, number>
}

const MOST_PROBLEMS = 1_000
const MOST_LISTS = 1_000

export async function check(settings: Settings, people: People, rejects?: Rejects): Promise<Checked> {
  const digest = createHash('sha256')
  const checked: Checked = {
    digest: '',
    tasks: 0,
    completed: 0,
    timed: 0,
    bad: 0,
    problems: [],
    hasIds: false,
    lists: new Map(),
  }
  const watchers = {
    onBytes: (bytes: Buffer) => void digest.update(bytes),
    onBad(problem: Problem, ...where: [entry: Entry, source: Source]) {
      checked.bad++
      if (checked.problems.length < MOST_PROBLEMS) checked.problems.push(problem)
      rejects?.add(problem, ...where)
    },
  }
  try {
    for await (const drafts of draftsOf(settings, people, watchers)) {
      for (const { list, externalId, isCompleted, minutes } of drafts) {
        checked.hasIds = externalId !== undefined
        checked.tasks++
        if (isCompleted) checked.completed++
        if (minutes !== undefined) checked.timed++
        const count = checked.lists.get(list)
        checked.lists.set(count === undefined ? ownCopy(list) : list, (count ?? 0) + 1)
      }
      if (checked.lists.size > MOST_LISTS)
        throw new Failure(
          `FILE would create more than ${MOST_LISTS} lists. Choose another column with --list-by, or use --list`,
        )
      await rejects?.drain()
    }
  } catch (error) {
    throw explained(settings.file, error)
  }
  return { ...checked, digest: digest.digest('hex') }
}

function explained(file: string, error: unknown): unknown {
  if (error instanceof UnreadableRow || error instanceof UnreadableJson) return new Failure(`${file}: ${error.message}`)
  if (error instanceof Error && 'syscall' in error) return new UsageError(`FILE cannot be read: ${error.message}`)
  return error
}
