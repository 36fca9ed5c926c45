// Written by "npm run openapi" from openapi-admin.json: change the declarations, not this file.

export interface Me {
  kind: 'person' | 'operator'
  user: {
    id: number
    name: string
    email: string
    role: string
    can_manage_api_keys: boolean
  } | null
  company: {
    id: number
    name: string
  } | null
}

export interface Company {
  id: number
  name: string
  time_zone: string
  plan: 'free' | 'pro' | 'advanced' | 'productive' | 'enterprise'
  rest_api: boolean
  daily_calls: number | null
  subscription: 'active' | 'read_only'
  second_calendar: 'islamic-umalqura' | null
  created_at: string
  owner: {
    id: number
    name: string
    email: string
    role: string
  }
}

export interface CreatedCompany {
  id: number
  name: string
  time_zone: string
  plan: 'free' | 'pro' | 'advanced' | 'productive' | 'enterprise'
  rest_api: boolean
  daily_calls: number | null
  subscription: 'active' | 'read_only'
  second_calendar: 'islamic-umalqura' | null
  created_at: string
  owner: {
    id: number
    name: string
    email: string
    role: string
  }
  /** The owner's personal access token, shown once */
  owner_token: string
}

export interface User {
  id: number
  name: string
  email: string
  role: 'owner' | 'manager' | 'member'
  can_manage_api_keys: boolean
  active: boolean
  /** The language of the person’s mail */
  language: 'en' | 'ar'
  created_at: string
}

export interface CreatedUser {
  id: number
  name: string
  email: string
  role: 'owner' | 'manager' | 'member'
  can_manage_api_keys: boolean
  active: boolean
  /** The language of the person’s mail */
  language: 'en' | 'ar'
  created_at: string
  invitation: {
    /** Valid once, for seven days, and shown once. Null when it is sent to the person by mail only. */
    code: string | null
    expires_at: string
  } | null
}

export interface MadeInvitation {
  invitation: {
    /** Valid once, for seven days, and shown once. Null when it is sent to the person by mail only. */
    code: string | null
    expires_at: string
  }
}

export interface CreatedPersonalToken {
  id: number
  name: string
  last_four: string
  created_at: string
  /** Shown once */
  token: string
}

export interface PersonalToken {
  id: number
  name: string
  last_four: string
  created_at: string
}

export interface Key {
  id: number
  name: string
  access: 'read' | 'write'
  operations: ('account:read' | 'projects:read' | 'projects:write' | 'projects:destructive' | 'task_lists:read' | 'task_lists:write' | 'task_lists:destructive' | 'tasks:read' | 'tasks:write' | 'tasks:destructive' | 'discussions:read' | 'discussions:write' | 'discussions:destructive' | 'comments:read' | 'comments:write' | 'files:read' | 'files:write' | 'files:destructive' | 'events:read' | 'events:write' | 'events:destructive')[]
  rights: ('manage_files' | 'delete_any_task_or_list' | 'delete_any_file')[]
  last_four: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_by: {
    id: number
    name: string
    email: string
  }
  created_at: string
}

export interface CreatedKey {
  id: number
  name: string
  access: 'read' | 'write'
  operations: ('account:read' | 'projects:read' | 'projects:write' | 'projects:destructive' | 'task_lists:read' | 'task_lists:write' | 'task_lists:destructive' | 'tasks:read' | 'tasks:write' | 'tasks:destructive' | 'discussions:read' | 'discussions:write' | 'discussions:destructive' | 'comments:read' | 'comments:write' | 'files:read' | 'files:write' | 'files:destructive' | 'events:read' | 'events:write' | 'events:destructive')[]
  rights: ('manage_files' | 'delete_any_task_or_list' | 'delete_any_file')[]
  last_four: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_by: {
    id: number
    name: string
    email: string
  }
  created_at: string
  /** The key itself, shown once */
  key: string
}

export interface Usage {
  /** A day in the company zone */
  date: string
  calls: number
  /** The allowance of that day, today’s for a day without calls; null is unlimited */
  limit: number | null
}

