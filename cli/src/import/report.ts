import { counted } from '../../../src/lib/counted.ts'
import { harmless, note, print, printJson } from '../frame/output.ts'
import type { Allowance } from './allowance.ts'
import type { Problem } from './drafts.ts'
import { MOST_IDS } from './known.ts'
import type { Settings } from './settings.ts'

export interface Report extends Allowance {
  dry_run: boolean
  tasks: number
  completed: number
  /** How many have a time spent. */
  timed: number
  /** By this run of the command. */
  created: number
  changed: number
  /** Whether the tasks have ids of their own in FILE, by which they are found when it is imported again. */
  has_ids: boolean
  rejected: number
  /** The problems of the rejected rows, in a dry run. */
  problems: Problem[]
  lists: { title: string; tasks: number }[]
  new_lists: string[]
  unknown_people: string[]
  /** When it was imported, if there was nothing left to do. */
  finished_before: string | null
}

const MOST_LINES = 50

export function printProblems(problems: Problem[], count: number): void {
  for (const { row, field, reason } of problems.slice(0, MOST_LINES))
    note(`row ${row}${field === 'row' ? '' : `: ${harmless(field.slice(0, 40))}`} ${harmless(reason)}`)
  if (count > MOST_LINES) note(`… and ${count - MOST_LINES} more`)
}

export function printReport({ file, batch }: Settings, report: Report, isJson: boolean): void {
  if (isJson) {
    printJson(report)
    return
  }
  const { dry_run, rejected, problems, unknown_people, finished_before } = report
  printProblems(problems, rejected)
  if (finished_before !== null) {
    print(`${file} was already imported at ${finished_before}. Use --again to import it once more.`)
    return
  }
  print(taskLine(report))
  if (report.has_ids && !dry_run) print(outcomeLine(report))
  for (const { title, tasks } of report.lists.slice(0, MOST_LINES))
    print(`  ${harmless(title)}: ${tasks}${report.new_lists.includes(title) ? ' (new list)' : ''}`)
  if (report.lists.length > MOST_LINES) print(`  … and ${counted(report.lists.length - MOST_LINES, 'more list')}`)
  if (unknown_people.length > 0)
    print(
      `Nobody, or more than one member, is called: ${someOf(unknown_people)}. Their tasks are unassigned, and the description of each names the person.`,
    )
  if (rejected > 0 && !dry_run) print(`Skipped ${counted(rejected, 'row')}: see ${file}.rejected.csv.`)
  if (rejected > 0 && dry_run) print(`${counted(rejected, 'row')} cannot be imported.`)
  if (dry_run) print(`${callsLine(report, calls(report, batch))} Nothing was written.`)
}

function taskLine({ dry_run, tasks, completed, lists }: Report): string {
  const what = `${counted(tasks, 'task')} into ${counted(lists.length, 'list')} (${completed} completed)`
  return dry_run ? `Would import ${what}:` : `Imported ${what}:`
}

function callsLine({ calls_left, resets_at, has_ids }: Report, count: number): string {
  const use = `The import would use ${has_ids ? 'at most' : 'about'} ${counted(count, 'API call')}`
  if (calls_left === null) return `${use}.`
  if (count <= calls_left) return `${use} of the ${calls_left} left today.`
  return `${use}, but only ${calls_left} ${calls_left === 1 ? 'is' : 'are'} left today. It would stop there: run the same command after ${resets_at} to continue.`
}

function outcomeLine({ tasks, created, changed }: Report): string {
  return `${created} new, ${changed} changed, ${tasks - created - changed} unchanged.`
}

/** Looking at the project, its members and its lists. */
const FIRST_CALLS = 3

/** Creating a list or a task takes one call, completing a task or recording its time another each, and looking up a portion of them one more. */
function calls({ tasks, completed, timed, new_lists }: Report, batch: number): number {
  return FIRST_CALLS + tasks + completed + timed + new_lists.length + Math.ceil(tasks / Math.min(batch, MOST_IDS))
}

function someOf(names: string[]): string {
  const some = names.slice(0, MOST_LINES).map(harmless).join(', ')
  return names.length > MOST_LINES ? `${some} and ${names.length - MOST_LINES} more` : some
}
