// Written by "npm run openapi" from openapi.json: change the declarations, not this file.

export interface Account {
  key: {
    name: string
    access: 'read' | 'write'
    /** The exact operations the key may call */
    operations: string[]
    /** What the key may do beyond its operations */
    rights: ('manage_files' | 'delete_any_task_or_list' | 'delete_any_file')[]
    /** When the key ends; null if it does not */
    expires_at: string | null
  }
  company: {
    name: string
    /** True in a sandbox, where nothing is real (since 1.7.0) */
    sandbox: boolean
  }
  /** The key's creator: a signature, not the identity the call runs as */
  created_by: {
    name: string
    email: string
  }
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

/** Follow what changes in the company */
export interface ListChangesQuery {
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
export interface ListProjectsQuery {
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
export interface GetProjectQuery {
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
export interface ListTaskListsQuery {
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
export interface ListCompanyTasksQuery {
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
export interface ListProjectTasksQuery {
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
export interface ListTasksQuery {
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
export interface GetTaskQuery {
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
export interface ListTaskListCommentsQuery {
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
export interface ListTaskCommentsQuery {
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
export interface ListDiscussionCommentsQuery {
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
export interface ListDiscussionsQuery {
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
export interface ListFilesQuery {
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
export interface ListFoldersQuery {
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
export interface ListEventsQuery {
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
export interface GetEventQuery {
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

/** Every endpoint by its name. */
export interface Endpoints {
  /** Show the key, its company and its creator */
  getAccount: {
    method: 'GET'
    path: '/me'
    params: undefined
    query: undefined
    body: undefined
    answer: {
      data: Account
    }
  }
  /** Follow what changes in the company */
  listChanges: {
    method: 'GET'
    path: '/company/changes'
    params: undefined
    query: ListChangesQuery
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
    path: '/search'
    params: undefined
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
  listProjects: {
    method: 'GET'
    path: '/projects'
    params: undefined
    query: ListProjectsQuery
    body: undefined
    answer: {
      data: ListedProject[]
      meta: PageMeta
    }
  }
  /** Create a project */
  createProject: {
    method: 'POST'
    path: '/projects'
    params: undefined
    query: undefined
    body: CreateProjectBody
    answer: {
      data: Project
    }
  }
  /** Get a project */
  getProject: {
    method: 'GET'
    path: '/projects/{project}'
    params: { project: string | number }
    query: GetProjectQuery
    body: undefined
    answer: {
      data: Project
    }
  }
  /** Update a project */
  updateProject: {
    method: 'PATCH'
    path: '/projects/{project}'
    params: { project: string | number }
    query: undefined
    body: UpdateProjectBody
    answer: {
      data: Project
    }
  }
  /** Delete a project */
  deleteProject: {
    method: 'DELETE'
    path: '/projects/{project}'
    params: { project: string | number }
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
    path: '/projects/ext:{external_id}'
    params: { external_id: string | number }
    query: undefined
    body: UpsertProjectBody
    answer: {
      data: Project
    }
  }
  /** Archive a project */
  archiveProject: {
    method: 'POST'
    path: '/projects/{project}/archive'
    params: { project: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Project
    }
  }
  /** Unarchive a project */
  unarchiveProject: {
    method: 'POST'
    path: '/projects/{project}/unarchive'
    params: { project: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Project
    }
  }
  /** List the people of a project */
  listProjectMembers: {
    method: 'GET'
    path: '/projects/{project}/members'
    params: { project: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Member[]
    }
  }
  /** List the task lists of a project */
  listTaskLists: {
    method: 'GET'
    path: '/projects/{project}/lists'
    params: { project: string | number }
    query: ListTaskListsQuery
    body: undefined
    answer: {
      data: TaskList[]
      meta: PageMeta
    }
  }
  /** Create a task list */
  createTaskList: {
    method: 'POST'
    path: '/projects/{project}/lists'
    params: { project: string | number }
    query: undefined
    body: CreateTaskListBody
    answer: {
      data: TaskList
    }
  }
  /** Get a task list */
  getTaskList: {
    method: 'GET'
    path: '/lists/{list}'
    params: { list: string | number }
    query: undefined
    body: undefined
    answer: {
      data: TaskList
    }
  }
  /** Update a task list */
  updateTaskList: {
    method: 'PATCH'
    path: '/lists/{list}'
    params: { list: string | number }
    query: undefined
    body: UpdateTaskListBody
    answer: {
      data: TaskList
    }
  }
  /** Delete a task list */
  deleteTaskList: {
    method: 'DELETE'
    path: '/lists/{list}'
    params: { list: string | number }
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
    path: '/projects/{project}/lists/ext:{external_id}'
    params: { project: string | number; external_id: string | number }
    query: undefined
    body: UpsertTaskListBody
    answer: {
      data: TaskList
    }
  }
  /** List the tasks of the company */
  listCompanyTasks: {
    method: 'GET'
    path: '/company/tasks'
    params: undefined
    query: ListCompanyTasksQuery
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
  listProjectTasks: {
    method: 'GET'
    path: '/projects/{project}/tasks'
    params: { project: string | number }
    query: ListProjectTasksQuery
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
  listTasks: {
    method: 'GET'
    path: '/lists/{list}/tasks'
    params: { list: string | number }
    query: ListTasksQuery
    body: undefined
    answer: {
      data: Task[]
      meta: PageMeta
    }
  }
  /** Create a task */
  createTask: {
    method: 'POST'
    path: '/lists/{list}/tasks'
    params: { list: string | number }
    query: undefined
    body: CreateTaskBody
    answer: {
      data: Task
    }
  }
  /** Create several tasks */
  createTasks: {
    method: 'POST'
    path: '/lists/{list}/tasks/batch'
    params: { list: string | number }
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
  getTask: {
    method: 'GET'
    path: '/tasks/{task}'
    params: { task: string | number }
    query: GetTaskQuery
    body: undefined
    answer: {
      data: Task
    }
  }
  /** Update a task */
  updateTask: {
    method: 'PATCH'
    path: '/tasks/{task}'
    params: { task: string | number }
    query: undefined
    body: UpdateTaskBody
    answer: {
      data: Task
    }
  }
  /** Delete a task */
  deleteTask: {
    method: 'DELETE'
    path: '/tasks/{task}'
    params: { task: string | number }
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
    path: '/lists/{list}/tasks/ext:{external_id}'
    params: { list: string | number; external_id: string | number }
    query: undefined
    body: UpsertTaskBody
    answer: {
      data: Task
    }
  }
  /** Complete a task */
  completeTask: {
    method: 'POST'
    path: '/tasks/{task}/complete'
    params: { task: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Task
    }
  }
  /** Reopen a task */
  reopenTask: {
    method: 'POST'
    path: '/tasks/{task}/incomplete'
    params: { task: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Task
    }
  }
  /** Move a task to another list */
  moveTask: {
    method: 'POST'
    path: '/tasks/{task}/move'
    params: { task: string | number }
    query: undefined
    body: MoveTaskBody
    answer: {
      data: Task
    }
  }
  /** Record the time spent on a task */
  setTaskTime: {
    method: 'POST'
    path: '/tasks/{task}/time'
    params: { task: string | number }
    query: undefined
    body: SetTaskTimeBody
    answer: {
      data: Task
    }
  }
  /** Change several tasks */
  changeTasks: {
    method: 'POST'
    path: '/company/tasks/batch'
    params: undefined
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
  listTaskListComments: {
    method: 'GET'
    path: '/lists/{list}/comments'
    params: { list: string | number }
    query: ListTaskListCommentsQuery
    body: undefined
    answer: {
      data: Comment[]
      meta: PageMeta
    }
  }
  /** Comment on a task list */
  createTaskListComment: {
    method: 'POST'
    path: '/lists/{list}/comments'
    params: { list: string | number }
    query: undefined
    body: CreateTaskListCommentBody
    answer: {
      data: Comment
    }
  }
  /** Get a comment on a task list */
  getTaskListComment: {
    method: 'GET'
    path: '/lists/{list}/comments/{comment}'
    params: { list: string | number; comment: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Comment
    }
  }
  /** Edit a comment on a task list */
  updateTaskListComment: {
    method: 'PATCH'
    path: '/lists/{list}/comments/{comment}'
    params: { list: string | number; comment: string | number }
    query: undefined
    body: UpdateTaskListCommentBody
    answer: {
      data: Comment
    }
  }
  /** List the comments on a task */
  listTaskComments: {
    method: 'GET'
    path: '/tasks/{task}/comments'
    params: { task: string | number }
    query: ListTaskCommentsQuery
    body: undefined
    answer: {
      data: Comment[]
      meta: PageMeta
    }
  }
  /** Comment on a task */
  createTaskComment: {
    method: 'POST'
    path: '/tasks/{task}/comments'
    params: { task: string | number }
    query: undefined
    body: CreateTaskCommentBody
    answer: {
      data: Comment
    }
  }
  /** Get a comment on a task */
  getTaskComment: {
    method: 'GET'
    path: '/tasks/{task}/comments/{comment}'
    params: { task: string | number; comment: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Comment
    }
  }
  /** Edit a comment on a task */
  updateTaskComment: {
    method: 'PATCH'
    path: '/tasks/{task}/comments/{comment}'
    params: { task: string | number; comment: string | number }
    query: undefined
    body: UpdateTaskCommentBody
    answer: {
      data: Comment
    }
  }
  /** List the comments on a discussion */
  listDiscussionComments: {
    method: 'GET'
    path: '/discussions/{discussion}/comments'
    params: { discussion: string | number }
    query: ListDiscussionCommentsQuery
    body: undefined
    answer: {
      data: Comment[]
      meta: PageMeta
    }
  }
  /** Reply to a discussion */
  createDiscussionComment: {
    method: 'POST'
    path: '/discussions/{discussion}/comments'
    params: { discussion: string | number }
    query: undefined
    body: CreateDiscussionCommentBody
    answer: {
      data: Comment
    }
  }
  /** Get a comment on a discussion */
  getDiscussionComment: {
    method: 'GET'
    path: '/discussions/{discussion}/comments/{comment}'
    params: { discussion: string | number; comment: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Comment
    }
  }
  /** Edit a comment on a discussion */
  updateDiscussionComment: {
    method: 'PATCH'
    path: '/discussions/{discussion}/comments/{comment}'
    params: { discussion: string | number; comment: string | number }
    query: undefined
    body: UpdateDiscussionCommentBody
    answer: {
      data: Comment
    }
  }
  /** List the discussions of a project */
  listDiscussions: {
    method: 'GET'
    path: '/projects/{project}/discussions'
    params: { project: string | number }
    query: ListDiscussionsQuery
    body: undefined
    answer: {
      data: Discussion[]
      meta: PageMeta
    }
  }
  /** Start a discussion */
  createDiscussion: {
    method: 'POST'
    path: '/projects/{project}/discussions'
    params: { project: string | number }
    query: undefined
    body: CreateDiscussionBody
    answer: {
      data: Discussion
    }
  }
  /** Get a discussion */
  getDiscussion: {
    method: 'GET'
    path: '/discussions/{discussion}'
    params: { discussion: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Discussion
    }
  }
  /** Update a discussion */
  updateDiscussion: {
    method: 'PATCH'
    path: '/discussions/{discussion}'
    params: { discussion: string | number }
    query: undefined
    body: UpdateDiscussionBody
    answer: {
      data: Discussion
    }
  }
  /** Delete a discussion */
  deleteDiscussion: {
    method: 'DELETE'
    path: '/discussions/{discussion}'
    params: { discussion: string | number }
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
    path: '/projects/{project}/discussions/ext:{external_id}'
    params: { project: string | number; external_id: string | number }
    query: undefined
    body: UpsertDiscussionBody
    answer: {
      data: Discussion
    }
  }
  /** Browse the files and folders of one level */
  listFiles: {
    method: 'GET'
    path: '/projects/{project}/files'
    params: { project: string | number }
    query: ListFilesQuery
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
    path: '/projects/{project}/files'
    params: { project: string | number }
    query: undefined
    body: UploadFileBody
    answer: {
      data: StoredFile
    }
  }
  /** Add a link to a file elsewhere */
  createLink: {
    method: 'POST'
    path: '/projects/{project}/links'
    params: { project: string | number }
    query: undefined
    body: CreateLinkBody
    answer: {
      data: StoredFile
    }
  }
  /** Get a file */
  getFile: {
    method: 'GET'
    path: '/projects/{project}/files/{file}'
    params: { project: string | number; file: string | number }
    query: undefined
    body: undefined
    answer: {
      data: StoredFile
    }
  }
  /** Download a file */
  downloadFile: {
    method: 'GET'
    path: '/projects/{project}/files/{file}/download'
    params: { project: string | number; file: string | number }
    query: undefined
    body: undefined
    answer: Blob
  }
  /** Delete a file */
  deleteFile: {
    method: 'DELETE'
    path: '/files/{file}'
    params: { file: string | number }
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
  listFolders: {
    method: 'GET'
    path: '/projects/{project}/folders'
    params: { project: string | number }
    query: ListFoldersQuery
    body: undefined
    answer: {
      data: Folder[]
      meta: PageMeta
    }
  }
  /** Create a folder */
  createFolder: {
    method: 'POST'
    path: '/projects/{project}/folders'
    params: { project: string | number }
    query: undefined
    body: CreateFolderBody
    answer: {
      data: Folder
    }
  }
  /** Get a folder */
  getFolder: {
    method: 'GET'
    path: '/projects/{project}/folders/{folder}'
    params: { project: string | number; folder: string | number }
    query: undefined
    body: undefined
    answer: {
      data: Folder
    }
  }
  /** Rename, describe or move a folder */
  updateFolder: {
    method: 'PATCH'
    path: '/projects/{project}/folders/{folder}'
    params: { project: string | number; folder: string | number }
    query: undefined
    body: UpdateFolderBody
    answer: {
      data: Folder
    }
  }
  /** Delete a folder */
  deleteFolder: {
    method: 'DELETE'
    path: '/projects/{project}/folders/{folder}'
    params: { project: string | number; folder: string | number }
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
  listEvents: {
    method: 'GET'
    path: '/events'
    params: undefined
    query: ListEventsQuery
    body: undefined
    answer: {
      data: Event[]
      meta: PageMeta
    }
  }
  /** Create an event */
  createEvent: {
    method: 'POST'
    path: '/events'
    params: undefined
    query: undefined
    body: CreateEventBody
    answer: {
      data: Event
    }
  }
  /** Get an event */
  getEvent: {
    method: 'GET'
    path: '/events/{event}'
    params: { event: string | number }
    query: GetEventQuery
    body: undefined
    answer: {
      data: Event
    }
  }
  /** Update an event */
  updateEvent: {
    method: 'PATCH'
    path: '/events/{event}'
    params: { event: string | number }
    query: undefined
    body: UpdateEventBody
    answer: {
      data: Event
    }
  }
  /** Delete an event */
  deleteEvent: {
    method: 'DELETE'
    path: '/events/{event}'
    params: { event: string | number }
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
}
