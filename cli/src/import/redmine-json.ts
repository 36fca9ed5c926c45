import { isRecord } from '../frame/output.ts'
import type { Entry } from './entry.ts'
import { customFields, textOf } from './json-text.ts'

/** The fields of an issue in `GET /issues.json`, by the names of the corresponding columns of its CSV. */
const FIELDS = {
  '#': 'id',
  Project: 'project',
  Tracker: 'tracker',
  'Parent task': 'parent',
  Status: 'status',
  Priority: 'priority',
  Subject: 'subject',
  Author: 'author',
  Assignee: 'assigned_to',
  Updated: 'updated_on',
  Category: 'category',
  'Target version': 'fixed_version',
  'Start date': 'start_date',
  'Due date': 'due_date',
  'Estimated time': 'estimated_hours',
  'Spent time': 'spent_hours',
  '% Done': 'done_ratio',
  Created: 'created_on',
  Closed: 'closed_on',
  Description: 'description',
}
export const REDMINE_NAMES = Object.keys(FIELDS)

export function redmineRecord(issue: unknown): Omit<Entry, 'number'>[] {
  if (!isRecord(issue)) return []
  const cells = Object.entries(FIELDS).map(([name, field]) => {
    const value = issue[field]
    // A parent has a number but no name.
    return name === 'Parent task' && isRecord(value) ? textOf(value.id) : textOf(value)
  })
  const isCompleted = isRecord(issue.status) ? issue.status.is_closed : undefined
  return [{ cells, more: customFields(issue.custom_fields), ...(typeof isCompleted === 'boolean' && { isCompleted }) }]
}
