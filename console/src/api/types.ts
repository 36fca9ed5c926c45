// Written by "npm run openapi" from openapi-admin.json: change the declarations, not this file.

export type Role = 'owner' | 'manager' | 'member'

export type Plan = 'free' | 'pro' | 'advanced' | 'productive' | 'enterprise'

export interface Me {
  kind: 'person' | 'operator'
  user: {
    id: number
    name: string
    email: string
    role: Role
    can_manage_api_keys: boolean
  } | null
  company: {
    id: number
    name: string
    time_zone: string
    second_calendar: 'islamic-umalqura' | null
    plan: Plan
    /** Whether the API is switched on; the plan must include it too */
    rest_api: boolean
    /** Enterprise only; null is unlimited */
    daily_calls: number | null
    /** True in a sandbox, where nothing is real (since 1.7.0) */
    sandbox: boolean
  } | null
  /** How many notifications you have not read; 0 for the operator */
  unread_notifications: number
  /** The endpoints of the administration that the caller may call in their own company, by name */
  may: string[]
  /** The session of the console that the request came with; null with a token */
  session: {
    id: number
    created_at: string
    /** 12 hours after it began */
    expires_at: string
    /** When it ends unless it is used before */
    idle_until: string
  } | null
}

export interface SignIn {
  /** Null when none is set up */
  identity_provider: {
    /** The words on the button */
    name: string
    /** Where a browser begins to sign in */
    url: string
    /** Whether `require_oidc` of a company has an effect */
    may_be_required: boolean
  } | null
  /** Whom the identity provider has just signed in in this browser; null for nobody */
  identity: {
    email: string | null
    /** Whether the provider has verified the address */
    email_verified: boolean
  } | null
  /** The people that this may be, one in each company at most: choose with `POST /sessions` */
  people: {
    company: {
      id: number
      name: string
    }
    user: {
      id: number
      name: string
      email: string
    }
  }[]
}

export interface Session {
  id: number
  created_at: string
  /** To the minute */
  last_used_at: string
  expires_at: string
  /** What the browser says that it is */
  user_agent: string | null
  /** The address from which it was begun */
  address: string
  /** The token it was begun with; null for the operator and with the identity provider */
  token: {
    id: number
    name: string
  } | null
  /** The link with the identity provider, if it was begun there */
  sign_in_link: {
    id: number
    issuer: string
    email: string | null
  } | null
  /** True for the session that this request came with */
  current: boolean
}

export interface PageMeta {
  /** Records that match, before limit and offset */
  total: number
  limit: number
  offset: number
  /** Records in this page */
  count: number
  /** `cursor` of the next page; null on the last one */
  next_cursor: string | null
}

export type Operation = 'account:read' | 'projects:read' | 'projects:write' | 'projects:destructive' | 'task_lists:read' | 'task_lists:write' | 'task_lists:destructive' | 'tasks:read' | 'tasks:write' | 'tasks:destructive' | 'discussions:read' | 'discussions:write' | 'discussions:destructive' | 'comments:read' | 'comments:write' | 'files:read' | 'files:write' | 'files:destructive' | 'events:read' | 'events:write' | 'events:destructive'

export type OperationLevel = 'read' | 'write' | 'destructive'

export type Access = 'read' | 'write'

export type Right = 'manage_files' | 'delete_any_task_or_list' | 'delete_any_file'

export type Language = 'en' | 'ar'

export type ChangedKind = 'project' | 'task_list' | 'task' | 'comment' | 'discussion' | 'folder' | 'file'

export type ChangeName = 'created' | 'updated' | 'deleted' | 'completed' | 'reopened' | 'moved' | 'archived' | 'unarchived' | 'restored' | 'scanned'

export type NotificationKind = 'discussion_created' | 'discussion_replied' | 'file_infected' | 'file_unscanned' | 'calendar_connected' | 'calendar_disconnected' | 'calendar_failing' | 'webhook_failing' | 'webhook_switched_off' | 'invitation' | 'event_invited' | 'event_changed' | 'event_removed' | 'event_cancelled'

export type AuditOperation = 'account:read' | 'projects:read' | 'projects:write' | 'projects:destructive' | 'task_lists:read' | 'task_lists:write' | 'task_lists:destructive' | 'tasks:read' | 'tasks:write' | 'tasks:destructive' | 'discussions:read' | 'discussions:write' | 'discussions:destructive' | 'comments:read' | 'comments:write' | 'files:read' | 'files:write' | 'files:destructive' | 'events:read' | 'events:write' | 'events:destructive' | 'me:read' | 'catalog:read' | 'sessions:read' | 'sessions:write' | 'sessions:destructive' | 'sign_in_links:read' | 'sign_in_links:destructive' | 'companies:read' | 'companies:write' | 'companies:destructive' | 'users:read' | 'users:write' | 'invitations:write' | 'tokens:read' | 'tokens:write' | 'tokens:destructive' | 'keys:read' | 'keys:write' | 'keys:destructive' | 'usage:read' | 'requests:read' | 'audit:read' | 'timeline:read' | 'notifications:read' | 'notifications:write' | 'subscriptions:read' | 'trash:read' | 'trash:write' | 'changes:read' | 'members:read' | 'members:write' | 'members:destructive' | 'calendars:read' | 'calendars:write' | 'calendars:destructive' | 'webhooks:read' | 'webhooks:write' | 'webhooks:destructive' | 'jobs:read' | 'jobs:write' | 'jobs:destructive' | 'health:read' | 'figures:read'

export type AuditField = 'name' | 'email' | 'role' | 'can_manage_api_keys' | 'active' | 'language' | 'invitation' | 'time_zone' | 'second_calendar' | 'plan' | 'rest_api' | 'daily_calls' | 'subscription' | 'require_oidc' | 'access' | 'operations' | 'rights' | 'expires_at' | 'revoked_at' | 'created_by' | 'url' | 'kinds' | 'project' | 'secret' | 'deliveries' | 'credentials' | 'scan_state' | 'created_at' | 'closed_at' | 'deleted_at'

export type AuditOutcome = 'denied' | 'allowed'

export type DoerKind = 'key' | 'person' | 'operator'

export type ScanState = 'pending' | 'clean' | 'skipped' | 'infected' | 'failed'

export type JobKind = 'notify-people' | 'mail-notification' | 'scan-file' | 'remove-bytes' | 'remove-list' | 'remove-folder' | 'sync-calendar'

export interface Catalog {
  /** What keys can be allowed to do */
  operations: {
    name: Operation
    resource: string
    level: OperationLevel
  }[]
  /** What a new key gets when nothing else is said */
  presets: {
    access: Access
    operations: Operation[]
    rights: Right[]
  }[]
  rights: Right[]
  plans: {
    name: Plan
    title: {
      en: string
      ar: string
    }
    /** Whether the plan includes the API */
    api: boolean
    /** Calls a day; null where `daily_calls` of the company says */
    daily_calls: number | null
    time_tracking: boolean
  }[]
  roles: Role[]
  languages: Language[]
  /** What webhooks can be told of: a kind and a change make `task.completed` */
  webhook_events: {
    kind: ChangedKind
    changes: ChangeName[]
  }[]
  notification_kinds: NotificationKind[]
  /** What an entry of the audit can be about: those of keys and those of the administration */
  audit_operations: AuditOperation[]
  /** The fields whose changes the audit keeps */
  audit_fields: AuditField[]
  audit_outcomes: AuditOutcome[]
  audit_by_kinds: DoerKind[]
  scan_states: ScanState[]
  job_kinds: JobKind[]
}

export type SubscriptionState = 'active' | 'read_only'

export interface Company {
  id: number
  name: string
  time_zone: string
  plan: Plan
  rest_api: boolean
  daily_calls: number | null
  subscription: SubscriptionState
  /** The language of mail to people who have not chosen one */
  language: Language
  second_calendar: 'islamic-umalqura' | null
  /** Whether its people must sign in to the console with the identity provider */
  require_oidc: boolean
  created_at: string
  /** When it was closed; 30 days later it is removed */
  closed_at: string | null
  /** The cell that it has moved to and that serves it; it is closed here (since 1.7.0) */
  moved_to: number | null
  /** Whether it is the sandbox of another company (since 1.7.0) */
  sandbox: boolean
  /** The company that it is the sandbox of (since 1.7.0) */
  sandbox_of: number | null
  /** Its open sandbox, if it has one (since 1.7.0) */
  sandbox_id: number | null
  owner: {
    id: number
    name: string
    email: string
    role: Role
  }
  /** Keys that are neither revoked nor expired */
  keys_count: number
  /** API calls since midnight in the company zone */
  calls_today: number
  /** The cell that it lives in, where there are several (since 1.7.0) */
  cell: number | null
}

export interface CreatedCompany {
  id: number
  name: string
  time_zone: string
  plan: Plan
  rest_api: boolean
  daily_calls: number | null
  subscription: SubscriptionState
  /** The language of mail to people who have not chosen one */
  language: Language
  second_calendar: 'islamic-umalqura' | null
  /** Whether its people must sign in to the console with the identity provider */
  require_oidc: boolean
  created_at: string
  /** When it was closed; 30 days later it is removed */
  closed_at: string | null
  /** The cell that it has moved to and that serves it; it is closed here (since 1.7.0) */
  moved_to: number | null
  /** Whether it is the sandbox of another company (since 1.7.0) */
  sandbox: boolean
  /** The company that it is the sandbox of (since 1.7.0) */
  sandbox_of: number | null
  /** Its open sandbox, if it has one (since 1.7.0) */
  sandbox_id: number | null
  owner: {
    id: number
    name: string
    email: string
    role: Role
  }
  /** Keys that are neither revoked nor expired */
  keys_count: number
  /** API calls since midnight in the company zone */
  calls_today: number
  /** The cell that it lives in, where there are several (since 1.7.0) */
  cell: number | null
  /** The owner's personal access token, shown once */
  owner_token: string
}

