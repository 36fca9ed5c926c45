import { harmless, note, print, printJson } from '../frame/output.ts'
import type { Allowance } from './allowance.ts'
import type { Problem } from './drafts.ts'
import type { Settings } from './settings.ts'

export interface Report extends Allowance {
  dry_run: boolean
  tasks: number
  completed: number
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

export function printReport({ file }: Settings, report: Report, isJson: boolean): void {
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
  for (const { title, tasks } of report.lists.slice(0, MOST_LINES))
    print(`  ${harmless(title)}: ${tasks}${report.new_lists.includes(title) ? ' (new list)' : ''}`)
  if (report.lists.length > MOST_LINES) print(`  … and ${report.lists.length - MOST_LINES} more lists`)
  if (unknown_people.length > 0)
    print(
      `Not members of the project: ${someOf(unknown_people)}. Their tasks are unassigned, and the description of each names the person.`,
    )
  if (rejected > 0 && !dry_run) print(`Skipped ${counted(rejected, 'row')}: see ${file}.rejected.csv.`)
  if (rejected > 0 && dry_run) print(`${counted(rejected, 'row')} cannot be imported.`)
  if (dry_run) print(`${callsLine(report)} Nothing was written.`)
}

function taskLine({ dry_run, tasks, completed, lists }: Report): string {
  const what = `${counted(tasks, 'task')} into ${counted(lists.length, 'list')} (${completed} completed)`
  return dry_run ? `Would import ${what}:` : `Imported ${what}:`
}

function callsLine(report: Report): string {
  const { calls_left, resets_at } = report
  const use = `The import would use about ${calls(report)} API calls`
  if (calls_left === null) return `${use}.`
  if (calls(report) <= calls_left) return `${use} of the ${calls_left} left today.`
  return `${use}, but only ${calls_left} are left today. It would stop there: run the same command after ${resets_at} to continue.`
}

/** Looking at the project, its members and its lists. */
const FIRST_CALLS = 3

/** Creating a list or a task takes one call, and completing a task another. */
function calls({ tasks, completed, new_lists }: Report): number {
  return FIRST_CALLS + tasks + completed + new_lists.length
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function someOf(names: string[]): string {
  const some = names.slice(0, MOST_LINES).map(harmless).join(', ')
  return names.length > MOST_LINES ? `${some} and ${names.length - MOST_LINES} more` : some
}