export interface AuditEntry {
  id: number
  created_at: string
  outcome: 'denied' | 'allowed'
  operation: string
  method: string
  path: string
  status: number
  reason: string
  by: {
    kind: 'key' | 'person' | 'operator'
    /** Of the key or the person; null for the operator */
    id: number | null
    /** As it was then */
    name: string
  }
  /** The name of the person behind it: the creator of the key, the person, or the operator */
  actor: string
  /** The key that did it */
  key: {
    id: number
    name: string
  } | null
  /** The record that was changed; null for a denial */
  target: {
    /** For example `user`, `key`, `project` */
    type: string
    /** The ref, or the id of what has none */
    id: string | number
    /** As it was then */
    name: string
  } | null
  /** The fields that changed. A value is null where it is not kept: only roles, grants, plans, flags, allowances, the subscription, the time zone, rights, operations and access are. */
  changes: Record<string, {
    from: unknown
    to: unknown
  } | null>
  request_id: string
  /** How many denials the entry stands for: 1, except in the entry that counts those beyond 100 in an hour */
  count: number
}

export interface TimelineEntry {
  id: number
  created_at: string
  kind: string
  project: {
    id: string
    name: string
  }
  subject: {
    type: string
    /** The ref of the record */
    id: string
    /** As it was then */
    title: string
  }
  actor: string
}

export interface Notification {
  id: number
  created_at: string
  kind: string
  user: {
    id: number
    name: string
    email: string
  }
  subject: {
    type: string
    /** The ref of the record */
    id: string
    /** As it was then */
    title: string
  }
  emailed_at: string | null
}

export interface Subscription {
  created_at: string
  user: {
    id: number
    name: string
    email: string
  }
  subject: {
    type: string
    /** The ref of the record */
    id: string
    /** As it was then */
    title: string
  }
}

export interface Trashed {
  type: 'project' | 'discussion'
  /** The ref */
  id: string
  title: string
  deleted_at: string
  deleted_by: string | null
}

export interface Project {
  /** The `prj-` ref; it never changes */
  id: string
  name: string
  description: string | null
  is_public: boolean
  archived: boolean
  start_date: string | null
  end_date: string | null
  task_lists_count: number
  tasks_count: number
  created_at: string
  updated_at: string
  /** The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura` */
  hijri?: {
    start_date: string | null
    end_date: string | null
  }
  slug: string
}

export interface Discussion {
  /** The `mjl-` ref; it never changes */
  id: string
  title: string
  body: string | null
  category: string | null
  author: string | null
  replies_count: number
  created_at: string
}

export interface Membership {
  /** The id of the person */
  id: number
  name: string
  email: string
  role: string
}

export interface Calendar {
  id: number
  user: {
    id: number
    name: string
    email: string
  }
  url: string
  username: string
  /** `failing` when nothing could be sent for more than 24 hours */
  state: 'connected' | 'failing'
  /** Why the last attempt failed; null if it succeeded */
  last_error: string | null
  last_synced_at: string | null
  created_at: string
}

export interface Webhook {
  id: number
  name: string
  url: string
  kinds: ('*' | 'project.*' | 'project.created' | 'project.updated' | 'project.deleted' | 'project.archived' | 'project.unarchived' | 'project.restored' | 'task_list.*' | 'task_list.created' | 'task_list.updated' | 'task_list.deleted' | 'task.*' | 'task.created' | 'task.updated' | 'task.deleted' | 'task.completed' | 'task.reopened' | 'task.moved' | 'comment.*' | 'comment.created' | 'comment.updated' | 'discussion.*' | 'discussion.created' | 'discussion.updated' | 'discussion.deleted' | 'discussion.restored' | 'folder.*' | 'folder.created' | 'folder.updated' | 'folder.deleted' | 'folder.moved' | 'file.*' | 'file.created' | 'file.deleted' | 'file.scanned')[]
  /** The `prj-` ref of the project whose changes it receives; null for all projects */
  project: string | null
  /** False while it is switched off and nothing is sent */
  active: boolean
  /** The first failure since the last successful delivery; null when there is none */
  failing_since: string | null
  /** When Diwan switched it off by itself */
  switched_off_at: string | null
  /** `failing`: every delivery failed for 5 days; `gone`: the receiver answered 410 */
  switched_off_because: 'failing' | 'gone' | null
  created_by: {
    id: number
    name: string
    email: string
  } | null
  created_at: string
}

