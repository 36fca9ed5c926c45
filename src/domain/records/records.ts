import type { Operation } from '../access/operations.ts'

/** What can happen to a record, as the feed of changes names it. */
export const CHANGES = [
  'created',
  'updated',
  'deleted',
  'completed',
  'reopened',
  'moved',
  'archived',
  'unarchived',
  'restored',
  'scanned',
] as const
export type Change = (typeof CHANGES)[number]

interface RecordDeclaration {
  table: string
  /** The operation that a key needs to read it. */
  readBy: Operation
  /** What its parameter in an address is called, and how the description explains that. */
  parameter: string
  handle: string
  /** The prefix of its ref; without one it is named by its number. */
  prefix?: string
  /** The slug for names without a letter or digit; without it the record has no slug. */
  nameless?: string
  /** The column of its title; without one it shows the title of what it is on. */
  title?: string
  /** What the console calls one of it, and several. */
  words: Record<'en' | 'ar', { one: string; several: string }>
  /**
   * The one that samples use. The demo company has it under this handle on every machine, so that a sample can be run as it is.
   * Numbers are those that the first records of an empty database get. Null where there is none, or `examples.ts` chooses one.
   */
  example: { ref: string; slug?: string } | { number: number } | null
  /** Where the API shows it. `:id`, `:project` and `:parent` stand for what the feed says of it. */
  address: string
  /** Found by search; `api/search/sources.ts` says how. */
  isSearched: boolean
  /** Named as the target of entries in the audit. */
  isAudited: boolean
  /**
   * What becomes of the row when the record is deleted. A marked one has `deleted_at`: it can be restored from the trash, or a
   * job removes it later. A record that cannot be deleted goes with what it is on.
   */
  deletion: 'to the trash' | 'marked' | 'removed' | 'with its parent'
  /** What the feed tells of it. Without this it is not in the feed. */
  feed?: {
    changes: readonly Change[]
    /** The fields that an update names, and the column behind each. */
    fields: Record<string, string>
    /** Columns whose change is told by a name of its own, such as `completed`. */
    states: readonly string[]
    /** Whether the table has `updated_at`. It moves with all of the columns above. */
    showsUpdatedAt: boolean
  }
}

/**
 * Every kind of record, declared once. Refs, the feed, webhooks, the audit, the trash, search, samples and the descriptions
 * follow from it, and so do the triggers that notice changes, which `npm run schema` writes, and the words of the console, which
 * `npm run openapi` writes. Where a kind needs more than data, such as SQL,
 * that is a `Record` over the kinds, so that a kind without it does not compile.
 */
