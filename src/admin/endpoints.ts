import { listNotifications, listSubscriptions, listTimeline } from './activity.ts'
import { connectCalendar, disconnectCalendar, listCalendars, updateCalendar } from './calendars.ts'
import { createCompany, getCompany, listCompanies, updateCompany } from './companies.ts'
import { categoriseDiscussion } from './discussions.ts'
import { listScannedFiles, scanAgain } from './files.ts'
import { listFailedJobs, retryJob } from './jobs.ts'
import { createKey, listKeys, revokeKey, updateKey } from './keys.ts'
import { addProjectMember, listProjectMembers, removeProjectMember } from './project-members.ts'
import { getUsage, listAudit } from './records.ts'
import { createToken, deleteToken, listTokens } from './tokens.ts'
import { listTrash, restore } from './trash.ts'
import { createUser, listUsers, updateUser } from './users.ts'

/** The administration surface, in the order in which its description lists it. */
export const adminEndpoints = [
  listCompanies,
  createCompany,
  getCompany,
  updateCompany,
  listUsers,
  createUser,
  updateUser,
  listTokens,
  createToken,
  deleteToken,
  listKeys,
  createKey,
  updateKey,
  revokeKey,
  getUsage,
  listAudit,
  listTimeline,
  listNotifications,
  listSubscriptions,
  listTrash,
  restore,
  listProjectMembers,
  addProjectMember,
  removeProjectMember,
  listCalendars,
  connectCalendar,
  updateCalendar,
  disconnectCalendar,
  categoriseDiscussion,
  listScannedFiles,
  scanAgain,
  listFailedJobs,
  retryJob,
]
