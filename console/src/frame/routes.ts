import type { ComponentType } from 'preact'
import type { Endpoints } from '../api/types.ts'
import type { IconName } from '../parts/icon.tsx'
import type { useFrameWords } from './words.ts'

type FrameWords = ReturnType<typeof useFrameWords>

export interface ViewProps {
  params: Record<string, string>
}

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
    path: '/companies/:company',
    menu: { label: 'overview', icon: 'overview' },
    load: () => import('../views/overview/overview.tsx'),
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
    path: '/audit',
    needs: 'listServiceAuditEntries',
    menu: { group: 'service', label: 'serviceAudit', icon: 'audit' },
    load: () => import('../views/audit/service-audit.tsx'),
  },
]
