import type { Task } from '../../api/types.ts'
import { daysAfter } from '../records/today.ts'

/** In the order in which they are shown. */
export const DUE_GROUPS = ['overdue', 'today', 'week', 'later', 'none'] as const
export type DueGroup = (typeof DUE_GROUPS)[number]

/** When a task is due, seen from today. */
export function dueGroup({ due_at }: Task, today: string): DueGroup {
  if (due_at === null) return 'none'
  if (due_at < today) return 'overdue'
  if (due_at === today) return 'today'
  return due_at <= daysAfter(today, 7) ? 'week' : 'later'
}
