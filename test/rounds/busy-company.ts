import type { Answer, Client } from '../support/diwan.ts'
import { random } from '../support/random.ts'

/** Repeats a call until it is answered, across kills and restarts. */
export type Call = (send: (api: Client) => Promise<Answer>) => Promise<Answer>

/**
 * The title of a task decides what its commit does in these rounds: one takes long, and one fails at the last moment, when
 * its entry in the feed has been written. A task with the title `Still` never changes, however often that is tried.
 */
export const TRAP = `
  create function trap() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.title = 'Still' or tg_op <> 'DELETE' and new.title = 'Undone' then
      raise 'caught' using errcode = '57014';
    elsif tg_op <> 'DELETE' and new.title like 'Slow%' then
      perform pg_sleep(random() * 2);
    end if;
    return null;
  end $$;
  create constraint trigger trap after insert or update or delete on tasks
    deferrable initially deferred for each row execute function trap();`

const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T
const words = (first: string) => `${first} ${random()}`

/** One company in which all writers work on everything, and what the server has acknowledged to them. */
export class BusyCompany {
  /** How often each of these was acknowledged: `created tsk-…`. */
  readonly acknowledged = new Map<string, number>()
  /** Answers to writes that should have been rolled back, but were not. */
  readonly slipped: Answer[] = []
  steps = 0
  rollbacks = 0
  private readonly projects: string[] = []
  private readonly lists: string[] = []
  private readonly tasks: string[] = []
  private readonly discussions: string[] = []
  /** Whole addresses, because these records have no address without their parents. */
  private readonly comments: string[] = []
  private readonly folders: string[] = []
  private readonly files: string[] = []

  constructor(
    private readonly call: Call,
    /** Sends a call once; it may be lost. */
    private readonly once: (send: (api: Client) => Promise<Answer>) => Promise<Answer | undefined>,
    private readonly still: { list: string; tasks: string[] },
  ) {}

  async write(isOver: () => boolean): Promise<void> {
    await this.addProject()
    for (let n = 0; n < 2; n++) await this.addList()
    while (!isOver()) {
      await this.step()
      this.steps++
    }
  }

  private async step(): Promise<unknown> {
    const chance = random()
    if (chance < 0.01) return this.change('tasks', this.tasks, { title: words('Slow') })
    if (chance < 0.02) return this.clear()
    if (chance < 0.12) return this.undone()
    return pick([
      () => this.addTask(),
      () => this.addTask(),
      () => this.addBatch(),
      () => this.change('tasks', this.tasks, { title: words('Changed'), notes: null }),
      () => this.call(api => api.patch(`/tasks/${pick(this.tasks)}`, { title: 'Refused', due_at: '2026-02-31' })),
      () => this.call(api => api.post(`/tasks/${pick(this.tasks)}/${pick(['complete', 'incomplete'])}`)),
      () => this.call(api => api.post(`/tasks/${pick(this.tasks)}/move`, { list_id: pick(this.lists) })),
      () => this.change('lists', this.lists, { title: words('List'), priority: 'high' }),
      () => this.change('discussions', this.discussions, { body: words('Body') }),
      () => this.change('projects', this.projects, { description: words('About') }),
      () => this.remove('tasks', this.tasks),
      () => this.addComment(),
      () => this.editComment(),
      () => this.addLink(),
      () => this.removeFile(),
      () => this.addFolder(),
      () => this.renameFolder(),
      () => this.freeze(),
    ])()
  }

  /** Deletes a record with much in it, and creates a replacement. */
  private async clear(): Promise<void> {
    const chance = random()
    if (chance < 0.6) {
      await this.remove('lists', this.lists)
      await this.addList()
    } else if (chance < 0.8) {
      await this.remove('discussions', this.discussions)
    } else if (chance < 0.9 && this.folders.length > 0) {
      await this.call(api => api.delete(pick(this.folders)))
    } else if (this.projects.length > 4) {
      await this.remove('projects', this.projects)
      await this.addProject()
      await this.addList()
    }
  }

  /** Each of these calls writes, and fails at its commit. */
  private async undone(): Promise<void> {
    const { list, tasks } = this.still
    const task = `/tasks/${pick(tasks)}`
    const batch = [{ title: 'Well' }, { title: 'Undone' }, { title: 'Well' }]
    const answer = await this.once(
      pick([
        (api: Client) => api.post(`/lists/${list}/tasks`, { title: 'Undone' }),
        (api: Client) => api.post(`/lists/${list}/tasks/batch`, { tasks: batch }),
        (api: Client) => api.patch(task, { notes: words('Note') }),
        (api: Client) => api.post(`${task}/complete`),
        (api: Client) => api.post(`${task}/move`, { list_id: pick(this.lists) }),
        (api: Client) => api.delete(task),
      ]),
    )
    if (!answer) return
    if (answer.status < 300) this.slipped.push(answer)
    if (answer.status >= 500) this.rollbacks++
  }