export interface WebhookWithSecret {
  id: number
  name: string
  url: string
  kinds: ('*' | 'project.*' | 'project.created' | 'project.updated' | 'project.deleted' | 'project.archived' | 'project.unarchived' | 'project.restored' | 'task_list.*' | 'task_list.created' | 'task_list.updated' | 'task_list.deleted' | 'task.*' | 'task.created' | 'task.updated' | 'task.deleted' | 'task.completed' | 'task.reopened' | 'task.moved' | 'comment.*' | 'comment.created' | 'comment.updated' | 'discussion.*' | 'discussion.created' | 'discussion.updated' | 'discussion.deleted' | 'discussion.restored' | 'folder.*' | 'folder.created' | 'folder.updated' | 'folder.deleted' | 'folder.moved' | 'file.*' | 'file.created' | 'file.deleted' | 'file.scanned')[]
  /** The `prj-` ref of the project whose changes it receives; null for all projects */
  project: string | null
  /** False while it is switched off and nothing is sent */
  active: boolean
  /** The first failure since the last successful delivery; null when there is none */
  failing_since: string | null
  /** When Diwan switched it off by itself */
  switched_off_at: string | null
  /** `failing`: every delivery failed for 5 days; `gone`: the receiver answered 410 */
  switched_off_because: 'failing' | 'gone' | null
  created_by: {
    id: number
    name: string
    email: string
  } | null
  created_at: string
  /** Messages are signed with it; shown once */
  secret: string
}

export interface WebhookTest {
  /** True when the receiver answered 2xx */
  delivered: boolean
  /** Null when there was no answer */
  status: number | null
  /** Why it failed, as in the log; null if it succeeded */
  error: string | null
  ms: number
  /** The first kilobyte of the answer */
  response: string | null
}

export interface WebhookDelivery {
  id: number
  /** The `webhook-id` of every attempt, replays included */
  message_id: string
  /** What happened: `task.completed` */
  type: string
  /** The ref of the record, or its number where it has none */
  record_id: string | number
  /** The `prj-` ref */
  project_id: string
  state: 'pending' | 'delivered' | 'failed'
  /** Attempts since it was created or last replayed */
  attempts: number
  /** The status of the last answer; null when there was none */
  status: number | null
  /** Why the last attempt failed; null if it succeeded */
  error: string | null
  /** How long the last attempt took, in milliseconds */
  ms: number | null
  /** The first kilobyte of the last answer */
  response: string | null
  created_at: string
  last_attempt_at: string | null
  next_attempt_at: string | null
}

export interface ScannedFile {
  id: number
  ref: string
  name: string
  project: {
    id: string
    name: string
  }
  size_bytes: number | null
  scan_state: string
  /** The scan engine and its rules */
  scan_engine: string | null
  /** What the scan found, or what prevented it */
  scan_finding: string | null
  /** Why the file is `infected` or `failed`, in a sentence for people */
  scan_message: string | null
  scanned_at: string | null
  uploaded_by: string
  created_at: string
}

export interface FailedJob {
  id: string
  kind: string
  payload: Record<string, unknown>
  attempts: number
  /** The error of the last attempt */
  error: string | null
  created_at: string
  failed_at: string
}

export interface Error {
  error: {
    code: string
    message: string
    /** Where to start again; with cursor_expired only */
    cursor?: string
    /** The path no endpoint answers; with unknown_endpoint only */
    path?: string
  }
}

export interface BurstError {
  error: string
}

/** List companies */
export interface ListCompaniesQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Create a company with its owner */
export interface CreateCompanyBody {
  name: string
  /** An IANA zone */
  time_zone: string
  plan: 'free' | 'pro' | 'advanced' | 'productive' | 'enterprise'
  rest_api?: boolean
  /** Enterprise only; null is unlimited */
  daily_calls?: number | null
  /** A second calendar for the dates in mails; null for none */
  second_calendar?: 'islamic-umalqura' | null
  owner: {
    name: string
    email: string
  }
}

/** Update a company */
export interface UpdateCompanyBody {
  name?: string
  /** An IANA zone */
  time_zone?: string
  plan?: 'free' | 'pro' | 'advanced' | 'productive' | 'enterprise'
  rest_api?: boolean
  /** Enterprise only; null is unlimited */
  daily_calls?: number | null
  /** A second calendar for the dates in mails; null for none */
  second_calendar?: 'islamic-umalqura' | null
  subscription?: 'active' | 'read_only'
}