export const RECORDS = {
  project: {
    table: 'projects',
    readBy: 'projects:read',
    parameter: 'project',
    handle: 'A project ref (`prj-…`), slug, or `ext:` and an external id',
    prefix: 'prj',
    nameless: 'project',
    title: 'name',
    words: {
      en: { one: 'Project', several: 'Projects' },
      ar: { one: 'مشروع', several: 'المشاريع' },
    },
    example: { ref: 'prj-4k7q2m9x0c', slug: 'website-launch' },
    address: '/projects/:id',
    isSearched: true,
    isAudited: true,
    deletion: 'to the trash',
    feed: {
      changes: ['created', 'updated', 'deleted', 'archived', 'unarchived', 'restored'],
      fields: {
        name: 'name',
        description: 'description',
        is_public: 'is_public',
        start_date: 'start_date',
        end_date: 'end_date',
        external_id: 'external_id',
        metadata: 'metadata',
      },
      states: ['archived'],
      showsUpdatedAt: true,
    },
  },
  task_list: {
    table: 'task_lists',
    readBy: 'task_lists:read',
    parameter: 'list',
    handle: 'A task list ref (`lst-…`) or `ext:` and an external id, or on a nested address its ref or slug',
    prefix: 'lst',
    nameless: 'list',
    title: 'title',
    words: {
      en: { one: 'Task list', several: 'Task lists' },
      ar: { one: 'قائمة مهام', several: 'قوائم المهام' },
    },
    example: { ref: 'lst-7m2kq90xcd', slug: 'design' },
    address: '/lists/:id',
    isSearched: true,
    isAudited: true,
    deletion: 'marked',
    feed: {
      changes: ['created', 'updated', 'deleted'],
      fields: {
        title: 'title',
        notes: 'notes',
        priority: 'priority',
        external_id: 'external_id',
        metadata: 'metadata',
      },
      states: [],
      showsUpdatedAt: true,
    },
  },
  task: {
    table: 'tasks',
    readBy: 'tasks:read',
    parameter: 'task',
    handle: 'A task ref (`tsk-…`) or `ext:` and an external id, or on a nested address its ref or slug',
    prefix: 'tsk',
    nameless: 'task',
    title: 'title',
    words: {
      en: { one: 'Task', several: 'Tasks' },
      ar: { one: 'مهمة', several: 'المهام' },
    },
    example: { ref: 'tsk-0q8v5n2jyt', slug: 'right-to-left-review' },
    address: '/tasks/:id',
    isSearched: true,
    isAudited: true,
    deletion: 'removed',
    feed: {
      changes: ['created', 'updated', 'deleted', 'completed', 'reopened', 'moved'],
      fields: {
        title: 'title',
        notes: 'notes',
        due_at: 'due_at',
        assignee: 'assignee_id',
        time_spent_minutes: 'time_spent_minutes',
        external_id: 'external_id',
        metadata: 'metadata',
      },
      states: ['completed_at', 'task_list_id'],
      showsUpdatedAt: true,
    },
  },
  comment: {
    table: 'comments',
    readBy: 'comments:read',
    parameter: 'comment',
    handle: 'The id of a comment',
    words: {
      en: { one: 'Comment', several: 'Comments' },
      ar: { one: 'تعليق', several: 'التعليقات' },
    },
    example: null,
    address: ':parent/comments/:id',
    isSearched: false,
    isAudited: false,
    deletion: 'with its parent',
    feed: {
      changes: ['created', 'updated'],
      // Its attachments are in another table, which has triggers of its own.
      fields: { content: 'body' },
      states: [],
      showsUpdatedAt: true,
    },
  },
  discussion: {
    table: 'discussions',
    readBy: 'discussions:read',
    parameter: 'discussion',
    handle: 'A discussion ref (`mjl-…`) or `ext:` and an external id, or on a nested address its ref or slug',
    prefix: 'mjl',
    nameless: 'topic',
    title: 'title',
    words: {
      en: { one: 'Discussion', several: 'Discussions' },
      ar: { one: 'نقاش', several: 'النقاشات' },
    },
    example: { ref: 'mjl-3w8h1k6tzp', slug: 'which-day-do-we-go-live' },
    address: '/discussions/:id',
    isSearched: true,
    isAudited: true,
    deletion: 'to the trash',
    feed: {
      changes: ['created', 'updated', 'deleted', 'restored'],
      fields: {
        title: 'title',
        body: 'body',
        category: 'category',
        external_id: 'external_id',
        metadata: 'metadata',
      },
      states: [],
      showsUpdatedAt: false,
    },
  },
  folder: {
    table: 'folders',
    readBy: 'files:read',
    parameter: 'folder',
    handle: 'The id of a folder',
    title: 'name',
    words: {
      en: { one: 'Folder', several: 'Folders' },
      ar: { one: 'مجلد', several: 'المجلدات' },
    },
    example: { number: 1 },
    address: '/projects/:project/folders/:id',
    isSearched: true,
    isAudited: true,
    deletion: 'marked',
    feed: {
      changes: ['created', 'updated', 'deleted', 'moved'],
      fields: { name: 'name', description: 'description' },
      states: ['parent_folder_id'],
      showsUpdatedAt: false,
    },
  },
  file: {
    table: 'files',
    readBy: 'files:read',
    parameter: 'file',
    handle: 'A file ref (`fil-…`), or on a nested address its number',
    prefix: 'fil',
    title: 'name',
    words: {
      en: { one: 'File', several: 'Files' },
      ar: { one: 'ملف', several: 'الملفات' },
    },
    example: { ref: 'fil-9d4w7c1hza' },
    address: '/projects/:project/files/:id',
    isSearched: true,
    isAudited: true,
    deletion: 'removed',
    feed: {
      changes: ['created', 'deleted', 'scanned'],
      fields: {},
      states: ['scan_state', 'scan_message'],
      showsUpdatedAt: false,
    },
  },
  event: {
    table: 'events',
    readBy: 'events:read',
    parameter: 'event',
    handle: 'The id of an event',
    title: 'name',
    words: {
      en: { one: 'Event', several: 'Events' },
      ar: { one: 'موعد', several: 'المواعيد' },
    },
    example: { number: 1 },
    address: '/events/:id',
    isSearched: false,
    isAudited: true,
    deletion: 'removed',
  },
} as const satisfies Record<string, RecordDeclaration>

type Records = typeof RECORDS
export type RecordKind = keyof Records
/** The kinds of which a part of the declaration says something. */
export type KindWith<Part> = { [K in RecordKind]: Records[K] extends Part ? K : never }[RecordKind]

export const RECORD_KINDS = Object.keys(RECORDS) as RecordKind[]

/** The kinds that the feed tells of. */
export type ChangedKind = KindWith<{ feed: object }>
const isInFeed = (kind: RecordKind): kind is ChangedKind => 'feed' in RECORDS[kind]
export const CHANGED_KINDS = RECORD_KINDS.filter(isInFeed)

/** The columns of a record whose changes the triggers notice, and the slug, which follows from the name. */
export type RecordColumn<K extends ChangedKind> =
  | Records[K]['feed']['fields'][keyof Records[K]['feed']['fields']]
  | Records[K]['feed']['states'][number]
  | 'slug'
