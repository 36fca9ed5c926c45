import type { ComponentType } from 'preact'
import type { Endpoints } from '../api/types.ts'
import type { IconName } from '../parts/icon.tsx'
import type { ViewProps } from './view-props.ts'
import type { useFrameWords } from './words.ts'

type FrameWords = ReturnType<typeof useFrameWords>

export interface Route {
  path: string
  /** Shown when the server allows this. */
  needs?: keyof Endpoints
  /** Its place in the menu; views that are reached from others have none. */
  menu?: { group?: keyof FrameWords['groups']; label: keyof FrameWords['views']; icon: IconName }
  load: () => Promise<{ default: ComponentType<ViewProps> }>
}

/** Every view, in the order of the menu. The code of a view is loaded when it is opened. */
export const COMPANY_ROUTES: Route[] = [
  {
    path: '/companies/:company/home',
    needs: 'listMyTasks',
    menu: { label: 'home', icon: 'home' },
    load: () => import('../views/home/home.tsx'),
  },
  {
    path: '/companies/:company',
    needs: 'getCounts',
    menu: { label: 'overview', icon: 'overview' },
    load: () => import('../views/overview/overview.tsx'),
  },
  {
    path: '/companies/:company/tasks',
    needs: 'readCompanyTasks',
    menu: { group: 'work', label: 'tasks', icon: 'tasks' },
    load: () => import('../views/records/tasks.tsx'),
  },
  {
    path: '/companies/:company/tasks/:task',
    needs: 'readTask',
    load: () => import('../views/records/task.tsx'),
  },
  {
    path: '/companies/:company/projects',
    needs: 'readProjects',
    menu: { group: 'work', label: 'projects', icon: 'projects' },
    load: () => import('../views/records/projects.tsx'),
  },
  {
    path: '/companies/:company/projects/:project',
    needs: 'readProject',
    load: () => import('../views/records/project.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/lists/:list',
    needs: 'readTaskList',
    load: () => import('../views/records/list.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/discussions',
    needs: 'readDiscussions',
    load: () => import('../views/records/project-discussions.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/discussions/:discussion',
    needs: 'readDiscussion',
    load: () => import('../views/records/discussion.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/files',
    needs: 'readFiles',
    load: () => import('../views/files/project-files.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/files/:file',
    needs: 'readFile',
    load: () => import('../views/files/file.tsx'),
  },
  {
    path: '/companies/:company/changes',
    needs: 'listChanges',
    menu: { group: 'work', label: 'changes', icon: 'changes' },
    load: () => import('../views/changes/changes.tsx'),
  },
  {
    path: '/companies/:company/search',
    needs: 'search',
    menu: { group: 'work', label: 'search', icon: 'search' },
    load: () => import('../views/search/search.tsx'),
  },
  {
    path: '/companies/:company/events',
    needs: 'listMyEvents',
    menu: { group: 'work', label: 'events', icon: 'calendars' },
    load: () => import('../views/events/events.tsx'),
  },
  {
    path: '/companies/:company/keys',
    needs: 'listKeys',
    menu: { group: 'integrations', label: 'keys', icon: 'keys' },
    load: () => import('../views/keys/keys.tsx'),
  },
  { path: '/companies/:company/keys/new', needs: 'createKey', load: () => import('../views/keys/new-key.tsx') },
  { path: '/companies/:company/keys/:key', needs: 'getKey', load: () => import('../views/keys/key.tsx') },
  { path: '/companies/:company/keys/:key/edit', needs: 'updateKey', load: () => import('../views/keys/edit-key.tsx') },
  {
    path: '/companies/:company/usage',
    needs: 'getUsage',
    menu: { group: 'integrations', label: 'usage', icon: 'usage' },
    load: () => import('../views/usage/usage.tsx'),
  },
  {
    path: '/companies/:company/requests',
    needs: 'listRequests',
    menu: { group: 'integrations', label: 'requests', icon: 'requests' },
    load: () => import('../views/requests/requests.tsx'),
  },
  {
    path: '/companies/:company/webhooks',
    needs: 'listWebhooks',
    menu: { group: 'integrations', label: 'webhooks', icon: 'webhooks' },
    load: () => import('../views/webhooks/webhooks.tsx'),
  },
  {
    path: '/companies/:company/webhooks/new',
    needs: 'createWebhook',
    load: () => import('../views/webhooks/new-webhook.tsx'),
  },
  {
    path: '/companies/:company/webhooks/:webhook',
    needs: 'getWebhook',
    load: () => import('../views/webhooks/webhook.tsx'),
  },
  {
    path: '/companies/:company/webhooks/:webhook/deliveries/:delivery',
    needs: 'getWebhookDelivery',
    load: () => import('../views/webhooks/delivery.tsx'),
  },
  {
    path: '/companies/:company/webhooks/:webhook/edit',
    needs: 'updateWebhook',
    load: () => import('../views/webhooks/edit-webhook.tsx'),
  },
  {
    path: '/companies/:company/explorer',
    needs: 'listKeys',
    menu: { group: 'integrations', label: 'explorer', icon: 'explorer' },
    load: () => import('../views/explorer/explorer.tsx'),
  },
  {
    path: '/companies/:company/people',
    needs: 'listUsers',
    menu: { group: 'company', label: 'people', icon: 'people' },
    load: () => import('../views/people/people.tsx'),
  },
  {
    path: '/companies/:company/people/:user',
    needs: 'listTokens',
    load: () => import('../views/people/person.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/members',
    needs: 'listProjectMembers',
    load: () => import('../views/members/members.tsx'),
  },
  {
    path: '/companies/:company/calendars',
    needs: 'listCalendars',
    menu: { group: 'company', label: 'calendars', icon: 'calendars' },
    load: () => import('../views/calendars/calendars.tsx'),
  },
  {
    path: '/companies/:company/scans',
    needs: 'listScannedFiles',
    menu: { group: 'company', label: 'files', icon: 'files' },
    load: () => import('../views/scans/scans.tsx'),
  },
  {
    path: '/companies/:company/trash',
    needs: 'listTrash',
    menu: { group: 'company', label: 'trash', icon: 'trash' },
    load: () => import('../views/trash/trash.tsx'),
  },
  {
    path: '/companies/:company/settings',
    needs: 'getCompany',
    menu: { group: 'company', label: 'settings', icon: 'settings' },
    load: () => import('../views/settings/settings.tsx'),
  },
  {
    path: '/companies/:company/terms',
    needs: 'listCompanies',
    menu: { group: 'company', label: 'terms', icon: 'settings' },
    load: () => import('../views/companies/terms.tsx'),
  },
  {
    path: '/companies/:company/audit',
    needs: 'listAuditEntries',
    menu: { group: 'records', label: 'audit', icon: 'audit' },
    load: () => import('../views/audit/audit.tsx'),
  },
  {
    path: '/companies/:company/timeline',
    needs: 'listTimelineEntries',
    menu: { group: 'records', label: 'timeline', icon: 'timeline' },
    load: () => import('../views/activity/timeline.tsx'),
  },
  {
    path: '/companies/:company/notifications',
    needs: 'listNotifications',
    menu: { group: 'records', label: 'notifications', icon: 'notifications' },
    load: () => import('../views/activity/notifications.tsx'),
  },
]

export const SERVICE_ROUTES: Route[] = [
  {
    path: '/companies',
    needs: 'listCompanies',
    menu: { group: 'service', label: 'companies', icon: 'companies' },
    load: () => import('../views/companies/companies.tsx'),
  },
  {
    path: '/health',
    needs: 'getHealth',
    menu: { group: 'service', label: 'health', icon: 'health' },
    load: () => import('../views/service/health.tsx'),
  },
  {
    path: '/figures',
    needs: 'getFigures',
    menu: { group: 'service', label: 'figures', icon: 'figures' },
    load: () => import('../views/service/figures.tsx'),
  },
  {
    path: '/jobs',
    needs: 'listFailedJobs',
    menu: { group: 'service', label: 'jobs', icon: 'jobs' },
    load: () => import('../views/service/failed-jobs.tsx'),
  },
  {
    path: '/sessions',
    needs: 'listOperatorSessions',
    menu: { group: 'service', label: 'sessions', icon: 'keys' },
    load: () => import('../views/service/sessions.tsx'),
  },
  {
    path: '/audit',
    needs: 'listServiceAuditEntries',
    menu: { group: 'service', label: 'serviceAudit', icon: 'audit' },
    load: () => import('../views/audit/service-audit.tsx'),
  },
]
