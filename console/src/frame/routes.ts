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
    path: '/companies/:company/webhooks/:webhook/edit',
    needs: 'updateWebhook',
    load: () => import('../views/webhooks/edit-webhook.tsx'),
  },
  {
    path: '/companies/:company/explorer',
    menu: { group: 'integrations', label: 'explorer', icon: 'explorer' },
    load: () => import('../views/explorer/explorer.tsx'),
  },
]

export const SERVICE_ROUTES: Route[] = []