export interface CreatedSandbox {
  id: number
  name: string
  time_zone: string
  plan: Plan
  rest_api: boolean
  daily_calls: number | null
  subscription: SubscriptionState
  /** The language of mail to people who have not chosen one */
  language: Language
  second_calendar: 'islamic-umalqura' | null
  /** Whether its people must sign in to the console with the identity provider */
  require_oidc: boolean
  created_at: string
  /** When it was closed; 30 days later it is removed */
  closed_at: string | null
  /** The cell that it has moved to and that serves it; it is closed here (since 1.7.0) */
  moved_to: number | null
  /** Whether it is the sandbox of another company (since 1.7.0) */
  sandbox: boolean
  /** The company that it is the sandbox of (since 1.7.0) */
  sandbox_of: number | null
  /** Its open sandbox, if it has one (since 1.7.0) */
  sandbox_id: number | null
  owner: {
    id: number
    name: string
    email: string
    role: Role
  }
  /** Keys that are neither revoked nor expired */
  keys_count: number
  /** API calls since midnight in the company zone */
  calls_today: number
  /** The cell that it lives in, where there are several (since 1.7.0) */
  cell: number | null
  /** The owner's personal access token in the sandbox, shown once */
  owner_token: string
  /** An API key of the sandbox with write access, shown once */
  key: string
}

/** A count of 10,000 means that there are at least so many. */
export interface Counts {
  /** Active people */
  people: number
  /** Keys that are neither revoked nor expired */
  keys: number
  /** Those that expire within 14 days and have not been replaced (since 1.7.0) */
  expiring_keys: number
  /** Denied calls of the last 24 hours, as the audit counts them (since 1.7.0) */
  denials: number
  /** Projects that are not archived */
  projects: number
  /** Open tasks in projects that are not archived */
  open_tasks: number
  /** Those that were due before today in the company zone */
  overdue_tasks: number
  /** Files and links by the state of their virus scan */
  files: {
    pending: number
    clean: number
    skipped: number
    infected: number
    failed: number
  }
  /** Webhooks that are switched on and fail at the moment */
  failing_webhooks: number
  /** Webhooks that Diwan has switched off because they failed (since 1.7.0) */
  switched_off_webhooks: number
  /** Deleted projects and discussions that can be restored */
  trash: number
}

export interface User {
  id: number
  name: string
  email: string
  role: Role
  can_manage_api_keys: boolean
  active: boolean
  /** The language of the person’s mail */
  language: Language
  created_at: string
  /** When the person was first given a token; null until then (since 1.7.0) */
  first_token_at: string | null
  /** Whether the person can sign in, with a token or a linked account of the identity provider: somebody who was invited can from the acceptance on (since 1.7.0) */
  has_token: boolean
  /** While the person has no token: when the latest invitation expires, or has expired. Null when there is none (since 1.7.0) */
  invited_until: string | null
}

export interface CreatedUser {
  id: number
  name: string
  email: string
  role: Role
  can_manage_api_keys: boolean
  active: boolean
  /** The language of the person’s mail */
  language: Language
  created_at: string
  invitation: {
    /** Valid once, for seven days, and shown once. Null when it is sent to the person by mail only. */
    code: string | null
    expires_at: string
  } | null
}