/** List the people of a company */
export interface ListUsersQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Add a person */
export interface CreateUserBody {
  name: string
  email: string
  /** Default member */
  role?: 'owner' | 'manager' | 'member'
  can_manage_api_keys?: boolean
  active?: boolean
  /** Default en */
  language?: 'en' | 'ar'
}

/** Update a person */
export interface UpdateUserBody {
  name?: string
  email?: string
  /** Default member */
  role?: 'owner' | 'manager' | 'member'
  can_manage_api_keys?: boolean
  active?: boolean
  /** Default en */
  language?: 'en' | 'ar'
}

/** Accept an invitation */
export interface AcceptInvitationBody {
  /** The code from the invitation */
  code: string
}

/** List a person's access tokens */
export interface ListTokensQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Make a personal access token */
export interface CreateTokenBody {
  name: string
}

/** List API keys */
export interface ListKeysQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Make an API key */
export interface CreateKeyBody {
  name: string
  access: 'read' | 'write'
  /** Default: the preset of `access`, which holds nothing destructive */
  operations?: ('account:read' | 'projects:read' | 'projects:write' | 'projects:destructive' | 'task_lists:read' | 'task_lists:write' | 'task_lists:destructive' | 'tasks:read' | 'tasks:write' | 'tasks:destructive' | 'discussions:read' | 'discussions:write' | 'discussions:destructive' | 'comments:read' | 'comments:write' | 'files:read' | 'files:write' | 'files:destructive' | 'events:read' | 'events:write' | 'events:destructive')[]
  /** Default: `manage_files` for write access */
  rights?: ('manage_files' | 'delete_any_task_or_list' | 'delete_any_file')[]
  /** ISO 8601, not in the past; without an offset in the company zone */
  expires_at?: string | null
  /** The person who signs what the key does. By default the caller; for the operator, the owner. Only an owner or the operator can name somebody else. */
  created_by?: number
}

/** Update an API key */
export interface UpdateKeyBody {
  name?: string
  access?: 'read' | 'write'
  /** Default: the preset of `access`, which holds nothing destructive */
  operations?: ('account:read' | 'projects:read' | 'projects:write' | 'projects:destructive' | 'task_lists:read' | 'task_lists:write' | 'task_lists:destructive' | 'tasks:read' | 'tasks:write' | 'tasks:destructive' | 'discussions:read' | 'discussions:write' | 'discussions:destructive' | 'comments:read' | 'comments:write' | 'files:read' | 'files:write' | 'files:destructive' | 'events:read' | 'events:write' | 'events:destructive')[]
  /** Default: `manage_files` for write access */
  rights?: ('manage_files' | 'delete_any_task_or_list' | 'delete_any_file')[]
  /** ISO 8601, not in the past; without an offset in the company zone */
  expires_at?: string | null
}

/** Rotate an API key */
export interface RotateKeyBody {
  /** How long the old key keeps working; default 24 */
  overlap_hours?: number
  /** When the new key expires; by default when the old one would have */
  expires_at?: string | null
}

/** List the calls of each day */
export interface GetUsageQuery {
  days?: number
}

