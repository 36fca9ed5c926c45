import type { Audience } from './admin/admission.ts'
import { adminEndpoints } from './admin/endpoints.ts'
import { type AdminEndpoint, isOpen } from './admin/gate.ts'
import { workEndpoints } from './admin/work.ts'
import type { WorkEndpoint } from './admin/work-gate.ts'
import { apiEndpoints } from './api/endpoints.ts'
import type { ApiEndpoint } from './api/gate.ts'
import { CONTRACT_VERSION } from './contract-version.ts'
import { isDestructive } from './domain/access/operations.ts'
import { RECORDS } from './domain/records/records.ts'
import { describer } from './http/description/openapi.ts'
import { CHAPTERS } from './http/description/reference-chapters.ts'
import { webhookMessages } from './http/description/webhook-messages.ts'
import type { EndpointFacts } from './http/endpoints/endpoint.ts'

/** How a path refers to the records of a company, by the names of its parameters. */
export const HANDLES: Record<string, string> = {
  ...Object.fromEntries(Object.values(RECORDS).map(({ parameter, handle }) => [parameter, handle])),
  external_id: 'What the other system calls the record',
}

export const describeApi = describer(apiEndpoints, {
  title: 'Diwan API',
  version: CONTRACT_VERSION,
  description: CHAPTERS,
  prefix: '/api/v1',
  bearer: 'An API key: `svc_api_…`, in a sandbox `svc_api_test_…`',
  needs: ({ operation }: ApiEndpoint) => `Needs the operation \`${operation}\`.`,
  // In the order of the specification.
  tags: {
    account: {
      name: 'Account',
      description: 'The API key in use, search across everything that it can see, and the feed of changes.',
    },
    events: { name: 'Events', description: 'Calendar events that the creator of the key organizes or is invited to.' },
    projects: { name: 'Projects', description: 'Projects, their archive, and the people who work on them.' },
    task_lists: { name: 'Task lists', description: 'Lists that group the tasks of a project.' },
    tasks: { name: 'Tasks', description: 'Tasks: who does them, when they are due, and whether they are done.' },
    comments: { name: 'Comments', description: 'Comments on task lists and tasks, and replies to discussions.' },
    discussions: { name: 'Discussions', description: 'The discussions (majlis) of a project.' },
    files: {
      name: 'Files and folders',
      description: 'Uploaded files, links to files elsewhere, and the folders they are in.',
    },
  },
  parameters: HANDLES,
  isOfRecords: () => true,
  counted: true,
  hasSamples: true,
  webhooks: webhookMessages,
})

/** The callers that are not described as `the operator and …`. */
const NEEDED: Partial<Record<Audience, string>> = {
  operator: 'the operator',
  people: 'people who are signed in, not for the operator',
  'owners and managers': 'owners and managers, not for the operator',
  'owners of the company': 'owners, not for the operator',
  'whoever is invited': 'whoever has the code, without a credential',
  'whoever signs in': 'whoever has a token or a code, or comes from the identity provider, without a credential',
}

const ofWork = new Set<EndpointFacts>(workEndpoints)
const isWork = (endpoint: EndpointFacts) => ofWork.has(endpoint)

export const describeAdmin = describer<AdminEndpoint | WorkEndpoint>([...adminEndpoints, ...workEndpoints], {
  title: 'Diwan administration',
  version: CONTRACT_VERSION,
  description:
    'Administration for people, with personal access tokens: companies, people, keys, usage, audit and the trash. Unknown fields of a body are dropped and named in `X-Ignored-Fields`, unknown query parameters in `X-Ignored-Parameters`.',
  prefix: '/admin/v1',
  bearer: 'The operator token, or a personal access token: `svc_…`',
  cookie: {
    name: 'diwan_session',
    description: 'A session of the console. Every request but a GET must carry `X-Diwan-Console: 1` too.',
  },
  needs: endpoint => {
    const { who } = endpoint
    const isAudited =
      ('audited' in endpoint && endpoint.audited) || (isWork(endpoint) && isDestructive(endpoint.operation))
    return `For ${NEEDED[who] ?? `the operator and ${who}`}.${isAudited ? ' Kept in the audit.' : ''}`
  },
  isOfRecords: isWork,
  isOpen,
  tags: {
    me: { name: 'Your account', description: 'The person or operator whom the token belongs to.' },
    sessions: { name: 'Sessions', description: 'Signing in to the console, and the sessions that follow.' },
    catalog: { name: 'Catalog', description: 'The lists that people and programs choose from.' },
    companies: { name: 'Companies', description: 'Companies, their plans and their settings.' },
    users: { name: 'People', description: 'The people of a company, their roles and their rights.' },
    invitations: { name: 'Invitations', description: 'One-time codes that give people their first access token.' },
    sign_in_links: {
      name: 'Linked accounts',
      description: "Which accounts at the identity provider are a person's.",
    },
    tokens: { name: 'Access tokens', description: 'Personal access tokens for this surface.' },
    keys: { name: 'API keys', description: 'Keys for the API: what they may do, and how long they last.' },
    usage: { name: 'Usage', description: 'How many API calls a company makes each day.' },
    requests: {
      name: 'Log of requests',
      description: 'Calls of API keys that were refused or failed, and all writes.',
    },
    audit: { name: 'Audit log', description: 'Who changed what, and which calls were denied.' },
    timeline: { name: 'Timeline', description: 'What happened in a company, newest first.' },
    changes: { name: 'Changes', description: 'Everything that was changed in the last 30 days, and by which key.' },
    notifications: { name: 'Notifications', description: 'The notifications that people received.' },
    subscriptions: { name: 'Subscriptions', description: 'Who follows which discussion.' },
    trash: { name: 'Trash', description: 'Deleted projects and discussions, which can be restored.' },
    projects: { name: 'Projects', description: 'The projects of a company.' },
    members: { name: 'Project members', description: 'Who belongs to a private project.' },
    calendars: {
      name: 'Connected calendars',
      description: 'External calendars that a person’s events are copied to.',
    },
    webhooks: { name: 'Webhooks', description: 'Addresses that Diwan calls when something changes.' },
    discussions: { name: 'Discussions', description: 'The categories of discussions.' },
    files: { name: 'Virus scans', description: 'What the virus scan found in the files of a company.' },
    jobs: { name: 'Failed jobs', description: 'Background jobs that failed on every attempt.' },
    work: {
      name: 'Work',
      description:
        'The records of a company as the API shows and changes them, for people who are signed in; members see public projects and those they belong to, and the operator only reads.',
    },
    health: { name: 'Health', description: 'How the database, the mail server and the other parts are doing.' },
    figures: { name: 'Live figures', description: 'Requests, latency and memory of the last hour.' },
  },
  parameters: {
    company: 'The id of the company',
    user: 'The id of the person',
    token: 'The id of the token',
    session: 'The id of the session',
    link: 'The id of the link',
    key: 'The id of the key',
    request: 'The id of what an app asks for',
    ref: 'The ref of the record',
    calendar: 'The id of the connection',
    webhook: 'The id of the webhook',
    delivery: 'The id of the delivery',
    job: 'The id of the job',
    ...HANDLES,
  },
  counted: false,
  hasSamples: false,
})
