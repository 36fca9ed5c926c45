import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../support/diwan.ts'
import { random } from '../support/random.ts'
import type { Call } from './busy-company.ts'

type Shown = Answer['body']
interface Entry {
  cursor: string
  kind: string
  change: string
  id: string
  project_id: string
  parent_id: string | null
}
type Place = Pick<Entry, 'kind' | 'id' | 'project_id' | 'parent_id'>

/** Fields that are derived from other records and have no entry in the feed, and fields that only some answers show. */
const DERIVED: Record<string, string[]> = {
  project: ['slug', 'task_lists_count', 'tasks_count'],
  task_list: ['slug', 'project_slug', 'tasks_count', 'completed_tasks_count', 'completed', 'completed_at'],
  task: ['slug', 'project_slug', 'task_list_slug'],
  discussion: ['slug', 'project_slug', 'replies_count'],
  comment: ['attachment_refs'],
  folder: ['path'],
  file: ['path'],
}

const COLLECTIONS: Record<string, string> = { lst: '/lists', tsk: '/tasks', mjl: '/discussions' }

function addressOf({ kind, id, project_id, parent_id }: Place): string {
  if (kind === 'project') return `/projects/${id}`
  if (kind === 'folder' || kind === 'file') return `/projects/${project_id}/${kind}s/${id}`
  if (kind === 'comment') return `${COLLECTIONS[`${parent_id}`.slice(0, 3)]}/${parent_id}/comments/${id}`
  return `${COLLECTIONS[id.slice(0, 3)]}/${id}`
}

const keyOf = ({ kind, id }: Place) => `${kind} ${id}`

function ownFields(kind: string, record: Shown): Shown {
  const own = { ...record }
  for (const field of DERIVED[kind] as string[]) delete own[field]
  return own
}

/** A second system that has read everything once, and since then knows only what the feed reports. */
export class Mirror {
  records = new Map<string, Shown>()
  /** How often each change, such as `created tsk-…`, was reported. An entry that arrives twice counts once. */
  readonly seen = new Map<string, number>()
  readonly parents = new Set<string | null>()
  private readonly places = new Map<string, Place>()
  private readonly cursors = new Set<string>()

  constructor(private readonly call: Call) {}

  get entries(): number {
    return this.cursors.size
  }

  async begin(): Promise<string> {
    const { body } = await this.call(api => api.get('/company/changes'))
    this.records = (await readEverything(this.call)).records
    return body.meta.next_cursor
  }

  /** Follows the feed until `isOver` is true and nothing more arrives. A page may end anywhere among what was written at once. */
  async follow(after: string, isOver: () => boolean): Promise<void> {
    for (let isLast = false; ; isLast = isOver()) {
      // Most pages are small, so that many are full: who follows closely finds only a few entries at a time.
      const limit = 1 + Math.floor(100 * random() ** 4)
      const { data, meta } = (await this.call(api => api.get(`/company/changes?after=${after}&limit=${limit}`))).body
      for (const entry of data as Entry[]) this.note(entry)
      const touched = new Map((data as Entry[]).map(entry => [keyOf(entry), entry]))
      await inTurns([...touched.values()], place => this.look(place))
      after = meta.next_cursor
      if (isLast && data.length === 0) return
      if (data.length === 0) await sleep(50)
    }
  }

  private note(entry: Entry): void {
    if (this.cursors.has(entry.cursor)) return
    this.cursors.add(entry.cursor)
    const what = `${entry.change} ${entry.id}`
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
    this.parents.add(entry.parent_id)
    this.places.set(keyOf(entry), entry)
  }

  /** Reads a record again. If it is gone, what was in it is read again too. */
  private async look(place: Place): Promise<void> {
    const { status, body } = await this.call(api => api.get(addressOf(place)))
    if (status === 200) {
      this.records.set(keyOf(place), ownFields(place.kind, body.data))
      return
    }
    this.records.delete(keyOf(place))
    for (const below of this.places.values()) {
      const isBelow = place.kind === 'project' ? below.project_id === place.id : below.parent_id === place.id
      if (isBelow && this.records.has(keyOf(below))) await this.look(below)
    }
  }
}

/** A count that a record or a page shows, and the actual number. */
interface Count {
  of: string
  shown: unknown[]
  there: unknown[]
}

interface Everything {
  records: Map<string, Shown>
  counts: Count[]
  /** Each slug with the collection that it stands in. */
  slugs: string[]
}

/** Reads everything of the company through its collections, with every count that they show. Nobody writes meanwhile. */
export async function readEverything(call: Call): Promise<Everything> {
  const records = new Map<string, Shown>()
  const counts: Count[] = []
  const slugs: string[] = []
  const all = async (kind: string, path: string): Promise<Shown[]> => {
    const found: Shown[] = []
    for (let isMore = true; isMore; ) {
      const { body } = await call(api =>
        api.get(`${path}${path.includes('?') ? '&' : '?'}limit=100&offset=${found.length}`),
      )
      // A page of files also contains the folders at the same level.
      const page = body.data.files ?? body.data
      found.push(...page)
      isMore = page.length === 100
      if (!isMore) counts.push({ of: path, shown: [body.meta.total], there: [found.length] })
    }
    for (const record of found) {
      records.set(`${kind} ${kind === 'file' ? record.ref : record.id}`, ownFields(kind, record))
      if (record.slug !== undefined) slugs.push(`${path} ${record.slug}`)
    }
    return found
  }
  const level = async (project: string, folder?: number): Promise<void> => {
    const place = `/projects/${project}`
    await all('file', `${place}/files${folder === undefined ? '' : `?folder_id=${folder}`}`)
    const folders = await all('folder', `${place}/folders${folder === undefined ? '' : `?parent_folder_id=${folder}`}`)
    for (const { id } of folders) await level(project, id)
  }
  for (const project of await all('project', '/projects')) {
    await level(project.id)
    for (const { id, replies_count } of await all('discussion', `/projects/${project.id}/discussions`)) {
      const replies = await all('comment', `/discussions/${id}/comments`)
      counts.push({ of: id, shown: [replies_count], there: [replies.length] })
    }
    const lists = await all('task_list', `/projects/${project.id}/lists`)
    let ofProject = 0
    for (const { id, tasks_count, completed_tasks_count } of lists) {
      await all('comment', `/lists/${id}/comments`)
      const tasks = await all('task', `/lists/${id}/tasks`)
      await inTurns(tasks, task => all('comment', `/tasks/${task.id}/comments`))
      const completed = tasks.filter(task => task.completed).length
      counts.push({ of: id, shown: [tasks_count, completed_tasks_count], there: [tasks.length, completed] })
      ofProject += tasks.length
    }
    const { task_lists_count, tasks_count } = project
    counts.push({ of: project.id, shown: [task_lists_count, tasks_count], there: [lists.length, ofProject] })
  }
  return { records, counts, slugs }
}

/** Eight at a time. */
async function inTurns<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values()
  const one = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, one))
}
