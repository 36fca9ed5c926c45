import { listNotifications, listSubscriptions, listTimeline } from './activity.ts'
import { acceptAppRequest, deleteAppRequest, getAppRequest } from './app-requests.ts'
import { listAudit, listServiceAudit } from './audit.ts'
import { connectCalendar, disconnectCalendar, listCalendars, updateCalendar } from './calendars.ts'
import { getCatalog } from './catalog.ts'
import { listRecordedChanges } from './changes.ts'
import { createCompany, getCompany, updateCompany } from './companies.ts'
import { closeCompany, reopenCompany } from './company-closing.ts'
import { listCompanies } from './company-list.ts'
import { getCounts } from './counts.ts'
import { categoriseDiscussion } from './discussion-categories.ts'
import { getFigures } from './figures.ts'
import { getHealth } from './health.ts'
import { acceptInvitation, inviteUser } from './invitations.ts'
import { deleteFailedJob, listFailedJobs, retryJob } from './jobs.ts'
import { rotateKey } from './key-rotation.ts'
import { getKeyUsage } from './key-usage.ts'
import { createKey, getKey, listKeys, revokeKey, updateKey } from './keys.ts'
import { getMe } from './me.ts'
import { listMyNotifications, readMyNotifications } from './my-notifications.ts'
import { createSession } from './new-session.ts'
import { deleteOperatorSession, listOperatorSessions } from './operator-sessions.ts'
import { addProjectMember, listProjectMembers, removeProjectMember } from './project-members.ts'
import { listCompanyProjects } from './projects.ts'
import { listRequests } from './requests.ts'
import { closeSandbox, createSandbox, enterSandbox } from './sandboxes.ts'
import { listScannedFiles, scanAgain } from './scans.ts'
import { deleteSession, endCurrentSession, listSessions } from './sessions.ts'
import { getSignIn } from './sign-in.ts'
import { deleteSignInLink, listSignInLinks } from './sign-in-links.ts'
import { createToken, deleteToken, listTokens } from './tokens.ts'
import { listTrash, restore } from './trash.ts'
import { getUsage } from './usage.ts'
import { createUser, getUser, listUsers, updateUser } from './users.ts'
import { listWebhookAttempts } from './webhook-attempts.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhook,
  replayWebhookDelivery,
} from './webhook-deliveries.ts'
import { rotateWebhookSecret } from './webhook-rotation.ts'
import { testWebhook } from './webhook-test.ts'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './webhooks.ts'

/** The administration surface, in the order in which its description lists it. */
export const adminEndpoints = [
  getMe,
  getSignIn,
  createSession,
  endCurrentSession,
  listOperatorSessions,
  deleteOperatorSession,
  getCatalog,
  listCompanies,
  createCompany,
  getCompany,
  updateCompany,
  closeCompany,
  reopenCompany,
  createSandbox,
  enterSandbox,
  closeSandbox,
  getCounts,
  listUsers,
  createUser,
  getUser,
  updateUser,
  inviteUser,
  acceptInvitation,
  listTokens,
  createToken,
  deleteToken,
  listSessions,
  deleteSession,
  listSignInLinks,
  deleteSignInLink,
  listKeys,
  createKey,
  getKey,
  updateKey,
  rotateKey,
  revokeKey,
  getAppRequest,
  acceptAppRequest,
  deleteAppRequest,
  getUsage,
  getKeyUsage,
  listRequests,
  listAudit,
  listServiceAudit,
  listTimeline,
  listRecordedChanges,
  listNotifications,
  listMyNotifications,
  readMyNotifications,
  listSubscriptions,
  listTrash,
  restore,
  listCompanyProjects,
  listProjectMembers,
  addProjectMember,
  removeProjectMember,
  listCalendars,
  connectCalendar,
  updateCalendar,
  disconnectCalendar,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  listWebhookAttempts,
  replayWebhookDelivery,
  replayWebhook,
  categoriseDiscussion,
  listScannedFiles,
  scanAgain,
  listFailedJobs,
  retryJob,
  deleteFailedJob,
  getHealth,
  getFigures,
]