/** Read the audit */
export interface ListAuditEntriesQuery {
  outcome?: 'denied' | 'allowed'
  /** For example `keys:write` */
  operation?: string
  /** Whether a key, a person or the operator did it */
  by_kind?: 'key' | 'person' | 'operator'
  /** The id of the key or person who did it */
  by_id?: string
  /** The id of the key that did it */
  key_id?: string
  /** The ref or id of the record that was changed */
  target_id?: string
  /** ISO 8601 date or time, included */
  from?: string
  /** ISO 8601 date or time, included */
  to?: string
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Read the audit of the service */
export interface ListServiceAuditEntriesQuery {
  outcome?: 'denied' | 'allowed'
  /** For example `keys:write` */
  operation?: string
  /** Whether a key, a person or the operator did it */
  by_kind?: 'key' | 'person' | 'operator'
  /** The id of the key or person who did it */
  by_id?: string
  /** The id of the key that did it */
  key_id?: string
  /** The ref or id of the record that was changed */
  target_id?: string
  /** ISO 8601 date or time, included */
  from?: string
  /** ISO 8601 date or time, included */
  to?: string
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Read the timeline */
export interface ListTimelineEntriesQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Read notifications */
export interface ListNotificationsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Read who follows which discussion */
export interface ListSubscriptionsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** List what can be restored */
export interface ListTrashQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** List the projects of a company */
export interface ListProjectsQuery {
  /** Part of the name */
  q?: string
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** List the members of a project */
export interface ListProjectMembersQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Add a member to a project */
export interface AddProjectMemberBody {
  user_id: number
}

/** List connected calendars */
export interface ListCalendarsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Connect a person's calendar */
export interface ConnectCalendarBody {
  /** Whose calendar it is; default the caller */
  user_id?: number
  /** The address of the calendar itself, http or https */
  url: string
  username: string
  /** Stored encrypted and never shown */
  password: string
}

/** Change the credentials of a connection */
export interface UpdateCalendarBody {
  username?: string
  /** Stored encrypted and never shown */
  password?: string
}

/** List webhooks */
export interface ListWebhooksQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Create a webhook */
export interface CreateWebhookBody {
  name: string
  /** https, with any path and query */
  url: string
  /** Which changes are sent: `task.completed`, `task.*` for every change of a kind, `*` for all */
  kinds: ('*' | 'project.*' | 'project.created' | 'project.updated' | 'project.deleted' | 'project.archived' | 'project.unarchived' | 'project.restored' | 'task_list.*' | 'task_list.created' | 'task_list.updated' | 'task_list.deleted' | 'task.*' | 'task.created' | 'task.updated' | 'task.deleted' | 'task.completed' | 'task.reopened' | 'task.moved' | 'comment.*' | 'comment.created' | 'comment.updated' | 'discussion.*' | 'discussion.created' | 'discussion.updated' | 'discussion.deleted' | 'discussion.restored' | 'folder.*' | 'folder.created' | 'folder.updated' | 'folder.deleted' | 'folder.moved' | 'file.*' | 'file.created' | 'file.deleted' | 'file.scanned')[]
  /** The ref of a project, to receive its changes only; null or omitted for all projects */
  project?: string | null
  /** Default true */
  active?: boolean
}

/** Update a webhook */
export interface UpdateWebhookBody {
  name?: string
  /** https, with any path and query */
  url?: string
  /** Which changes are sent: `task.completed`, `task.*` for every change of a kind, `*` for all */
  kinds?: ('*' | 'project.*' | 'project.created' | 'project.updated' | 'project.deleted' | 'project.archived' | 'project.unarchived' | 'project.restored' | 'task_list.*' | 'task_list.created' | 'task_list.updated' | 'task_list.deleted' | 'task.*' | 'task.created' | 'task.updated' | 'task.deleted' | 'task.completed' | 'task.reopened' | 'task.moved' | 'comment.*' | 'comment.created' | 'comment.updated' | 'discussion.*' | 'discussion.created' | 'discussion.updated' | 'discussion.deleted' | 'discussion.restored' | 'folder.*' | 'folder.created' | 'folder.updated' | 'folder.deleted' | 'folder.moved' | 'file.*' | 'file.created' | 'file.deleted' | 'file.scanned')[]
  /** The ref of a project, to receive its changes only; null or omitted for all projects */
  project?: string | null
  /** Default true */
  active?: boolean
}

/** List the deliveries of a webhook */
export interface ListWebhookDeliveriesQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Send recent deliveries again */
export interface ReplayWebhookBody {
  /** When the changes to send again begin: ISO 8601; without an offset, in the company zone */
  since: string
  /** Send only failed deliveries again; default false */
  failed_only?: boolean
}

/** Set the category of a discussion */
export interface SetDiscussionCategoryBody {
  category?: string | null
}

/** List files with their virus scan results */
export interface ListScannedFilesQuery {
  scan_state?: string
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** List failed jobs */
export interface ListFailedJobsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Every endpoint by its name. */
export interface Endpoints {
  /** Who the token belongs to */
  getMe: {
    method: 'GET'
    path: '/me'
    params: undefined
    query: undefined
    body: undefined
    answer: {
      data: Me
    }
  }
  /** List companies */
  listCompanies: {
    method: 'GET'
    path: '/companies'
    params: undefined
    query: ListCompaniesQuery
    body: undefined
    answer: {
      data: Company[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Create a company with its owner */
  createCompany: {
    method: 'POST'
    path: '/companies'
    params: undefined
    query: undefined
    body: CreateCompanyBody
    answer: {
      data: CreatedCompany
    }
  }
  /** Get a company */
  getCompany: {
    method: 'GET'
    path: '/companies/{company}'
    params: { company: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Company
    }
  }
  /** Update a company */
  updateCompany: {
    method: 'PATCH'
    path: '/companies/{company}'
    params: { company: string | number }
    query: undefined
    body: UpdateCompanyBody
    answer: {
      data: Company
    }
  }
  /** List the people of a company */
  listUsers: {
    method: 'GET'
    path: '/companies/{company}/users'
    params: { company: string | number }
    query: ListUsersQuery
    body: undefined
    answer: {
      data: User[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Add a person */
  createUser: {
    method: 'POST'
    path: '/companies/{company}/users'
    params: { company: string | number }
    query: undefined
    body: CreateUserBody
    answer: {
      data: CreatedUser
    }
  }
  /** Get a person */
  getUser: {
    method: 'GET'
    path: '/companies/{company}/users/{user}'
    params: { company: string | number; user: string | number }
    query: undefined
    body: undefined
    answer: {
      data: User
    }
  }
  /** Update a person */
  updateUser: {
    method: 'PATCH'
    path: '/companies/{company}/users/{user}'
    params: { company: string | number; user: string | number }
    query: undefined
    body: UpdateUserBody
    answer: {
      data: User
    }
  }
  /** Invite a person again */
  inviteUser: {
    method: 'POST'
    path: '/companies/{company}/users/{user}/invitation'
    params: { company: string | number; user: string | number }
    query: undefined
    body: undefined
    answer: {
      data: MadeInvitation
    }
  }
  /** Accept an invitation */
  acceptInvitation: {
    method: 'POST'
    path: '/invitations/accept'
    params: undefined
    query: undefined
    body: AcceptInvitationBody
    answer: {
      data: CreatedPersonalToken
    }
  }
  /** List a person's access tokens */
  listTokens: {
    method: 'GET'
    path: '/companies/{company}/users/{user}/tokens'
    params: { company: string | number; user: string | number }
    query: ListTokensQuery
    body: undefined
    answer: {
      data: PersonalToken[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Make a personal access token */
  createToken: {
    method: 'POST'
    path: '/companies/{company}/users/{user}/tokens'
    params: { company: string | number; user: string | number }
    query: undefined
    body: CreateTokenBody
    answer: {
      data: CreatedPersonalToken
    }
  }
  /** Revoke a personal access token */
  revokeToken: {
    method: 'DELETE'
    path: '/companies/{company}/users/{user}/tokens/{token}'
    params: { company: string | number; user: string | number; token: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        token: {
          id: number
          name: string
        }
      }
    }
  }
  /** List API keys */
  listKeys: {
    method: 'GET'
    path: '/companies/{company}/keys'
    params: { company: string | number }
    query: ListKeysQuery
    body: undefined
    answer: {
      data: Key[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Make an API key */
  createKey: {
    method: 'POST'
    path: '/companies/{company}/keys'
    params: { company: string | number }
    query: undefined
    body: CreateKeyBody
    answer: {
      data: CreatedKey
    }
  }
  /** Get an API key */
  getKey: {
    method: 'GET'
    path: '/companies/{company}/keys/{key}'
    params: { company: string | number; key: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Key
    }
  }
  /** Update an API key */
  updateKey: {
    method: 'PATCH'
    path: '/companies/{company}/keys/{key}'
    params: { company: string | number; key: string | number }
    query: undefined
    body: UpdateKeyBody
    answer: {
      data: Key
    }
  }
  /** Revoke an API key */
  revokeKey: {
    method: 'DELETE'
    path: '/companies/{company}/keys/{key}'
    params: { company: string | number; key: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: boolean
        key: Key
      }
    }
  }
  /** Rotate an API key */
  rotateKey: {
    method: 'POST'
    path: '/companies/{company}/keys/{key}/rotate'
    params: { company: string | number; key: string | number }
    query: undefined
    body: RotateKeyBody
    answer: {
      data: CreatedKey
    }
  }
  /** List the calls of each day */
  getUsage: {
    method: 'GET'
    path: '/companies/{company}/usage'
    params: { company: string | number }
    query: GetUsageQuery
    body: undefined
    answer: {
      data: Usage[]
    }
  }
  /** Read the audit */
  listAuditEntries: {
    method: 'GET'
    path: '/companies/{company}/audit'
    params: { company: string | number }
    query: ListAuditEntriesQuery
    body: undefined
    answer: {
      data: AuditEntry[]
      meta: {
        /** Records that match, before limit and offset; at most 10,000 */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
        /** True when there are more than `total` */
        total_is_lower_bound?: boolean
      }
    }
  }
  /** Read the audit of the service */
  listServiceAuditEntries: {
    method: 'GET'
    path: '/audit'
    params: undefined
    query: ListServiceAuditEntriesQuery
    body: undefined
    answer: {
      data: AuditEntry[]
      meta: {
        /** Records that match, before limit and offset; at most 10,000 */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
        /** True when there are more than `total` */
        total_is_lower_bound?: boolean
      }
    }
  }
  /** Read the timeline */
  listTimelineEntries: {
    method: 'GET'
    path: '/companies/{company}/timeline'
    params: { company: string | number }
    query: ListTimelineEntriesQuery
    body: undefined
    answer: {
      data: TimelineEntry[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Read notifications */
  listNotifications: {
    method: 'GET'
    path: '/companies/{company}/notifications'
    params: { company: string | number }
    query: ListNotificationsQuery
    body: undefined
    answer: {
      data: Notification[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Read who follows which discussion */
  listSubscriptions: {
    method: 'GET'
    path: '/companies/{company}/subscriptions'
    params: { company: string | number }
    query: ListSubscriptionsQuery
    body: undefined
    answer: {
      data: Subscription[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** List what can be restored */
  listTrash: {
    method: 'GET'
    path: '/companies/{company}/trash'
    params: { company: string | number }
    query: ListTrashQuery
    body: undefined
    answer: {
      data: Trashed[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Restore a deleted record */
  restoreRecord: {
    method: 'POST'
    path: '/companies/{company}/trash/{ref}/restore'
    params: { company: string | number; ref: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Project | Discussion
    }
  }
  /** List the projects of a company */
  listProjects: {
    method: 'GET'
    path: '/companies/{company}/projects'
    params: { company: string | number }
    query: ListProjectsQuery
    body: undefined
    answer: {
      data: Project[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** List the members of a project */
  listProjectMembers: {
    method: 'GET'
    path: '/companies/{company}/projects/{project}/members'
    params: { company: string | number; project: string | number }
    query: ListProjectMembersQuery
    body: undefined
    answer: {
      data: Membership[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Add a member to a project */
  addProjectMember: {
    method: 'POST'
    path: '/companies/{company}/projects/{project}/members'
    params: { company: string | number; project: string | number }
    query: undefined
    body: AddProjectMemberBody
    answer: {
      data: Membership
    }
  }
  /** Remove a member from a project */
  removeProjectMember: {
    method: 'DELETE'
    path: '/companies/{company}/projects/{project}/members/{user}'
    params: { company: string | number; project: string | number; user: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        member: Membership
      }
    }
  }
  /** List connected calendars */
  listCalendars: {
    method: 'GET'
    path: '/companies/{company}/calendars'
    params: { company: string | number }
    query: ListCalendarsQuery
    body: undefined
    answer: {
      data: Calendar[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Connect a person's calendar */
  connectCalendar: {
    method: 'POST'
    path: '/companies/{company}/calendars'
    params: { company: string | number }
    query: undefined
    body: ConnectCalendarBody
    answer: {
      data: Calendar
    }
  }
  /** Change the credentials of a connection */
  updateCalendar: {
    method: 'PATCH'
    path: '/companies/{company}/calendars/{calendar}'
    params: { company: string | number; calendar: string | number }
    query: undefined
    body: UpdateCalendarBody
    answer: {
      data: Calendar
    }
  }
  /** Disconnect a calendar */
  disconnectCalendar: {
    method: 'DELETE'
    path: '/companies/{company}/calendars/{calendar}'
    params: { company: string | number; calendar: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        calendar: {
          id: number
          url: string
        }
      }
    }
  }
  /** List webhooks */
  listWebhooks: {
    method: 'GET'
    path: '/companies/{company}/webhooks'
    params: { company: string | number }
    query: ListWebhooksQuery
    body: undefined
    answer: {
      data: Webhook[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Create a webhook */
  createWebhook: {
    method: 'POST'
    path: '/companies/{company}/webhooks'
    params: { company: string | number }
    query: undefined
    body: CreateWebhookBody
    answer: {
      data: WebhookWithSecret
    }
  }
  /** Get a webhook */
  getWebhook: {
    method: 'GET'
    path: '/companies/{company}/webhooks/{webhook}'
    params: { company: string | number; webhook: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Webhook
    }
  }
  /** Update a webhook */
  updateWebhook: {
    method: 'PATCH'
    path: '/companies/{company}/webhooks/{webhook}'
    params: { company: string | number; webhook: string | number }
    query: undefined
    body: UpdateWebhookBody
    answer: {
      data: Webhook
    }
  }
  /** Delete a webhook */
  deleteWebhook: {
    method: 'DELETE'
    path: '/companies/{company}/webhooks/{webhook}'
    params: { company: string | number; webhook: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        webhook: {
          id: number
          name: string
        }
      }
    }
  }
  /** Rotate the secret of a webhook */
  rotateWebhookSecret: {
    method: 'POST'
    path: '/companies/{company}/webhooks/{webhook}/rotate'
    params: { company: string | number; webhook: string | number }
    query: undefined
    body: undefined
    answer: {
      data: WebhookWithSecret
    }
  }
  /** Send a test message */
  testWebhook: {
    method: 'POST'
    path: '/companies/{company}/webhooks/{webhook}/test'
    params: { company: string | number; webhook: string | number }
    query: undefined
    body: undefined
    answer: {
      data: WebhookTest
    }
  }
  /** List the deliveries of a webhook */
  listWebhookDeliveries: {
    method: 'GET'
    path: '/companies/{company}/webhooks/{webhook}/deliveries'
    params: { company: string | number; webhook: string | number }
    query: ListWebhookDeliveriesQuery
    body: undefined
    answer: {
      data: WebhookDelivery[]
      meta: {
        /** Records that match, before limit and offset; at most 10,000 */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
        /** True when there are more than `total` */
        total_is_lower_bound?: boolean
      }
    }
  }
  /** Send a delivery again */
  replayWebhookDelivery: {
    method: 'POST'
    path: '/companies/{company}/webhooks/{webhook}/deliveries/{delivery}/replay'
    params: { company: string | number; webhook: string | number; delivery: string | number }
    query: undefined
    body: undefined
    answer: {
      data: WebhookDelivery
    }
  }
  /** Send recent deliveries again */
  replayWebhook: {
    method: 'POST'
    path: '/companies/{company}/webhooks/{webhook}/replay'
    params: { company: string | number; webhook: string | number }
    query: undefined
    body: ReplayWebhookBody
    answer: {
      data: {
        /** How many deliveries are sent again */
        replayed: number
      }
    }
  }
  /** Set the category of a discussion */
  setDiscussionCategory: {
    method: 'PATCH'
    path: '/companies/{company}/discussions/{ref}'
    params: { company: string | number; ref: string | number }
    query: undefined
    body: SetDiscussionCategoryBody
    answer: {
      data: Discussion
    }
  }
  /** List files with their virus scan results */
  listScannedFiles: {
    method: 'GET'
    path: '/companies/{company}/files'
    params: { company: string | number }
    query: ListScannedFilesQuery
    body: undefined
    answer: {
      data: ScannedFile[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Scan a file again */
  rescanFile: {
    method: 'POST'
    path: '/companies/{company}/files/{ref}/scan'
    params: { company: string | number; ref: string | number }
    query: undefined
    body: undefined
    answer: {
      data: ScannedFile
    }
  }
  /** List failed jobs */
  listFailedJobs: {
    method: 'GET'
    path: '/jobs/failed'
    params: undefined
    query: ListFailedJobsQuery
    body: undefined
    answer: {
      data: FailedJob[]
      meta: {
        /** Records that match, before limit and offset */
        total: number
        limit: number
        offset: number
        /** Records in this page */
        count: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Run a failed job again */
  retryJob: {
    method: 'POST'
    path: '/jobs/failed/{job}/retry'
    params: { job: string | number }
    query: undefined
    body: undefined
    answer: {
      data: FailedJob
    }
  }
}
