import { adminEndpoints } from './admin/endpoints.ts'
import type { AdminEndpoint } from './admin/gate.ts'
import { apiEndpoints } from './api/endpoints.ts'
import type { ApiEndpoint } from './api/gate.ts'
import { describe } from './http/openapi.ts'

/** The contract version. Every update raises the middle number; the first waits for general availability. */
export const CONTRACT_VERSION = '1.4.0'

export const apiDescription = describe(apiEndpoints, {
  title: 'Diwan API',
  version: CONTRACT_VERSION,
  description:
    'Projects, task lists, tasks, discussions, files and events of a company. Every request carries an API key. Bodies are flat JSON objects; unknown fields are dropped and named in `X-Ignored-Fields`, unknown query parameters in `X-Ignored-Parameters`.',
  prefix: '/api/v1',
  bearer: 'An API key: `svc_api_…`',
  needs: ({ operation }: ApiEndpoint) => `Needs the operation \`${operation}\`.`,
  tags: {
    account: 'The key itself',
    projects: 'Projects and the people on them',
    task_lists: 'Containers that group the tasks of a project',
    tasks: 'What is checked off',
    comments: 'Words on a task list or a task',
    discussions: 'Majlis topics of a project',
    files: 'Uploads, links and folders',
    events: 'The calendar of the signature',
  },
  parameters: {
    project: 'A project ref (`prj-…`) or slug',
    list: 'A task list ref (`lst-…`), or on a nested address its slug',
    task: 'A task ref (`tsk-…`), or on a nested address its slug',
    discussion: 'A discussion ref (`mjl-…`), or on a nested address its slug',
    file: 'A file ref (`fil-…`), or on a nested address its number',
    folder: 'The id of a folder',
    event: 'The id of an event',
  },
  counted: true,
})

/** Who is not besides the operator. */
const NEEDED: Partial<Record<AdminEndpoint['who'], string>> = {
  operator: 'the operator',
  'whoever is invited': 'whoever has the code, without a credential',
}

export const adminDescription = describe(adminEndpoints, {
  title: 'Diwan administration',
  version: CONTRACT_VERSION,
  description:
    'What people do, with tokens of their own: companies, people, keys, usage, audit and the trash. Unknown fields of a body are dropped and named in `X-Ignored-Fields`, unknown query parameters in `X-Ignored-Parameters`.',
  prefix: '/admin/v1',
  bearer: 'The operator token, or a personal access token: `svc_…`',
  needs: ({ who, audited }: AdminEndpoint) =>
    `For ${NEEDED[who] ?? `the operator and ${who}`}.${audited ? ' Kept in the audit.' : ''}`,
  isOpen: ({ who }: AdminEndpoint) => who === 'whoever is invited',
  tags: {
    me: 'Who one is',
    companies: 'Companies, their plan and their settings',
    users: 'People',
    invitations: 'How people get their first token',
    tokens: 'Personal access tokens',
    keys: 'API keys',
    usage: 'Calls a day',
    audit: 'Who did what to whom, and what was denied',
    timeline: 'What happened',
    notifications: 'What people were told',
    subscriptions: 'Who follows what',
    trash: 'What can be restored',
    projects: 'The projects of a company',
    members: 'Membership of private projects',
    calendars: "People's own calendars, kept in step",
    discussions: 'Categories of discussions',
    files: 'What the virus scan said',
    jobs: 'Work that failed for good',
  },
  parameters: {
    company: 'The id of the company',
    user: 'The id of the person',
    token: 'The id of the token',
    key: 'The id of the key',
    ref: 'The ref of the record',
    calendar: 'The id of the connection',
    job: 'The id of the job',
    project: 'A project ref (`prj-…`) or slug',
  },
  counted: false,
})
