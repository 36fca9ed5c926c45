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
    path: '/companies/:company/tasks',
    needs: 'readCompanyTasks',
    menu: { group: 'work', label: 'tasks', icon: 'tasks' },
    load: () => import('../views/work/tasks.tsx'),
  },
  {
    path: '/companies/:company/tasks/:task',
    needs: 'readTask',
    load: () => import('../views/work/task.tsx'),
  },
  {
    path: '/companies/:company/projects',
    needs: 'readProjects',
    menu: { group: 'work', label: 'projects', icon: 'projects' },
    load: () => import('../views/work/projects.tsx'),
  },
  {
    path: '/companies/:company/projects/:project',
    needs: 'readProject',
    load: () => import('../views/work/project.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/lists/:list',
    needs: 'readTaskList',
    load: () => import('../views/work/list.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/discussions',
    needs: 'readDiscussions',
    load: () => import('../views/work/project-discussions.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/discussions/:discussion',
    needs: 'readDiscussion',
    load: () => import('../views/work/discussion.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/files',
    needs: 'readFiles',
    load: () => import('../views/work/project-files.tsx'),
  },
  {
    path: '/companies/:company/projects/:project/files/:file',
    needs: 'readFile',
    load: () => import('../views/work/file.tsx'),
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
    needs: 'readEvents',
    menu: { group: 'work', label: 'events', icon: 'calendars' },
    load: () => import('../views/work/events.tsx'),
  },
  {
    path: '/companies/:company/terms',
    needs: 'closeCompany',
    menu: { group: 'company', label: 'terms', icon: 'settings' },
    load: () => import('../views/companies/terms.tsx'),
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
]
