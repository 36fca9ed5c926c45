import type { ReadCompanyTasksQuery } from '../../api/types.ts'
import { useAddress, useQuery, useQueryList } from '../../frame/address.ts'

export type TaskState = '' | 'open' | 'overdue' | 'completed'
type Sort = NonNullable<ReadCompanyTasksQuery['sort']>

const STATES: Record<TaskState, ReadCompanyTasksQuery> = {
  '': {},
  open: { completed: false },
  overdue: { overdue: true },
  completed: { completed: true },
}

/** The filters of the address, each with the way to change it, and the query that they make. */
export function useTaskFilters() {
  const { query } = useAddress()
  const state = useQuery('state')
  const assignees = useQueryList('assignee_email')
  const unassigned = useQuery('unassigned')
  const projects = useQueryList('project')
  const dueFrom = useQuery('due_from')
  const dueTo = useQuery('due_to')
  const updatedSince = useQuery('updated_since')
  const completedSince = useQuery('completed_since')
  const archived = useQuery('include_archived')
  const sort = useQuery('sort', 'created')
  const asked: ReadCompanyTasksQuery = {
    ...STATES[state[0] as TaskState],
    assignee_email: assignees[0],
    unassigned: unassigned[0] ? true : undefined,
    project: projects[0],
    due_from: dueFrom[0],
    due_to: dueTo[0],
    updated_since: updatedSince[0],
    completed_since: completedSince[0],
    include_archived: archived[0] ? true : undefined,
    sort: sort[0] as Sort,
  }
  return {
    ...{ state, assignees, unassigned, projects, dueFrom, dueTo, updatedSince, completedSince, archived, sort },
    query: asked,
    isSet: [...query.keys()].some(name => name !== 'sort'),
  }
}

export type TaskFilterValues = ReturnType<typeof useTaskFilters>
