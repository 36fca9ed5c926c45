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
    path: '/companies/:company/audit',
    needs: 'listAuditEntries',
    menu: { group: 'records', label: 'audit', icon: 'audit' },
    load: () => import('../views/audit/audit.tsx'),
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
