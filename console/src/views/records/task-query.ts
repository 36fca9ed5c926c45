import type { ReadCompanyTasksQuery } from '../../api/types.ts'
import { asFlag, setQuery, useAddress, useQuery, useQueryList } from '../../frame/address.ts'

export type TaskState = '' | 'open' | 'overdue' | 'completed'
type Sort = NonNullable<ReadCompanyTasksQuery['sort']>

/** One choice for readers, but two filters in the URL and for the server. */
const STATES: Record<TaskState, { completed?: 'true' | 'false'; overdue?: 'true' }> = {
  '': {},
  open: { completed: 'false' },
  overdue: { overdue: 'true' },
  completed: { completed: 'true' },
}

function useTaskState(): [TaskState, (state: TaskState) => void] {
  const { query } = useAddress()
  const is = (state: TaskState) =>
    query.get('completed') === (STATES[state].completed ?? null) &&
    query.get('overdue') === (STATES[state].overdue ?? null)
  const set = (state: TaskState) => {
    const { completed, overdue } = STATES[state]
    setQuery({ completed: completed ? [completed] : [], overdue: overdue ? [overdue] : [] })
  }
  return [(Object.keys(STATES) as TaskState[]).find(is) ?? '', set]
}

/** The filters in the URL, each with its setter, and the query that they make. */
export function useTaskFilters() {
  const { query } = useAddress()
  const state = useTaskState()
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
    completed: asFlag(query.get('completed')),
    overdue: asFlag(query.get('overdue')),
    assignee_email: assignees[0],
    unassigned: asFlag(unassigned[0]),
    project: projects[0],
    due_from: dueFrom[0],
    due_to: dueTo[0],
    updated_since: updatedSince[0],
    completed_since: completedSince[0],
    include_archived: asFlag(archived[0]),
    sort: sort[0] as Sort,
  }
  return {
    ...{ state, assignees, unassigned, projects, dueFrom, dueTo, updatedSince, completedSince, archived, sort },
    query: asked,
    isSet: [...query.keys()].some(name => name !== 'sort'),
  }
}

export type TaskFilterValues = ReturnType<typeof useTaskFilters>