  private async add(address: string, fields: object): Promise<Answer['body'] | undefined> {
    const { status, body } = await this.call(api => api.post(address, fields))
    if (status !== 201) return undefined
    this.told('created', body.data.ref ?? body.data.id)
    return body.data
  }

  private async addProject(): Promise<void> {
    const made = await this.add('/projects', { name: 'Mirror' })
    if (made) this.projects.push(made.id)
  }

  private async addList(): Promise<void> {
    const made = await this.add(`/projects/${pick(this.projects)}/lists`, { title: 'List' })
    if (made) this.lists.push(made.id)
  }

  private async addTask(): Promise<void> {
    const made = await this.add(`/lists/${pick(this.lists)}/tasks`, { title: words('Task') })
    if (made) this.tasks.push(made.id)
  }

  private async addBatch(): Promise<void> {
    const tasks = Array.from({ length: 5 }, () => ({ title: words('Together') }))
    const { status, body } = await this.call(api => api.post(`/lists/${pick(this.lists)}/tasks/batch`, { tasks }))
    if (status !== 201) return
    for (const { id } of body.data) {
      this.told('created', id)
      this.tasks.push(id)
    }
  }

  private async addComment(): Promise<void> {
    if (this.discussions.length < this.projects.length) {
      const made = await this.add(`/projects/${pick(this.projects)}/discussions`, { title: words('Topic') })
      if (made) this.discussions.push(made.id)
    }
    const parents = [
      `/lists/${pick(this.lists)}`,
      `/tasks/${pick(this.tasks)}`,
      `/discussions/${pick(this.discussions)}`,
    ]
    const parent = pick(parents)
    const made = await this.add(`${parent}/comments`, { content: words('Comment') })
    if (made) this.comments.push(`${parent}/comments/${made.id}`)
  }

  /** Some attach a file, whose later removal changes them again. The server checks that it is in the same project. */
  private async editComment(): Promise<void> {
    const attachments = this.files.length > 0 && random() < 0.5 ? { attachments: [pick(this.files)] } : {}
    const address = pick(this.comments)
    await this.call(api => api.patch(address, { content: words('Edited'), ...attachments }))
  }

  private async addLink(): Promise<void> {
    const project = pick(this.projects)
    const folder = this.folders.filter(address => address.startsWith(`/projects/${project}/`))
    const folder_id = folder.length > 0 && random() < 0.5 ? Number(pick(folder).split('/').at(-1)) : null
    const content = random() < 0.5 ? { content: words('Text') } : { external_url: 'https://example.com/plan.pdf' }
    const address = `/projects/${project}/${'content' in content ? 'files' : 'links'}`
    const made = await this.add(address, { name: `${words('Plan')}.txt`, folder_id, ...content })
    if (made) this.files.push(made.ref)
  }

  private async removeFile(): Promise<void> {
    if (this.files.length === 0) return
    const ref = pick(this.files)
    const { status } = await this.call(api => api.delete(`/files/${ref}`))
    if (status === 200) this.told('deleted', ref)
  }

  private async addFolder(): Promise<void> {
    const project = pick(this.projects)
    const above = this.folders.filter(address => address.startsWith(`/projects/${project}/`))
    const parent_folder_id = above.length > 0 && random() < 0.5 ? Number(pick(above).split('/').at(-1)) : null
    const made = await this.add(`/projects/${project}/folders`, { name: words('Folder'), parent_folder_id })
    if (made) this.folders.push(`/projects/${project}/folders/${made.id}`)
  }

  private async renameFolder(): Promise<void> {
    if (this.folders.length === 0) return
    await this.call(api => api.patch(pick(this.folders), { name: words('Named') }))
  }

  private async freeze(): Promise<void> {
    const project = pick(this.projects)
    await this.call(api => api.post(`/projects/${project}/archive`))
    await this.call(api => api.patch(`/tasks/${pick(this.tasks)}`, { title: 'Frozen' }))
    await this.call(api => api.post(`/projects/${project}/unarchive`))
  }

  /** The values are always new, so that every acknowledged change is a real change. */
  private async change(collection: string, ids: string[], fields: object): Promise<void> {
    if (ids.length === 0) return
    const id = pick(ids)
    const { status } = await this.call(api => api.patch(`/${collection}/${id}`, fields))
    if (status === 200) this.told('updated', id)
  }

  private async remove(collection: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const [id] = ids.splice(Math.floor(random() * ids.length), 1) as [string]
    const { status } = await this.call(api => api.delete(`/${collection}/${id}`))
    if (status === 200) this.told('deleted', id)
  }

  private told(change: string, id: string): void {
    const what = `${change} ${id}`
    this.acknowledged.set(what, (this.acknowledged.get(what) ?? 0) + 1)
  }
}