export interface UpdatedUser {
  id: number
  name: string
  email: string
  role: Role
  can_manage_api_keys: boolean
  active: boolean
  /** The language of the person’s mail */
  language: Language
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

export interface SignInLink {
  id: number
  /** The identity provider */
  issuer: string
  /** Its name for the account */
  subject: string
  /** As it was told at the last sign-in */
  email: string | null
  created_at: string
  /** The last sign-in */
  last_used_at: string
}

export type KeyKind = 'key' | 'app'

export interface Key {
  id: number
  name: string
  /** `app` for the key of an app that was connected by OAuth (since 1.7.0) */
  kind: KeyKind
  /** Where the app is at home (since 1.7.0) */
  app_host: string | null
  access: Access
  operations: Operation[]
  rights: Right[]
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
  /** The key that was rotated to make this one (since 1.7.0) */
  replaces: {
    id: number
    name: string
    last_four: string
  } | null
  /** The newest key that a rotation of this one made (since 1.7.0) */
  replaced_by: {
    id: number
    name: string
    last_four: string
  } | null
}

export type KeyState = 'live' | 'expired' | 'revoked'

export interface CreatedKey {
  id: number
  name: string
  /** `app` for the key of an app that was connected by OAuth (since 1.7.0) */
  kind: KeyKind
  /** Where the app is at home (since 1.7.0) */
  app_host: string | null
  access: Access
  operations: Operation[]
  rights: Right[]
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
  /** The key that was rotated to make this one (since 1.7.0) */
  replaces: {
    id: number
    name: string
    last_four: string
  } | null
  /** The newest key that a rotation of this one made (since 1.7.0) */
  replaced_by: {
    id: number
    name: string
    last_four: string
  } | null
  /** The key itself, shown once */
  key: string
}

export interface AppRequest {
  id: string
  /** What the app calls itself. Nobody has checked it. */
  name: string
  /** Where the app is at home */
  host: string
  /** The host, or the scheme of a program, that the answer goes to */
  returns_to: string
  /** Whether that is a program on the machine of the person */
  is_local: boolean
  /** Until when it can be answered */
  expires_at: string
}

export interface UsageShare {
  key?: {
    id: number
    name: string
    kind: KeyKind
  } | null
  operation?: Operation | null
  /** HTTP status; 499 when the client left before it was answered */
  status?: number | null
  calls: number
}

export interface Usage {
  /** A day in the company zone */
  date: string
  calls: number
  /** The allowance of that day, today’s for a day without calls; null is unlimited */
  limit: number | null
  /** With `by` only: the calls of the day by key, operation or status, most calls first. They add up to `calls`; calls that are not attributed (yet) have null. */
  by?: UsageShare[]
}

export interface UsageToday {
  /** Calls left today; null is unlimited */
  left: number | null
  /** When the next day begins in the company zone */
  resets_at: string
  /** Calls expected by the end of today, which may be more than the allowance: the calls made so far, plus the average number of calls that the last seven days had from this time of day on, scaled by how today compares with those days so far. In the first days of a company it is today’s pace carried on; null while too little is known. */
  forecast: number | null
}

export interface KeyUsage {
  key: {
    id: number
    name: string
    kind: KeyKind
  }
  /** The first day, in the company zone */
  from: string
  /** Today */
  to: string
  calls: number
  /** Every day, oldest first */
  days: {
    date: string
    calls: number
  }[]
  /** The calls by operation and status, most calls first. Status 499: the client left before it was answered */
  operations: {
    operation: Operation
    status: number
    calls: number
  }[]
  /** The last 20 denials in these days, newest first; all of them are in the audit */
  denials: {
    /** The id of the entry in the audit */
    id: number
    created_at: string
    operation: string
    method: string
    path: string
    reason: string
    count: number
  }[]
}

export interface LoggedRequest {
  /** The `X-Request-Id` of the answer */
  request_id: string
  /** Its trace; null where traces are not recorded */
  trace_id: string | null
  /** When it was answered */
  at: string
  /** The key that called */
  key: {
    id: number
    name: string
    kind: KeyKind
  }
  method: string
  /** Without the query */
  path: string
  /** Null for a request to `/mcp` that was refused itself */
  operation: Operation | null
  /** Status 499: the client left before it was answered */
  status: number
  /** The code of the error; null for a success and for the burst throttle */
  code: string | null
  /** What the caller was told; values that it quotes are cut at 100 characters */
  message: string | null
  /** How long it took, in milliseconds */
  ms: number
}

export type TargetType = 'company' | 'user' | 'token' | 'session' | 'sign_in_link' | 'key' | 'webhook' | 'calendar' | 'project' | 'task_list' | 'task' | 'discussion' | 'folder' | 'file' | 'event'

export interface AuditEntry {
  id: number
  created_at: string
  outcome: AuditOutcome
  operation: AuditOperation
  method: string
  path: string
  status: number
  reason: string
  by: {
    kind: DoerKind
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
    kind: KeyKind
  } | null
  /** The record that was changed; null for a denial */
  target: {
    type: TargetType
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

export type TimelineKind = 'discussion_created' | 'discussion_replied'

export type SubjectType = 'discussion' | 'event' | 'file' | 'calendar' | 'company' | 'webhook'

export interface TimelineEntry {
  id: number
  created_at: string
  kind: TimelineKind
  project: {
    id: string
    name: string
  }
  subject: {
    type: SubjectType
    /** The ref of the record */
    id: string
    /** As it was then */
    title: string
  }
  actor: string
}

export interface RecordedChange {
  id: number
  at: string
  kind: ChangedKind
  change: ChangeName
  record: {
    type: ChangedKind
    /** The ref of the record, or its number where it has none */
    id: string | number
    /** As it is now; null if the record no longer exists. For a comment, the title of what it is about. */
    title: string | null
  }
  project: {
    id: string
    name: string
  } | null
  /** The list of a task, the record that a comment is on, or the folder that a file or folder is in; otherwise null */
  parent_id: string | number | null
  /** What `parent_id` names; null if that is null */
  parent_kind: 'task_list' | 'task' | 'discussion' | 'folder' | null
  /** The name of the person behind it: the creator of the key, or the person; null if the service did it */
  actor: string | null
  /** The key it was done with; null without one */
  key: {
    id: number
    name: string
    kind: KeyKind
  } | null
  /** The fields that an update changed; null for other changes */
  fields: string[] | null
}

export interface Notification {
  id: number
  created_at: string
  kind: NotificationKind
  user: {
    id: number
    name: string
    email: string
  }
  subject: {
    type: SubjectType
    /** The ref of the record */
    id: string
    /** As it was then */
    title: string
  }
  emailed_at: string | null
  /** When the person marked it as read */
  read_at: string | null
}

export interface MyNotification {
  id: number
  created_at: string
  kind: NotificationKind
  subject: {
    type: SubjectType
    /** The ref of the record */
    id: string
    /** As it was then */
    title: string
  }
  /** The `prj-` ref; null for what is in no project */
  project_id: string | null
  /** Who did it */
  actor: string
  read_at: string | null
}

export interface Unread {
  /** How many are left */
  unread_notifications: number
}

export interface Subscription {
  created_at: string
  user: {
    id: number
    name: string
    email: string
  }
  subject: {
    type: SubjectType
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
  /** The other system's id of the record; addresses take it as `ext:` and the id */
  external_id: string | null
  task_lists_count: number
  tasks_count: number
  /** What other systems remember about it */
  metadata: Record<string, string>
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
  /** The other system's id of the record; addresses take it as `ext:` and the id */
  external_id: string | null
  author: string | null
  replies_count: number
  /** What other systems remember about it */
  metadata: Record<string, string>
  created_at: string
}

export interface Membership {
  /** The id of the person */
  id: number
  name: string
  email: string
  role: Role
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
  /** Since when nothing could be sent; null if the last attempt succeeded */
  failing_since: string | null
  /** Why the last attempt failed; null if it succeeded */
  last_error: string | null
  last_synced_at: string | null
  created_at: string
}

export type WebhookKind = '*' | 'project.*' | 'project.created' | 'project.updated' | 'project.deleted' | 'project.archived' | 'project.unarchived' | 'project.restored' | 'task_list.*' | 'task_list.created' | 'task_list.updated' | 'task_list.deleted' | 'task.*' | 'task.created' | 'task.updated' | 'task.deleted' | 'task.completed' | 'task.reopened' | 'task.moved' | 'comment.*' | 'comment.created' | 'comment.updated' | 'discussion.*' | 'discussion.created' | 'discussion.updated' | 'discussion.deleted' | 'discussion.restored' | 'folder.*' | 'folder.created' | 'folder.updated' | 'folder.deleted' | 'folder.moved' | 'file.*' | 'file.created' | 'file.deleted' | 'file.scanned'

export interface Webhook {
  id: number
  name: string
  url: string
  kinds: WebhookKind[]
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
  kinds: WebhookKind[]
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

export type DeliveryState = 'pending' | 'delivered' | 'failed'

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
  state: DeliveryState
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

export type DeliverySelection = 'pending' | 'delivered' | 'failed' | 'retrying'

export interface WebhookAttempt {
  id: number
  /** When it was answered or given up */
  at: string
  /** The status of the answer; null when there was none */
  status: number | null
  /** Why it failed; null if it succeeded */
  error: string | null
  /** How long it took, in milliseconds */
  ms: number
  /** The first kilobyte of the answer */
  response: string | null
  /** What was sent; null when nothing could be, because the secret cannot be read any more */
  request: {
    /** The URL that the webhook had then */
    url: string
    headers: Record<string, string>
    /** Byte for byte what was signed */
    body: string
  } | null
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
  scan_state: ScanState
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
  kind: JobKind
  company: {
    id: number
    name: string
  } | null
  payload: Record<string, unknown>
  attempts: number
  /** What was to be done and why it failed, in a sentence for people */
  reason: string
  /** The error of the last attempt */
  error: string | null
  created_at: string
  failed_at: string
}

export type Engine = 'embedded' | 'postgres'

export type PartName = 'database' | 'replica' | 'redis' | 'scanner' | 'mail' | 'identity_provider' | 'jobs' | 'upkeep' | 'feed' | 'storage'

export type PartState = 'ok' | 'degraded' | 'down' | 'off'

export interface Part {
  name: PartName
  /** `degraded` works with limits; `off` is not set up */
  state: PartState
  /** When this process first saw it in this state; it looks once a minute and when asked */
  since: string
  message: string
  /** What to do about it; null when there is nothing to do */
  advice: string | null
}

export interface Health {
  version: string
  started_at: string
  /** The host name of the node that answers */
  node: string
  engine: Engine
  /** For how long the oldest change that is committed has not been shown in the feed, because a transaction that began before it is still open; 0 when all are shown. Null while the database does not answer */
  feed_lag_seconds: number | null
  parts: Part[]
}

export interface FiguresStep {
  /** The end of the step */
  at: string
  requests: {
    '2xx': number
    '3xx': number
    '4xx': number
    '5xx': number
  }
  /** 50 % of the requests took no longer, as far as the metrics tell; null without requests */
  p50_ms: number | null
  /** 95 % of the requests took no longer, as far as the metrics tell; null without requests */
  p95_ms: number | null
  /** 99 % of the requests took no longer, as far as the metrics tell; null without requests */
  p99_ms: number | null
  /** Connections open at the end of the step */
  connections: number
  /** Memory of the process */
  memory_bytes: number
  /** How late timers were, at the 99th percentile */
  event_loop_delay_ms: number
  /** Null when the database did not answer */
  feed_lag_seconds: number | null
}

export interface Figures {
  node: string
  step_seconds: number
  steps: FiguresStep[]
}

export interface Change {
  /** Pass it as `after` to continue behind this entry */
  cursor: string
  at: string
  kind: 'project' | 'task_list' | 'task' | 'comment' | 'discussion' | 'folder' | 'file'
  change: 'created' | 'updated' | 'deleted' | 'completed' | 'reopened' | 'moved' | 'archived' | 'unarchived' | 'restored' | 'scanned'
  /** The ref of the record, or its number where it has none */
  id: string | number
  /** The `prj-` ref */
  project_id: string
  /** The list of a task, the record that a comment is on, or the folder that a file or folder is in; otherwise null */
  parent_id: string | number | null
  /** What `parent_id` names; null if that is null */
  parent_kind: 'task_list' | 'task' | 'discussion' | 'folder' | null
  /** Who made the change; null if the service did */
  actor: string | null
  /** The fields that an update changed; null for other changes */
  fields: string[] | null
}

export interface SearchResult {
  type: 'project' | 'task_list' | 'task' | 'folder' | 'file' | 'discussion'
  /** The ref; folders have none */
  id?: string
  title?: string
  /** Of a folder or a file */
  name?: string
  project_slug: string
  task_list_slug?: string
  task_slug?: string
  discussion_slug?: string
  folder_id?: number | null
  archived?: boolean
  completed?: boolean
}

export interface ListedProject {
  /** The `prj-` ref; it never changes */
  id: string
  name: string
  description: string | null
  is_public: boolean
  archived: boolean
  start_date: string | null
  end_date: string | null
  /** The other system's id of the record; addresses take it as `ext:` and the id */
  external_id: string | null
  task_lists_count: number
  tasks_count: number
  /** What other systems remember about it */
  metadata: Record<string, string>
  created_at: string
  updated_at: string
  /** The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura` */
  hijri?: {
    start_date: string | null
    end_date: string | null
  }
}

export interface Member {
  name: string
  /** Use it as `assignee_email` and in `attendee_emails` */
  email: string
  /** Display name of the role */
  role: string
}

export interface TaskList {
  /** The `lst-` ref; it never changes */
  id: string
  title: string
  notes: string | null
  priority: 'low' | 'medium' | 'high' | 'urgent' | null
  /** The other system's id of the record; addresses take it as `ext:` and the id */
  external_id: string | null
  /** True when the list has tasks and all of them are completed */
  completed: boolean
  /** When the last task was completed */
  completed_at: string | null
  tasks_count: number
  completed_tasks_count: number
  /** What other systems remember about it */
  metadata: Record<string, string>
  project_slug: string
  /** The `prj-` ref */
  project_id: string
  created_at: string
  /** Does not move when only the counts change */
  updated_at: string
}

export interface Task {
  /** The `tsk-` ref; it never changes */
  id: string
  title: string
  notes: string | null
  completed: boolean
  completed_at: string | null
  due_at: string | null
  /** Null when no time has been recorded */
  time_spent_minutes: number | null
  /** The other system's id of the record; addresses take it as `ext:` and the id */
  external_id: string | null
  project_slug: string
  task_list_slug: string
  /** The `prj-` ref */
  project_id: string
  /** The `lst-` ref */
  task_list_id: string
  assignee: {
    name: string
    email: string
  } | null
  /** What other systems remember about it */
  metadata: Record<string, string>
  created_at: string
  /** Completing, reopening, moving and stating the time are updates too */
  updated_at: string
  /** The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura` */
  hijri?: {
    due_at: string | null
  }
}

export interface Comment {
  id: number
  /** Plain text; embedded files are not in it */
  content: string | null
  author: string | null
  created_at: string
  /** Equals created_at until the comment is edited */
  updated_at: string
  /** Names of the files embedded in the body, then of those attached */
  attachments: string[]
  /** The `fil-` refs of `attachments`, in the same order; null for embedded files and deleted ones */
  attachment_refs: (string | null)[]
}

export interface Folder {
  id: number
  name: string
  path: string
  description: string | null
  parent_folder_id: number | null
  created_at: string
}

export interface StoredFile {
  id: number
  /** The `fil-` ref */
  ref: string
  name: string
  /** The path of the folder it lives in */
  path: string
  folder_id: number | null
  content_type: string | null
  size_bytes: number | null
  size_human: string | null
  external_url: string | null
  /** Display name of the site that a link leads to */
  source: string | null
  scan_state: 'pending' | 'clean' | 'skipped' | 'infected' | 'failed'
  /** Why the file is `infected` or `failed`, in a sentence for people */
  scan_message: string | null
  /** True once the scan has cleared it */
  downloadable: boolean
  uploaded_by: string | null
  created_at: string
}

export interface Event {
  id: number
  name: string
  description: string | null
  /** With the offset of the company zone */
  starts_at: string
  /** Of an all-day event: on its last day */
  ends_at: string
  all_day: boolean
  meeting_url: string | null
  /** Only the organizer may edit */
  organizer: string | null
  organizer_email: string | null
  attendees: {
    name: string
    email: string
  }[]
  /** The same days in the Umm al-Qura calendar; only with `calendar=islamic-umalqura` */
  hijri?: {
    starts_at: string | null
    ends_at: string | null
  }
}

export interface Rights {
  /** Whether you may delete it */
  delete: boolean
  /** Of the comments that you asked about: those that you may edit */
  comments?: number[]
}

export interface TodaysChange {
  kind: ChangedKind
  change: ChangeName
  /** How many records this was done to */
  count: number
  /** Who did it; null if the service did */
  actor: string | null
  project: {
    /** The `prj-` ref */
    id: string
    name: string
  }
  /** The last of them */
  latest: {
    at: string
    /** The ref of the record, or its number where it has none */
    id: string | number
    /** As it is now; null if it no longer exists. For a comment, of what it is about. */
    title: string | null
    /** What the record is in or on */
    parent_id: string | number | null
    parent_kind: 'task_list' | 'task' | 'discussion' | 'folder' | null
  }
}

export interface Error {
  error: {
    code: string
    message: string
    /** Where to start again; with cursor_expired only */
    cursor?: string
    /** The record that already has the `external_id`; with that conflict only */
    id?: string
    /** The path no endpoint answers; with unknown_endpoint only */
    path?: string
  }
}

export interface BurstError {
  error: string
}

/** Sign in to the console */
export interface CreateSessionBody {
  /** A personal access token, or the operator token */
  token?: string
  /** The code of the link that the first start printed */
  code?: string
  /** Of the person to sign in as, after the identity provider has sent the browser back: see `GET /sign-in` */
  company_id?: number
}

/** List the operator's sessions */
export interface ListOperatorSessionsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** List companies */
export interface ListCompaniesQuery {
  /** Part of the name, or the id */
  q?: string
  plan?: Plan
  closed?: boolean
  sandbox?: boolean
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
  plan: Plan
  rest_api?: boolean
  /** Enterprise only; null is unlimited */
  daily_calls?: number | null
  /** Of mail to people who are added without one; default en */
  language?: Language
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
  plan?: Plan
  rest_api?: boolean
  /** Enterprise only; null is unlimited */
  daily_calls?: number | null
  /** Of mail to people who are added without one; default en */
  language?: Language
  /** A second calendar for the dates in mails; null for none */
  second_calendar?: 'islamic-umalqura' | null
  subscription?: SubscriptionState
  /** Whether people must sign in to the console with the identity provider. It has an effect while the operator sets OIDC_REQUIRED; tokens go on working for programs */
  require_oidc?: boolean
}

/** Close a company */
export interface CloseCompanyBody {
  /** The name of the company */
  name: string
}

/** List the people of a company */
export interface ListUsersQuery {
  /** Part of the name or of the e-mail address */
  q?: string
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
  role?: Role
  can_manage_api_keys?: boolean
  active?: boolean
  /** Default: the language of the company */
  language?: Language
}

/** Update a person */
export interface UpdateUserBody {
  name?: string
  email?: string
  /** Default member */
  role?: Role
  can_manage_api_keys?: boolean
  active?: boolean
  /** Default: the language of the company */
  language?: Language
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

/** List a person's sessions */
export interface ListSessionsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** List a person's accounts at the identity provider */
export interface ListSignInLinksQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** List API keys */
export interface ListKeysQuery {
  state?: KeyState
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
  access: Access
  /** Default: the preset of `access`, which holds nothing destructive */
  operations?: Operation[]
  /** Default: `manage_files` for write access */
  rights?: Right[]
  /** ISO 8601, not in the past; without an offset in the company zone */
  expires_at?: string | null
  /** The person who signs what the key does. By default the caller; for the operator, the owner. Only an owner or the operator can name somebody else. */
  created_by?: number
}

/** Update an API key */
export interface UpdateKeyBody {
  name?: string
  access?: Access
  /** Default: the preset of `access`, which holds nothing destructive */
  operations?: Operation[]
  /** Default: `manage_files` for write access */
  rights?: Right[]
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

/** Grant an app access */
export interface AcceptAppRequestBody {
  access: Access
  /** Default: the preset of `access`, which holds nothing destructive */
  operations?: Operation[]
  /** Default: `manage_files` for write access */
  rights?: Right[]
  /** ISO 8601, not in the past; without an offset in the company zone */
  expires_at?: string | null
}

/** List the calls of each day */
export interface GetUsageQuery {
  days?: number
  /** How to divide the calls of each day */
  by?: 'key' | 'operation' | 'status'
}

/** Get what an API key did lately */
export interface GetKeyUsageQuery {
  days?: number
}

/** See what went wrong with the calls of the API keys */
export interface ListRequestsQuery {
  /** The id of the key that called */
  key_id?: number
  /** For example `4xx` or `422` */
  status?: string
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  operation?: Operation
  /** The `X-Request-Id` of the answer */
  request_id?: string
  /** ISO 8601 date or time, included */
  from?: string
  /** ISO 8601 date or time, included */
  to?: string
  /** A day of the Umm al-Qura calendar, instead of `from` */
  from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `to` */
  to_hijri?: string
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Read the audit */
export interface ListAuditEntriesQuery {
  outcome?: AuditOutcome
  /** For example `keys:write` */
  operation?: string
  /** Whether a key, a person or the operator did it */
  by_kind?: DoerKind
  /** The id of the key or person who did it */
  by_id?: number
  /** The id of the key that did it */
  key_id?: number
  /** The ref or id of the record that was changed */
  target_id?: string
  /** ISO 8601 date or time, included */
  from?: string
  /** ISO 8601 date or time, included */
  to?: string
  /** A day of the Umm al-Qura calendar, instead of `from` */
  from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `to` */
  to_hijri?: string
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Read the audit of the service */
export interface ListServiceAuditEntriesQuery {
  outcome?: AuditOutcome
  /** For example `keys:write` */
  operation?: string
  /** Whether a key, a person or the operator did it */
  by_kind?: DoerKind
  /** The id of the key or person who did it */
  by_id?: number
  /** The id of the key that did it */
  key_id?: number
  /** The ref or id of the record that was changed */
  target_id?: string
  /** ISO 8601 date or time, included */
  from?: string
  /** ISO 8601 date or time, included */
  to?: string
  /** A day of the Umm al-Qura calendar, instead of `from` */
  from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `to` */
  to_hijri?: string
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

/** See who changed what, and with which key */
export interface ListChangesQuery {
  /** The id of the key it was done with */
  key_id?: number
  kind?: ChangedKind
  /** The ref of a project, or the slug of one that still exists */
  project?: string
  /** ISO 8601 date or time, included */
  from?: string
  /** ISO 8601 date or time, included */
  to?: string
  /** A day of the Umm al-Qura calendar, instead of `from` */
  from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `to` */
  to_hijri?: string
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

/** Read your notifications */
export interface ListMyNotificationsQuery {
  /** `true`: only those you have not read */
  unread?: boolean
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Mark notifications as read */
export interface ReadMyNotificationsBody {
  /** The id of a notification */
  up_to: number
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
  kinds: WebhookKind[]
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
  kinds?: WebhookKind[]
  /** The ref of a project, to receive its changes only; null or omitted for all projects */
  project?: string | null
  /** Default true */
  active?: boolean
}

/** List the deliveries of a webhook */
export interface ListWebhookDeliveriesQuery {
  state?: DeliverySelection
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** List the attempts of a delivery */
export interface ListWebhookAttemptsQuery {
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
  /** Send only deliveries again that failed or are being retried; default false */
  failed_only?: boolean
}

/** Set the category of a discussion */
export interface SetDiscussionCategoryBody {
  category?: string | null
}

/** List files with their virus scan results */
export interface ListScannedFilesQuery {
  scan_state?: ScanState
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

/** Get live figures */
export interface GetFiguresQuery {
  minutes?: number
}

/** Follow what changes in the company */
export interface ReadChangesQuery {
  /** A cursor from an earlier answer; 410 if it is too old */
  after?: string
  /** Page size; clamped to 1..500 */
  limit?: number
}

/** Search by name */
export interface SearchQuery {
  /** What to look for; a blank query finds nothing */
  q?: string
  /** For several kinds, repeat the parameter or separate them by commas; leave it out for all */
  types?: ('project' | 'task_list' | 'task' | 'folder' | 'file' | 'discussion')[]
  per_type?: number
}

/** List projects */
export interface ReadProjectsQuery {
  include_archived?: boolean
  /** With any of these external ids */
  external_id?: string[]
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Create a project */
export interface CreateProjectBody {
  name: string
  description?: string | null
  /** Default true */
  is_public?: boolean
  start_date?: string | null
  /** Not before start_date */
  end_date?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  start_date_hijri?: string | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  end_date_hijri?: string | null
}

/** Get a project */
export interface ReadProjectQuery {
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Update a project */
export interface UpdateProjectBody {
  name?: string
  description?: string | null
  /** Default true */
  is_public?: boolean
  start_date?: string | null
  /** Not before start_date */
  end_date?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  start_date_hijri?: string | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  end_date_hijri?: string | null
}

/** Create or update a project by its external id */
export interface UpsertProjectBody {
  name?: string
  description?: string | null
  /** Default true */
  is_public?: boolean
  start_date?: string | null
  /** Not before start_date */
  end_date?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  start_date_hijri?: string | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  end_date_hijri?: string | null
}

/** List the task lists of a project */
export interface ReadTaskListsQuery {
  /** With any of these external ids */
  external_id?: string[]
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Create a task list */
export interface CreateTaskListBody {
  title: string
  /** Plain text */
  notes?: string | null
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Update a task list */
export interface UpdateTaskListBody {
  title?: string
  /** Plain text */
  notes?: string | null
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Create or update a task list by its external id */
export interface UpsertTaskListBody {
  title?: string
  /** Plain text */
  notes?: string | null
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** List the tasks of the company */
export interface ReadCompanyTasksQuery {
  /** Assigned to any of these people; an address that nobody has finds nothing */
  assignee_email?: string[]
  /** With any of these external ids */
  external_id?: string[]
  /** `true`: assigned to nobody; with `assignee_email`, to these people or to nobody */
  unassigned?: boolean
  /** `true` or `false`; both when left out */
  completed?: boolean
  /** Date, included */
  due_from?: string
  /** Date, included */
  due_to?: string
  /** `true`: not completed, and due before today in the company zone */
  overdue?: boolean
  /** ISO 8601 date or time, included */
  updated_since?: string
  /** ISO 8601 date or time, included */
  completed_since?: string
  /** A day of the Umm al-Qura calendar, instead of `due_from` */
  due_from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `due_to` */
  due_to_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `updated_since` */
  updated_since_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `completed_since` */
  completed_since_hijri?: string
  /** The value of a key, as in `metadata[stage]=review`; with several keys, all must have their value */
  metadata?: Record<string, string>
  /** Default `created`. Tasks without a due date come last either way. */
  sort?: 'created' | '-created' | 'due' | '-due' | 'updated' | '-updated'
  /** In any of these projects: refs or slugs */
  project?: string[]
  /** Also tasks of archived projects; a project that is named is shown either way */
  include_archived?: boolean
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** List the tasks of a project */
export interface ReadProjectTasksQuery {
  /** Assigned to any of these people; an address that nobody has finds nothing */
  assignee_email?: string[]
  /** With any of these external ids */
  external_id?: string[]
  /** `true`: assigned to nobody; with `assignee_email`, to these people or to nobody */
  unassigned?: boolean
  /** `true` or `false`; both when left out */
  completed?: boolean
  /** Date, included */
  due_from?: string
  /** Date, included */
  due_to?: string
  /** `true`: not completed, and due before today in the company zone */
  overdue?: boolean
  /** ISO 8601 date or time, included */
  updated_since?: string
  /** ISO 8601 date or time, included */
  completed_since?: string
  /** A day of the Umm al-Qura calendar, instead of `due_from` */
  due_from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `due_to` */
  due_to_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `updated_since` */
  updated_since_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `completed_since` */
  completed_since_hijri?: string
  /** The value of a key, as in `metadata[stage]=review`; with several keys, all must have their value */
  metadata?: Record<string, string>
  /** Default `created`. Tasks without a due date come last either way. */
  sort?: 'created' | '-created' | 'due' | '-due' | 'updated' | '-updated'
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** List the tasks of a task list */
export interface ReadTasksQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Create a task */
export interface CreateTaskBody {
  title: string
  /** Plain text */
  notes?: string | null
  due_at?: string | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  due_at_hijri?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** The e-mail address of somebody who can be assigned in this project; null or "" for nobody */
  assignee_email?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Create several tasks */
export interface CreateTasksBody {
  tasks: {
    title: string
    /** Plain text */
    notes?: string | null
    due_at?: string | null
    /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
    due_at_hijri?: string | null
    /** The other system's id of the record, unique in the company; null for none */
    external_id?: string | null
    /** The e-mail address of somebody who can be assigned in this project; null or "" for nobody */
    assignee_email?: string | null
    /** Merged key by key; null removes a key, or all of them */
    metadata?: Record<string, string | null> | null
  }[]
}

/** Get a task */
export interface ReadTaskQuery {
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Update a task */
export interface UpdateTaskBody {
  title?: string
  /** Plain text */
  notes?: string | null
  due_at?: string | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  due_at_hijri?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** The e-mail address of somebody who can be assigned in this project; null or "" for nobody */
  assignee_email?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Create or update a task by its external id */
export interface UpsertTaskBody {
  title?: string
  /** Plain text */
  notes?: string | null
  due_at?: string | null
  /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
  due_at_hijri?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** The e-mail address of somebody who can be assigned in this project; null or "" for nobody */
  assignee_email?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Move a task to another list */
export interface MoveTaskBody {
  /** The ref of any list of the company, or the slug of one in the same project */
  list_id: string
}

/** Record the time spent on a task */
export interface SetTaskTimeBody {
  /** A JSON number is accepted too */
  time_spent: string | number | null
}

/** Change several tasks */
export interface ChangeTasksBody {
  changes: {
    /** The ref of any task of the company */
    task: string
    do: 'update' | 'complete' | 'incomplete' | 'move'
    /** The ref of any list of the company, or the slug of one in the same project */
    list_id?: string
    title?: string
    /** Plain text */
    notes?: string | null
    due_at?: string | null
    /** A day of the Umm al-Qura calendar, instead of the Gregorian one */
    due_at_hijri?: string | null
    /** The other system's id of the record, unique in the company; null for none */
    external_id?: string | null
    /** The e-mail address of somebody who can be assigned in this project; null or "" for nobody */
    assignee_email?: string | null
    /** Merged key by key; null removes a key, or all of them */
    metadata?: Record<string, string | null> | null
  }[]
}

/** List the comments on a task list */
export interface ReadTaskListCommentsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Comment on a task list */
export interface CreateTaskListCommentBody {
  /** Plain text */
  content: string
  /** Refs (`fil-…`) of files of the same project, at most 10 */
  attachments?: string[]
}

/** Edit a comment on a task list */
export interface UpdateTaskListCommentBody {
  /** Plain text */
  content?: string
  /** Refs (`fil-…`) of files of the same project, at most 10 */
  attachments?: string[]
}

/** List the comments on a task */
export interface ReadTaskCommentsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Comment on a task */
export interface CreateTaskCommentBody {
  /** Plain text */
  content: string
  /** Refs (`fil-…`) of files of the same project, at most 10 */
  attachments?: string[]
}

/** Edit a comment on a task */
export interface UpdateTaskCommentBody {
  /** Plain text */
  content?: string
  /** Refs (`fil-…`) of files of the same project, at most 10 */
  attachments?: string[]
}

/** List the comments on a discussion */
export interface ReadDiscussionCommentsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Reply to a discussion */
export interface CreateDiscussionCommentBody {
  /** Plain text */
  content: string
  /** Refs (`fil-…`) of files of the same project, at most 10 */
  attachments?: string[]
}

/** Edit a comment on a discussion */
export interface UpdateDiscussionCommentBody {
  /** Plain text */
  content?: string
  /** Refs (`fil-…`) of files of the same project, at most 10 */
  attachments?: string[]
}

/** List the discussions of a project */
export interface ReadDiscussionsQuery {
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Start a discussion */
export interface CreateDiscussionBody {
  title: string
  /** Plain text */
  body?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Update a discussion */
export interface UpdateDiscussionBody {
  title?: string
  /** Plain text */
  body?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Create or update a discussion by its external id */
export interface UpsertDiscussionBody {
  title?: string
  /** Plain text */
  body?: string | null
  /** The other system's id of the record, unique in the company; null for none */
  external_id?: string | null
  /** Merged key by key; null removes a key, or all of them */
  metadata?: Record<string, string | null> | null
}

/** Browse the files and folders of one level */
export interface ReadFilesQuery {
  /** Leave it out for the root */
  folder_id?: number
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Upload a file */
export interface UploadFileBody {
  /** With its extension */
  name: string
  /** Null or omitted for the root */
  folder_id?: number | null
  /** UTF-8 text, for plain-text names; markdown for a `.pdf` name */
  content?: string | null
  /** Standard base64 without line breaks */
  content_base64?: string | null
}

/** Add a link to a file elsewhere */
export interface CreateLinkBody {
  /** With its extension */
  name: string
  /** Null or omitted for the root */
  folder_id?: number | null
  /** http or https; stored, never fetched */
  external_url: string
}

/** List the folders of one level */
export interface ReadFoldersQuery {
  /** Leave it out for the root */
  parent_folder_id?: number
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
}

/** Create a folder */
export interface CreateFolderBody {
  /** Unique within its parent */
  name: string
  description?: string | null
  /** Null or omitted for the root */
  parent_folder_id?: number | null
}

/** Rename, describe or move a folder */
export interface UpdateFolderBody {
  /** Unique within its parent */
  name?: string
  description?: string | null
  /** Null or omitted for the root */
  parent_folder_id?: number | null
}

/** List events */
export interface ReadEventsQuery {
  /** ISO 8601 date or time; lower bound on the start, included */
  from?: string
  /** ISO 8601 date or time; upper bound on the start, included */
  to?: string
  /** A day of the Umm al-Qura calendar, instead of `from` */
  from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `to` */
  to_hijri?: string
  include_past?: boolean
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Create an event */
export interface CreateEventBody {
  name: string
  description?: string | null
  /** ISO 8601; without an offset in the company zone */
  starts_at: string
  /** Not before starts_at; of an all-day event the last day */
  ends_at: string
  all_day?: boolean
  meeting_url?: string | null
  /** E-mail addresses of people in the company; replaces the whole list */
  attendee_emails?: string[]
}

/** Get an event */
export interface ReadEventQuery {
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Update an event */
export interface UpdateEventBody {
  name?: string
  description?: string | null
  /** ISO 8601; without an offset in the company zone */
  starts_at?: string
  /** Not before starts_at; of an all-day event the last day */
  ends_at?: string
  all_day?: boolean
  meeting_url?: string | null
  /** E-mail addresses of people in the company; replaces the whole list */
  attendee_emails?: string[]
}

/** List the tasks that are assigned to you */
export interface ListMyTasksQuery {
  /** With any of these external ids */
  external_id?: string[]
  /** `true` or `false`; both when left out */
  completed?: boolean
  /** Date, included */
  due_from?: string
  /** Date, included */
  due_to?: string
  /** `true`: not completed, and due before today in the company zone */
  overdue?: boolean
  /** ISO 8601 date or time, included */
  updated_since?: string
  /** ISO 8601 date or time, included */
  completed_since?: string
  /** A day of the Umm al-Qura calendar, instead of `due_from` */
  due_from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `due_to` */
  due_to_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `updated_since` */
  updated_since_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `completed_since` */
  completed_since_hijri?: string
  /** The value of a key, as in `metadata[stage]=review`; with several keys, all must have their value */
  metadata?: Record<string, string>
  /** Default `created`. Tasks without a due date come last either way. */
  sort?: 'created' | '-created' | 'due' | '-due' | 'updated' | '-updated'
  /** In any of these projects: refs or slugs */
  project?: string[]
  /** Also tasks of archived projects; a project that is named is shown either way */
  include_archived?: boolean
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Find out what you may do with a record */
export interface GetMyRightsQuery {
  /** The ref of a task, a task list, a discussion or a file; required */
  of?: string
  /** Ids of comments on it: which of them may you edit? */
  comment?: string[]
}

/** List your events that take place in a period */
export interface ListMyEventsQuery {
  /** ISO 8601 date or time; lower bound on the end, included */
  from?: string
  /** ISO 8601 date or time; upper bound on the start, included */
  to?: string
  /** A day of the Umm al-Qura calendar, instead of `from` */
  from_hijri?: string
  /** A day of the Umm al-Qura calendar, instead of `to` */
  to_hijri?: string
  /** Page size; clamped to 1..100 */
  limit?: number
  /** Records to skip */
  offset?: number
  /** `meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset` */
  cursor?: string
  /** Adds `hijri` to each record: its days in the Umm al-Qura calendar */
  calendar?: 'islamic-umalqura'
}

/** Every endpoint by its name. */
export interface Endpoints {
  /** Who you are */
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
  /** How to sign in to the console */
  getSignIn: {
    method: 'GET'
    path: '/sign-in'
    params: undefined
    query: undefined
    body: undefined
    answer: {
      data: SignIn
    }
  }
  /** Sign in to the console */
  createSession: {
    method: 'POST'
    path: '/sessions'
    params: undefined
    query: undefined
    body: CreateSessionBody
    answer: {
      data: Me
    }
  }
  /** List the operator's sessions */
  listOperatorSessions: {
    method: 'GET'
    path: '/sessions'
    params: undefined
    query: ListOperatorSessionsQuery
    body: undefined
    answer: {
      data: Session[]
      meta: PageMeta
    }
  }
  /** Sign out of the console */
  endCurrentSession: {
    method: 'DELETE'
    path: '/sessions/current'
    params: undefined
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        session: {
          id: number
        }
      }
    }
  }
  /** End a session of the operator */
  endOperatorSession: {
    method: 'DELETE'
    path: '/sessions/{session}'
    params: { session: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        session: {
          id: number
        }
      }
    }
  }
  /** Get the catalog */
  getCatalog: {
    method: 'GET'
    path: '/catalog'
    params: undefined
    query: undefined
    body: undefined
    answer: {
      data: Catalog
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
        /** The cells that did not answer: their companies are missing. Absent where there are no cells (since 1.7.0) */
        cells_away?: number[]
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
  /** Close a company */
  closeCompany: {
    method: 'POST'
    path: '/companies/{company}/close'
    params: { company: string | number }
    query: undefined
    body: CloseCompanyBody
    answer: {
      data: Company
    }
  }
  /** Reopen a company */
  reopenCompany: {
    method: 'POST'
    path: '/companies/{company}/reopen'
    params: { company: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Company
    }
  }
  /** Make a sandbox */
  createSandbox: {
    method: 'POST'
    path: '/companies/{company}/sandbox'
    params: { company: string | number }
    query: undefined
    body: undefined
    answer: {
      data: CreatedSandbox
    }
  }
  /** Close the sandbox */
  closeSandbox: {
    method: 'DELETE'
    path: '/companies/{company}/sandbox'
    params: { company: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        company: {
          id: number
          name: string
        }
      }
    }
  }
  /** Sign in to the sandbox */
  enterSandbox: {
    method: 'POST'
    path: '/companies/{company}/sandbox/enter'
    params: { company: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Me
    }
  }
  /** Get the counts of a company */
  getCounts: {
    method: 'GET'
    path: '/companies/{company}/counts'
    params: { company: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Counts
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
      meta: PageMeta
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
      data: UpdatedUser
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
      meta: PageMeta
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
  /** List a person's sessions */
  listSessions: {
    method: 'GET'
    path: '/companies/{company}/users/{user}/sessions'
    params: { company: string | number; user: string | number }
    query: ListSessionsQuery
    body: undefined
    answer: {
      data: Session[]
      meta: PageMeta
    }
  }
  /** End a person's session */
  endSession: {
    method: 'DELETE'
    path: '/companies/{company}/users/{user}/sessions/{session}'
    params: { company: string | number; user: string | number; session: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        session: {
          id: number
        }
      }
    }
  }
  /** List a person's accounts at the identity provider */
  listSignInLinks: {
    method: 'GET'
    path: '/companies/{company}/users/{user}/sign-in-links'
    params: { company: string | number; user: string | number }
    query: ListSignInLinksQuery
    body: undefined
    answer: {
      data: SignInLink[]
      meta: PageMeta
    }
  }
  /** Undo a link with the identity provider */
  deleteSignInLink: {
    method: 'DELETE'
    path: '/companies/{company}/users/{user}/sign-in-links/{link}'
    params: { company: string | number; user: string | number; link: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        sign_in_link: {
          id: number
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
      meta: PageMeta
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
  /** See which app asks for access */
  getAppRequest: {
    method: 'GET'
    path: '/companies/{company}/app-requests/{request}'
    params: { company: string | number; request: string | number }
    query: undefined
    body: undefined
    answer: {
      data: AppRequest
    }
  }
  /** Refuse an app access */
  deleteAppRequest: {
    method: 'DELETE'
    path: '/companies/{company}/app-requests/{request}'
    params: { company: string | number; request: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: boolean
        /** Where the browser goes now, with the answer for the app */
        redirect_to: string
      }
    }
  }
  /** Grant an app access */
  acceptAppRequest: {
    method: 'POST'
    path: '/companies/{company}/app-requests/{request}/accept'
    params: { company: string | number; request: string | number }
    query: undefined
    body: AcceptAppRequestBody
    answer: {
      data: {
        /** Where the browser goes now, with the answer for the app */
        redirect_to: string
        key: Key
      }
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
      meta: UsageToday
    }
  }
  /** Get what an API key did lately */
  getKeyUsage: {
    method: 'GET'
    path: '/companies/{company}/keys/{key}/usage'
    params: { company: string | number; key: string | number }
    query: GetKeyUsageQuery
    body: undefined
    answer: {
      data: KeyUsage
    }
  }
  /** See what went wrong with the calls of the API keys */
  listRequests: {
    method: 'GET'
    path: '/companies/{company}/requests'
    params: { company: string | number }
    query: ListRequestsQuery
    body: undefined
    answer: {
      data: LoggedRequest[]
      meta: PageMeta
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
      meta: PageMeta
    }
  }
  /** See who changed what, and with which key */
  listChanges: {
    method: 'GET'
    path: '/companies/{company}/changes'
    params: { company: string | number }
    query: ListChangesQuery
    body: undefined
    answer: {
      data: RecordedChange[]
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
  /** Read notifications */
  listNotifications: {
    method: 'GET'
    path: '/companies/{company}/notifications'
    params: { company: string | number }
    query: ListNotificationsQuery
    body: undefined
    answer: {
      data: Notification[]
      meta: PageMeta
    }
  }
  /** Read your notifications */
  listMyNotifications: {
    method: 'GET'
    path: '/companies/{company}/records/me/notifications'
    params: { company: string | number }
    query: ListMyNotificationsQuery
    body: undefined
    answer: {
      data: MyNotification[]
      meta: PageMeta
    }
  }
  /** Mark notifications as read */
  readMyNotifications: {
    method: 'POST'
    path: '/companies/{company}/records/me/notifications/read'
    params: { company: string | number }
    query: undefined
    body: ReadMyNotificationsBody
    answer: {
      data: Unread
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
      meta: PageMeta
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
      meta: PageMeta
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
      meta: PageMeta
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
      meta: PageMeta
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
      meta: PageMeta
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
      meta: PageMeta
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
  /** Get a delivery of a webhook */
  getWebhookDelivery: {
    method: 'GET'
    path: '/companies/{company}/webhooks/{webhook}/deliveries/{delivery}'
    params: { company: string | number; webhook: string | number; delivery: string | number }
    query: undefined
    body: undefined
    answer: {
      data: WebhookDelivery
    }
  }
  /** List the attempts of a delivery */
  listWebhookAttempts: {
    method: 'GET'
    path: '/companies/{company}/webhooks/{webhook}/deliveries/{delivery}/attempts'
    params: { company: string | number; webhook: string | number; delivery: string | number }
    query: ListWebhookAttemptsQuery
    body: undefined
    answer: {
      data: WebhookAttempt[]
      meta: PageMeta
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
      meta: PageMeta
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
      meta: PageMeta
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
  /** Give up a failed job */
  deleteFailedJob: {
    method: 'DELETE'
    path: '/jobs/failed/{job}'
    params: { job: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        job: FailedJob
      }
    }
  }
  /** Get the health of each part */
  getHealth: {
    method: 'GET'
    path: '/health'
    params: undefined
    query: undefined
    body: undefined
    answer: {
      data: Health
    }
  }
  /** Get live figures */
  getFigures: {
    method: 'GET'
    path: '/figures'
    params: undefined
    query: GetFiguresQuery
    body: undefined
    answer: {
      data: Figures
    }
  }
  /** Follow what changes in the company */
  readChanges: {
    method: 'GET'
    path: '/companies/{company}/records/company/changes'
    params: { company: string | number }
    query: ReadChangesQuery
    body: undefined
    answer: {
      data: Change[]
      meta: {
        /** Entries in this page */
        count: number
        /** Pass it as `after` next time */
        next_cursor: string
        /** True when there are more entries to read now */
        more: boolean
      }
    }
  }
  /** Search by name */
  search: {
    method: 'GET'
    path: '/companies/{company}/records/search'
    params: { company: string | number }
    query: SearchQuery
    body: undefined
    answer: {
      data: {
        query: string
        results: SearchResult[]
        /** Kinds that had more matches than were returned */
        truncated: ('project' | 'task_list' | 'task' | 'folder' | 'file' | 'discussion')[]
      }
    }
  }
  /** List projects */
  readProjects: {
    method: 'GET'
    path: '/companies/{company}/records/projects'
    params: { company: string | number }
    query: ReadProjectsQuery
    body: undefined
    answer: {
      data: ListedProject[]
      meta: PageMeta
    }
  }
  /** Create a project */
  createProject: {
    method: 'POST'
    path: '/companies/{company}/records/projects'
    params: { company: string | number }
    query: undefined
    body: CreateProjectBody
    answer: {
      data: Project
    }
  }
  /** Get a project */
  readProject: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}'
    params: { company: string | number; project: string | number }
    query: ReadProjectQuery
    body: undefined
    answer: {
      data: Project
    }
  }
  /** Update a project */
  updateProject: {
    method: 'PATCH'
    path: '/companies/{company}/records/projects/{project}'
    params: { company: string | number; project: string | number }
    query: undefined
    body: UpdateProjectBody
    answer: {
      data: Project
    }
  }
  /** Delete a project */
  deleteProject: {
    method: 'DELETE'
    path: '/companies/{company}/records/projects/{project}'
    params: { company: string | number; project: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        recoverable: true
        project: {
          name: string
          id: string
          slug: string
        }
      }
    }
  }
  /** Create or update a project by its external id */
  upsertProject: {
    method: 'PUT'
    path: '/companies/{company}/records/projects/ext:{external_id}'
    params: { company: string | number; external_id: string | number }
    query: undefined
    body: UpsertProjectBody
    answer: {
      data: Project
    }
  }
  /** Archive a project */
  archiveProject: {
    method: 'POST'
    path: '/companies/{company}/records/projects/{project}/archive'
    params: { company: string | number; project: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Project
    }
  }
  /** Unarchive a project */
  unarchiveProject: {
    method: 'POST'
    path: '/companies/{company}/records/projects/{project}/unarchive'
    params: { company: string | number; project: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Project
    }
  }
  /** List the people of a project */
  readProjectMembers: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/members'
    params: { company: string | number; project: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Member[]
    }
  }
  /** List the task lists of a project */
  readTaskLists: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/lists'
    params: { company: string | number; project: string | number }
    query: ReadTaskListsQuery
    body: undefined
    answer: {
      data: TaskList[]
      meta: PageMeta
    }
  }
  /** Create a task list */
  createTaskList: {
    method: 'POST'
    path: '/companies/{company}/records/projects/{project}/lists'
    params: { company: string | number; project: string | number }
    query: undefined
    body: CreateTaskListBody
    answer: {
      data: TaskList
    }
  }
  /** Get a task list */
  readTaskList: {
    method: 'GET'
    path: '/companies/{company}/records/lists/{list}'
    params: { company: string | number; list: string | number }
    query: undefined
    body: undefined
    answer: {
      data: TaskList
    }
  }
  /** Update a task list */
  updateTaskList: {
    method: 'PATCH'
    path: '/companies/{company}/records/lists/{list}'
    params: { company: string | number; list: string | number }
    query: undefined
    body: UpdateTaskListBody
    answer: {
      data: TaskList
    }
  }
  /** Delete a task list */
  deleteTaskList: {
    method: 'DELETE'
    path: '/companies/{company}/records/lists/{list}'
    params: { company: string | number; list: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        task_list: {
          title: string
          id: string
          slug: string
        }
        deleted_tasks: number
      }
    }
  }
  /** Create or update a task list by its external id */
  upsertTaskList: {
    method: 'PUT'
    path: '/companies/{company}/records/projects/{project}/lists/ext:{external_id}'
    params: { company: string | number; project: string | number; external_id: string | number }
    query: undefined
    body: UpsertTaskListBody
    answer: {
      data: TaskList
    }
  }
  /** List the tasks of the company */
  readCompanyTasks: {
    method: 'GET'
    path: '/companies/{company}/records/company/tasks'
    params: { company: string | number }
    query: ReadCompanyTasksQuery
    body: undefined
    answer: {
      data: Task[]
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
  /** List the tasks of a project */
  readProjectTasks: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/tasks'
    params: { company: string | number; project: string | number }
    query: ReadProjectTasksQuery
    body: undefined
    answer: {
      data: Task[]
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
  /** List the tasks of a task list */
  readTasks: {
    method: 'GET'
    path: '/companies/{company}/records/lists/{list}/tasks'
    params: { company: string | number; list: string | number }
    query: ReadTasksQuery
    body: undefined
    answer: {
      data: Task[]
      meta: PageMeta
    }
  }
  /** Create a task */
  createTask: {
    method: 'POST'
    path: '/companies/{company}/records/lists/{list}/tasks'
    params: { company: string | number; list: string | number }
    query: undefined
    body: CreateTaskBody
    answer: {
      data: Task
    }
  }
  /** Create several tasks */
  createTasks: {
    method: 'POST'
    path: '/companies/{company}/records/lists/{list}/tasks/batch'
    params: { company: string | number; list: string | number }
    query: undefined
    body: CreateTasksBody
    answer: {
      data: Task[]
      meta: {
        /** How many tasks were created */
        count: number
      }
    }
  }
  /** Get a task */
  readTask: {
    method: 'GET'
    path: '/companies/{company}/records/tasks/{task}'
    params: { company: string | number; task: string | number }
    query: ReadTaskQuery
    body: undefined
    answer: {
      data: Task
    }
  }
  /** Update a task */
  updateTask: {
    method: 'PATCH'
    path: '/companies/{company}/records/tasks/{task}'
    params: { company: string | number; task: string | number }
    query: undefined
    body: UpdateTaskBody
    answer: {
      data: Task
    }
  }
  /** Delete a task */
  deleteTask: {
    method: 'DELETE'
    path: '/companies/{company}/records/tasks/{task}'
    params: { company: string | number; task: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        task: {
          title: string
          id: string
          slug: string
        }
      }
    }
  }
  /** Create or update a task by its external id */
  upsertTask: {
    method: 'PUT'
    path: '/companies/{company}/records/lists/{list}/tasks/ext:{external_id}'
    params: { company: string | number; list: string | number; external_id: string | number }
    query: undefined
    body: UpsertTaskBody
    answer: {
      data: Task
    }
  }
  /** Complete a task */
  completeTask: {
    method: 'POST'
    path: '/companies/{company}/records/tasks/{task}/complete'
    params: { company: string | number; task: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Task
    }
  }
  /** Reopen a task */
  reopenTask: {
    method: 'POST'
    path: '/companies/{company}/records/tasks/{task}/incomplete'
    params: { company: string | number; task: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Task
    }
  }
  /** Move a task to another list */
  moveTask: {
    method: 'POST'
    path: '/companies/{company}/records/tasks/{task}/move'
    params: { company: string | number; task: string | number }
    query: undefined
    body: MoveTaskBody
    answer: {
      data: Task
    }
  }
  /** Record the time spent on a task */
  setTaskTime: {
    method: 'POST'
    path: '/companies/{company}/records/tasks/{task}/time'
    params: { company: string | number; task: string | number }
    query: undefined
    body: SetTaskTimeBody
    answer: {
      data: Task
    }
  }
  /** Change several tasks */
  changeTasks: {
    method: 'POST'
    path: '/companies/{company}/records/company/tasks/batch'
    params: { company: string | number }
    query: undefined
    body: ChangeTasksBody
    answer: {
      /** The task of each change, as it is after all of them */
      data: Task[]
      meta: {
        /** How many changes were made */
        count: number
      }
    }
  }
  /** List the comments on a task list */
  readTaskListComments: {
    method: 'GET'
    path: '/companies/{company}/records/lists/{list}/comments'
    params: { company: string | number; list: string | number }
    query: ReadTaskListCommentsQuery
    body: undefined
    answer: {
      data: Comment[]
      meta: PageMeta
    }
  }
  /** Comment on a task list */
  createTaskListComment: {
    method: 'POST'
    path: '/companies/{company}/records/lists/{list}/comments'
    params: { company: string | number; list: string | number }
    query: undefined
    body: CreateTaskListCommentBody
    answer: {
      data: Comment
    }
  }
  /** Get a comment on a task list */
  readTaskListComment: {
    method: 'GET'
    path: '/companies/{company}/records/lists/{list}/comments/{comment}'
    params: { company: string | number; list: string | number; comment: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Comment
    }
  }
  /** Edit a comment on a task list */
  updateTaskListComment: {
    method: 'PATCH'
    path: '/companies/{company}/records/lists/{list}/comments/{comment}'
    params: { company: string | number; list: string | number; comment: string | number }
    query: undefined
    body: UpdateTaskListCommentBody
    answer: {
      data: Comment
    }
  }
  /** List the comments on a task */
  readTaskComments: {
    method: 'GET'
    path: '/companies/{company}/records/tasks/{task}/comments'
    params: { company: string | number; task: string | number }
    query: ReadTaskCommentsQuery
    body: undefined
    answer: {
      data: Comment[]
      meta: PageMeta
    }
  }
  /** Comment on a task */
  createTaskComment: {
    method: 'POST'
    path: '/companies/{company}/records/tasks/{task}/comments'
    params: { company: string | number; task: string | number }
    query: undefined
    body: CreateTaskCommentBody
    answer: {
      data: Comment
    }
  }
  /** Get a comment on a task */
  readTaskComment: {
    method: 'GET'
    path: '/companies/{company}/records/tasks/{task}/comments/{comment}'
    params: { company: string | number; task: string | number; comment: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Comment
    }
  }
  /** Edit a comment on a task */
  updateTaskComment: {
    method: 'PATCH'
    path: '/companies/{company}/records/tasks/{task}/comments/{comment}'
    params: { company: string | number; task: string | number; comment: string | number }
    query: undefined
    body: UpdateTaskCommentBody
    answer: {
      data: Comment
    }
  }
  /** List the comments on a discussion */
  readDiscussionComments: {
    method: 'GET'
    path: '/companies/{company}/records/discussions/{discussion}/comments'
    params: { company: string | number; discussion: string | number }
    query: ReadDiscussionCommentsQuery
    body: undefined
    answer: {
      data: Comment[]
      meta: PageMeta
    }
  }
  /** Reply to a discussion */
  createDiscussionComment: {
    method: 'POST'
    path: '/companies/{company}/records/discussions/{discussion}/comments'
    params: { company: string | number; discussion: string | number }
    query: undefined
    body: CreateDiscussionCommentBody
    answer: {
      data: Comment
    }
  }
  /** Get a comment on a discussion */
  readDiscussionComment: {
    method: 'GET'
    path: '/companies/{company}/records/discussions/{discussion}/comments/{comment}'
    params: { company: string | number; discussion: string | number; comment: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Comment
    }
  }
  /** Edit a comment on a discussion */
  updateDiscussionComment: {
    method: 'PATCH'
    path: '/companies/{company}/records/discussions/{discussion}/comments/{comment}'
    params: { company: string | number; discussion: string | number; comment: string | number }
    query: undefined
    body: UpdateDiscussionCommentBody
    answer: {
      data: Comment
    }
  }
  /** List the discussions of a project */
  readDiscussions: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/discussions'
    params: { company: string | number; project: string | number }
    query: ReadDiscussionsQuery
    body: undefined
    answer: {
      data: Discussion[]
      meta: PageMeta
    }
  }
  /** Start a discussion */
  createDiscussion: {
    method: 'POST'
    path: '/companies/{company}/records/projects/{project}/discussions'
    params: { company: string | number; project: string | number }
    query: undefined
    body: CreateDiscussionBody
    answer: {
      data: Discussion
    }
  }
  /** Get a discussion */
  readDiscussion: {
    method: 'GET'
    path: '/companies/{company}/records/discussions/{discussion}'
    params: { company: string | number; discussion: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Discussion
    }
  }
  /** Update a discussion */
  updateDiscussion: {
    method: 'PATCH'
    path: '/companies/{company}/records/discussions/{discussion}'
    params: { company: string | number; discussion: string | number }
    query: undefined
    body: UpdateDiscussionBody
    answer: {
      data: Discussion
    }
  }
  /** Delete a discussion */
  deleteDiscussion: {
    method: 'DELETE'
    path: '/companies/{company}/records/discussions/{discussion}'
    params: { company: string | number; discussion: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        recoverable: true
        discussion: {
          title: string
          id: string
          slug: string
        }
      }
    }
  }
  /** Create or update a discussion by its external id */
  upsertDiscussion: {
    method: 'PUT'
    path: '/companies/{company}/records/projects/{project}/discussions/ext:{external_id}'
    params: { company: string | number; project: string | number; external_id: string | number }
    query: undefined
    body: UpsertDiscussionBody
    answer: {
      data: Discussion
    }
  }
  /** Browse the files and folders of one level */
  readFiles: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/files'
    params: { company: string | number; project: string | number }
    query: ReadFilesQuery
    body: undefined
    answer: {
      data: {
        folder: Folder | null
        folders: Folder[]
        files: StoredFile[]
      }
      meta: {
        total: number
        limit: number
        offset: number
        /** `cursor` of the next page; null on the last one */
        next_cursor: string | null
      }
    }
  }
  /** Upload a file */
  uploadFile: {
    method: 'POST'
    path: '/companies/{company}/records/projects/{project}/files'
    params: { company: string | number; project: string | number }
    query: undefined
    body: UploadFileBody
    answer: {
      data: StoredFile
    }
  }
  /** Add a link to a file elsewhere */
  createLink: {
    method: 'POST'
    path: '/companies/{company}/records/projects/{project}/links'
    params: { company: string | number; project: string | number }
    query: undefined
    body: CreateLinkBody
    answer: {
      data: StoredFile
    }
  }
  /** Get a file */
  readFile: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/files/{file}'
    params: { company: string | number; project: string | number; file: string | number }
    query: undefined
    body: undefined
    answer: {
      data: StoredFile
    }
  }
  /** Download a file */
  downloadFile: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/files/{file}/download'
    params: { company: string | number; project: string | number; file: string | number }
    query: undefined
    body: undefined
    answer: Blob
  }
  /** Delete a file */
  deleteFile: {
    method: 'DELETE'
    path: '/companies/{company}/records/files/{file}'
    params: { company: string | number; file: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        file: {
          id: number
          name: string
        }
      }
    }
  }
  /** List the folders of one level */
  readFolders: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/folders'
    params: { company: string | number; project: string | number }
    query: ReadFoldersQuery
    body: undefined
    answer: {
      data: Folder[]
      meta: PageMeta
    }
  }
  /** Create a folder */
  createFolder: {
    method: 'POST'
    path: '/companies/{company}/records/projects/{project}/folders'
    params: { company: string | number; project: string | number }
    query: undefined
    body: CreateFolderBody
    answer: {
      data: Folder
    }
  }
  /** Get a folder */
  readFolder: {
    method: 'GET'
    path: '/companies/{company}/records/projects/{project}/folders/{folder}'
    params: { company: string | number; project: string | number; folder: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Folder
    }
  }
  /** Rename, describe or move a folder */
  updateFolder: {
    method: 'PATCH'
    path: '/companies/{company}/records/projects/{project}/folders/{folder}'
    params: { company: string | number; project: string | number; folder: string | number }
    query: undefined
    body: UpdateFolderBody
    answer: {
      data: Folder
    }
  }
  /** Delete a folder */
  deleteFolder: {
    method: 'DELETE'
    path: '/companies/{company}/records/projects/{project}/folders/{folder}'
    params: { company: string | number; project: string | number; folder: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        folder: {
          id: number
          name: string
        }
        destroyed: {
          files: number
          subfolders: number
        }
      }
    }
  }
  /** List events */
  readEvents: {
    method: 'GET'
    path: '/companies/{company}/records/events'
    params: { company: string | number }
    query: ReadEventsQuery
    body: undefined
    answer: {
      data: Event[]
      meta: PageMeta
    }
  }
  /** Create an event */
  createEvent: {
    method: 'POST'
    path: '/companies/{company}/records/events'
    params: { company: string | number }
    query: undefined
    body: CreateEventBody
    answer: {
      data: Event
    }
  }
  /** Get an event */
  readEvent: {
    method: 'GET'
    path: '/companies/{company}/records/events/{event}'
    params: { company: string | number; event: string | number }
    query: ReadEventQuery
    body: undefined
    answer: {
      data: Event
    }
  }
  /** Update an event */
  updateEvent: {
    method: 'PATCH'
    path: '/companies/{company}/records/events/{event}'
    params: { company: string | number; event: string | number }
    query: undefined
    body: UpdateEventBody
    answer: {
      data: Event
    }
  }
  /** Delete an event */
  deleteEvent: {
    method: 'DELETE'
    path: '/companies/{company}/records/events/{event}'
    params: { company: string | number; event: string | number }
    query: undefined
    body: undefined
    answer: {
      data: {
        deleted: true
        event: {
          id: number
          name: string
        }
      }
    }
  }
  /** List the tasks that are assigned to you */
  listMyTasks: {
    method: 'GET'
    path: '/companies/{company}/records/me/tasks'
    params: { company: string | number }
    query: ListMyTasksQuery
    body: undefined
    answer: {
      data: Task[]
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
  /** Find out what you may do with a record */
  getMyRights: {
    method: 'GET'
    path: '/companies/{company}/records/me/rights'
    params: { company: string | number }
    query: GetMyRightsQuery
    body: undefined
    answer: {
      data: Rights
    }
  }
  /** List your events that take place in a period */
  listMyEvents: {
    method: 'GET'
    path: '/companies/{company}/records/me/events'
    params: { company: string | number }
    query: ListMyEventsQuery
    body: undefined
    answer: {
      data: Event[]
      meta: PageMeta
    }
  }
  /** See what changed today */
  listTodaysChanges: {
    method: 'GET'
    path: '/companies/{company}/records/me/today'
    params: { company: string | number }
    query: undefined
    body: undefined
    answer: {
      data: TodaysChange[]
    }
  }
}
