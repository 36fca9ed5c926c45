import { getAccount } from './account.ts'
import { listMembers } from './members.ts'
import {
  archiveProject,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  unarchiveProject,
  updateProject,
} from './projects.ts'

/** The public API, in the order in which its description lists it. */
export const apiEndpoints = [
  getAccount,
  listProjects,
  createProject,
  getProject,
  updateProject,
  deleteProject,
  archiveProject,
  unarchiveProject,
  listMembers,
]
