import { getAccount } from '../api/account.ts'
import { apiEndpoints } from '../api/endpoints.ts'
import { deleteFolder } from '../api/folders.ts'
import type { ApiEndpoint } from '../api/gate.ts'
import {
  archiveProject,
  createProject,
  deleteProject,
  unarchiveProject,
  updateProject,
  upsertProject,
} from '../api/projects.ts'
import { deleteTaskList } from '../api/task-lists.ts'
import type { EndpointFacts } from '../http/endpoints/endpoint.ts'
import { type Audience, RECORDS_OF_COMPANY } from './admission.ts'
import { listMyEvents } from './my-events.ts'
import { getMyRights } from './my-rights.ts'
import { listMyTasks } from './my-tasks.ts'
import { listTodaysChanges } from './todays-changes.ts'
import type { WorkEndpoint } from './work-gate.ts'

/** What members may not do: it concerns a whole project, or deletes what is in a list or a folder. */
const FOR_LEADERS: ApiEndpoint[] = [
  createProject,
  updateProject,
  upsertProject,
  deleteProject,
  archiveProject,
  unarchiveProject,
  deleteTaskList,
  deleteFolder,
]

/** The endpoints of the API once more, for people who are signed in: nothing about the records is declared twice. */
export const workEndpoints: WorkEndpoint[] = [
  ...apiEndpoints.filter(endpoint => endpoint !== getAccount).map(forPeople),
  placed(listMyTasks),
  placed(getMyRights),
  placed(listMyEvents),
  placed(listTodaysChanges),
]

function forPeople(endpoint: ApiEndpoint): WorkEndpoint {
  const isRead = endpoint.method === 'GET'
  return placed({
    ...endpoint,
    // The administration has names such as `list_projects` of its own.
    name: isRead ? endpoint.name.replace(/^(?:get|list)_/, 'read_') : endpoint.name,
    since: later(endpoint.since, isRead && endpoint.alsoAs === undefined ? '1.6.0' : '1.7.0'),
    who: audienceOf(endpoint),
  })
}

function audienceOf(endpoint: ApiEndpoint): Audience {
  if (endpoint.method === 'GET') return 'everyone'
  return FOR_LEADERS.includes(endpoint) ? 'owners and managers' : 'people'
}

function placed(endpoint: WorkEndpoint): WorkEndpoint {
  return { ...endpoint, at: endpoint.at.map(address => RECORDS_OF_COMPANY + address) }
}

function later(a: EndpointFacts['since'], b: EndpointFacts['since']): EndpointFacts['since'] {
  return a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b
}
