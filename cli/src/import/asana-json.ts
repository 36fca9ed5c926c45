import { isRecord } from '../frame/output.ts'
import type { Entry } from './entry.ts'
import { customFields, textOf } from './json-text.ts'

/** The columns of its CSV. */
export const ASANA_NAMES = [
  'Task ID',
  'Created At',
  'Completed At',
  'Last Modified',
  'Name',
  'Section/Column',
  'Assignee',
  'Assignee Email',
  'Start Date',
  'Due Date',
  'Tags',
  'Notes',
  'Projects',
  'Parent task',
]

/** A task and its subtasks, which have no section and belong to that of the task. */
export function asanaRecords(task: unknown): Omit<Entry, 'number'>[] {
  return isRecord(task) ? spread(task, '', '') : []
}

function spread(task: Record<string, unknown>, parent: string, sectionOfParent: string): Omit<Entry, 'number'>[] {
  const section = sectionOf(task.memberships) || sectionOfParent
  const assignee = isRecord(task.assignee) ? task.assignee : {}
  const name = textOf(task.name)
  const cells = [
    textOf(task.gid ?? task.id),
    textOf(task.created_at),
    textOf(task.completed_at),
    textOf(task.modified_at),
    name,
    section,
    textOf(assignee.name),
    textOf(assignee.email),
    textOf(task.start_on),
    textOf(task.due_on) || textOf(task.due_at),
    textOf(task.tags),
    textOf(task.notes),
    textOf(task.projects),
    textOf(task.parent) || parent,
  ]
  const below = Array.isArray(task.subtasks) ? task.subtasks.filter(isRecord) : []
  return [
    { cells, more: customFields(task.custom_fields), isCompleted: task.completed === true },
    ...below.flatMap(subtask => spread(subtask, name, section)),
  ]
}

/** The section of the first project that has one. */
function sectionOf(memberships: unknown): string {
  if (!Array.isArray(memberships)) return ''
  return memberships.map(each => (isRecord(each) ? textOf(each.section) : '')).find(Boolean) ?? ''
}
