import Type from 'typebox'
import { pageOfCompany } from '../api/company-tasks.ts'
import { ProjectFilters, readFilters, TaskFilters } from '../api/task-filters.ts'
import { Task } from '../api/task-record.ts'
import { BoundedCollection, Paging } from '../http/answers/schema.ts'
import { workEndpoint } from './work-gate.ts'

const { assignee_email: _email, unassigned: _unassigned, ...OtherFilters } = TaskFilters

export const listMyTasks = workEndpoint({
  name: 'list_my_tasks',
  since: '1.7.0',
  operation: 'tasks:read',
  who: 'people',
  summary: 'List the tasks that are assigned to you',
  description:
    'Across all projects that you see and that are not archived, with the filters of the other lists of tasks.',
  method: 'GET',
  at: ['/me/tasks'],
  query: Type.Object({ ...OtherFilters, ...ProjectFilters, ...Paging }),
  refusesQuery: true,
  returns: BoundedCollection(Task),
  run: call => {
    const { query, signer } = call
    return pageOfCompany(call, readFilters(call, { ...query, assignee_email: [signer.email] }))
  },
})
