import { UsageError } from '../frame/command.ts'
import { harmless } from '../frame/output.ts'
import type { FormatName } from './choices.ts'
import { findMetadata, type MetadataColumn } from './metadata.ts'
import { plainName } from './names.ts'

/** What a column can be used for. `--map` knows them by these names. */
export const ROLES = [
  'title',
  'notes',
  'due',
  'assignee',
  'assignee_email',
  'list',
  'completed',
  'status',
  'external_id',
  'time',
] as const
export type Role = (typeof ROLES)[number]

interface Format {
  /** Where the records come from, in words; undefined when unknown. */
  origin?: string
  /** The known names for the column of each role. */
  names: Record<Role, readonly string[]>
  /** The name of a second column for lists, used where the first is empty. */
  secondList?: readonly string[]
  /** What an id begins with by default. Ids are unique in the company, and those of two systems could be the same. */
  idPrefix: string
  /** The statuses of completed work. */
  done: readonly string[]
  /** The statuses of open work, whatever else is said of it. */
  open?: readonly string[]
}

const CSV: Format = {
  names: {
    title: ['Title', 'Task', 'Task name', 'Name', 'Subject', 'Summary', 'العنوان', 'المهمة', 'اسم المهمة', 'الموضوع'],
    notes: ['Notes', 'Description', 'Details', 'الوصف', 'الملاحظات', 'ملاحظات', 'التفاصيل'],
    due: ['Due', 'Due date', 'Due at', 'Due on', 'Deadline', 'تاريخ الاستحقاق', 'الاستحقاق', 'الموعد النهائي'],
    assignee: ['Assignee', 'Assigned to', 'Owner', 'المسؤول', 'المكلف', 'المسند إليه', 'المحال إليه'],
    assignee_email: ['Assignee email', 'Email', 'E-mail', 'البريد الإلكتروني', 'بريد المسؤول'],
    list: ['List', 'Task list', 'Section', 'القائمة', 'قائمة المهام', 'القسم'],
    completed: ['Completed', 'Completed at', 'Done', 'مكتملة', 'مكتمل', 'منجزة', 'تاريخ الإكمال'],
    status: ['Status', 'State', 'الحالة'],
    // A column that is only called ID may number the rows of this one file.
    external_id: ['External id', 'المعرف الخارجي'],
    // Whether a number means hours or minutes, only the user knows: --map says that it is hours.
    time: [],
  },
  idPrefix: '',
  done: [
    'Done',
    'Completed',
    'Complete',
    'Closed',
    'Finished',
    'مكتملة',
    'مكتمل',
    'منجزة',
    'منجز',
    'منتهية',
    'مغلقة',
    'تم',
  ],
}

/** The names in its CSV in English and in Arabic. It has no email addresses. */
const REDMINE: Format = {
  origin: 'Redmine',
  names: {
    title: ['Subject', 'الموضوع'],
    notes: ['Description', 'الوصف'],
    due: ['Due date', 'تاريخ الاستحقاق'],
    assignee: ['Assignee', 'المحال اليه'],
    assignee_email: [],
    list: ['Category', 'الفئة'],
    completed: ['Closed'],
    status: ['Status', 'الحالة'],
    external_id: ['#'],
    time: ['Spent time', 'الوقت المستغرق'],
  },
  idPrefix: 'redmine-',
  secondList: ['Target version', 'الاصدار المستهدف'],
  done: ['Closed', 'Rejected', 'مغلق', 'مرفوض'],
  // A reopened issue keeps the time at which it was closed.
  open: ['New', 'In Progress', 'Resolved', 'Feedback', 'جديد', 'جاري التحميل', 'الحل', 'التغذية الراجعة'],
}

const ASANA: Format = {
  origin: 'Asana',
  names: {
    title: ['Name'],
    notes: ['Notes'],
    due: ['Due Date'],
    assignee: ['Assignee'],
    assignee_email: ['Assignee Email'],
    list: ['Section/Column'],
    completed: ['Completed At'],
    status: [],
    external_id: ['Task ID'],
    time: [],
  },
  idPrefix: 'asana-',
  done: [],
}

export const FORMAT: Record<FormatName, Format> = { csv: CSV, redmine: REDMINE, asana: ASANA }

/** The columns that a file of rejected rows adds. They do not become part of the task when the rows are imported after all. */
export const REJECTED = ['Rejected row', 'Rejected because']

/** By column number. */
export interface Columns {
  names: string[]
  roles: Partial<Record<Role, number>>
  /** In the order in which they are checked for the title of a list. */
  lists: number[]
  metadata: MetadataColumn[]
}

export interface Wishes {
  format: FormatName
  /** From role to column name; an empty name means no column. */
  map: Partial<Record<Role, string>>
  listBy: string | undefined
  /** The statuses of completed work, if given. */
  done: string[] | undefined
}

/** Which column is used for what. If a required column is missing, or two are possible, the user has to decide. */
export function findColumns(names: string[], { format, map, listBy, done }: Wishes): Columns {
  const known = names.map(plainName)
  const wantedAt = (option: string, name: string) => {
    const found = known.indexOf(plainName(name))
    if (found < 0)
      throw new UsageError(`${option}: FILE has no column ${JSON.stringify(name)}. Its columns are ${shown(names)}`)
    return found
  }
  const roles: Columns['roles'] = {}
  for (const role of ROLES) {
    const wanted = role === 'list' ? (listBy ?? map.list) : map[role]
    if (wanted === undefined) roles[role] = theOnly(role, names, known, FORMAT[format].names[role])
    else if (wanted !== '') roles[role] = wantedAt(role === 'list' && listBy ? '--list-by' : `--map ${role}`, wanted)
  }
  if (roles.title === undefined)
    throw new UsageError(
      `FILE must begin with a header row that has a column for the title (${FORMAT[format].names.title.slice(0, 4).join(', ')}), or one named by --map title=COLUMN. Its first row is ${shown(names)}`,
    )
  if (done && roles.status === undefined)
    throw new UsageError('--done: FILE has no status column. Name it with --map status=COLUMN')
  const second = listBy === undefined && map.list === undefined ? FORMAT[format].secondList : undefined
  const secondList = second && theOnly('list', names, known, second)
  const lists = [roles.list, secondList].filter(each => each !== undefined)
  return { names, roles, lists, metadata: findMetadata(names) }
}

function theOnly(role: Role, names: string[], known: string[], wanted: readonly string[]): number | undefined {
  const plain = new Set(wanted.map(plainName))
  const [first, second] = known.flatMap((name, n) => (plain.has(name) ? [n] : []))
  if (first !== undefined && second !== undefined)
    throw new UsageError(
      `FILE has two columns that could be the ${role}: ${shown([names[first] ?? '', names[second] ?? ''])}. Choose one with --map ${role}=COLUMN`,
    )
  return first
}

const MOST_SHOWN = 12

function shown(names: string[]): string {
  const some = names.slice(0, MOST_SHOWN).map(name => harmless(JSON.stringify(name.slice(0, 40))))
  return names.length > MOST_SHOWN ? `${some.join(', ')}, …` : some.join(', ')
}
