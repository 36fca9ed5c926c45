import type { Answer } from '../support/diwan.ts'
import { random } from '../support/random.ts'
import type { History, Wish } from './history.ts'

const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T

/** How often a client does not send a request again whose answer was lost. */
const GIVES_UP = 0.25

/** Clients that all work on the same records. Whatever they create has a mark by which it can be found again. */
export class Clients {
  readonly #projects: string[] = []
  readonly #lists: string[] = []
  readonly #tasks: string[] = []
  readonly #discussions: string[] = []
  /** Whole addresses, because comments have none without what they are on. */
  readonly #comments: string[] = []

  constructor(private readonly history: History) {}

  async furnish(): Promise<void> {
    for (let n = 0; n < 3; n++) await this.#addProject()
    for (let n = 0; n < 6; n++) await this.#addList()
    for (let n = 0; n < 6; n++) await this.#addTask()
    await this.#addDiscussion()
    await this.#addComment()
  }

  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#step()
  }

  #step(): Promise<unknown> {
    const chance = random()
    if (chance < 0.01) return this.#replaceProject()
    if (chance < 0.03) return this.#replaceList()
    return pick([
      () => this.#addTask(),
      () => this.#addTask(),
      () => this.#addBatch(),
      () => this.#addComment(),
      () => this.#addComment(),
      () => this.#addDiscussion(),
      () => this.#change('/tasks', this.#tasks, 'title'),
      () => this.#change('/lists', this.#lists, 'title'),
      () => this.#change('/projects', this.#projects, 'name'),
      () => this.#act('complete'),
      () => this.#act('incomplete'),
      () => this.#move(),
      () => this.#delete('/tasks', this.#tasks),
      () => this.#deleteComment(),
      () => this.history.read(`/tasks/${pick(this.#tasks)}`),
      () => this.history.read(`/lists/${pick(this.#lists)}/tasks?limit=20`),
      () => this.history.read(`/projects/${pick(this.#projects)}/lists`),
      () => this.history.read(`/tasks/${pick(this.#tasks)}/comments`),
    ])()
  }

  #write(wish: Wish): Promise<Answer | undefined> {
    return this.history.write(wish, () => random() < GIVES_UP)
  }

  /** Titles are often the same, so that their slugs have to be told apart. Undefined if it was given up or its parent is gone. */
  async #create(path: string, place: string | undefined, marked: string, fields: object): Promise<string | undefined> {
    const mark = this.history.newName()
    const body = { ...fields, [marked]: mark }
    const answer = await this.#write({ method: 'POST', path, body, marks: [mark], places: place ? [place] : [] })
    return answer?.status === 201 ? String(answer.body.data.id) : undefined
  }

  async #addProject(): Promise<void> {
    const id = await this.#create('/projects', undefined, 'description', { name: 'Office' })
    if (id) this.#projects.push(id)
  }

  async #addList(): Promise<void> {
    const project = pick(this.#projects)
    const id = await this.#create(`/projects/${project}/lists`, project, 'notes', { title: 'Furniture' })
    if (id) this.#lists.push(id)
  }

  async #addTask(): Promise<void> {
    const list = pick(this.#lists)
    const id = await this.#create(`/lists/${list}/tasks`, list, 'notes', { title: 'Buy desks' })
    if (id) this.#tasks.push(id)
  }

  async #addDiscussion(): Promise<void> {
    const project = pick(this.#projects)
    const id = await this.#create(`/projects/${project}/discussions`, project, 'body', { title: 'Moving day' })
    if (id) this.#discussions.push(id)
  }

  async #addComment(): Promise<void> {
    const [collection, of] = pick([
      ['/tasks', this.#tasks],
      ['/lists', this.#lists],
      ['/discussions', this.#discussions],
    ] as [string, string[]][])
    const place = pick(of)
    const path = `${collection}/${place}/comments`
    const id = await this.#create(path, place, 'content', {})
    if (id) this.#comments.push(`${path}/${id}`)
  }

  async #addBatch(): Promise<void> {
    const list = pick(this.#lists)
    const marks = [1, 2, 3].map(() => this.history.newName())
    const body = { tasks: marks.map(notes => ({ title: 'Buy chairs', notes })) }
    const answer = await this.#write({
      method: 'POST',
      path: `/lists/${list}/tasks/batch`,
      body,
      marks,
      places: [list],
    })
    if (answer?.status === 201) this.#tasks.push(...answer.body.data.map(({ id }: { id: string }) => id))
  }

  /** Every title is new, so that every change that was carried out is one. */
  #change(collection: string, ids: string[], field: 'title' | 'name'): Promise<unknown> {
    const [target, title] = [pick(ids), `Title ${this.history.newName()}`]
    return this.#write({ method: 'PATCH', path: `${collection}/${target}`, body: { [field]: title }, target, title })
  }

  #act(action: string): Promise<unknown> {
    return this.#write({ method: 'POST', path: `/tasks/${pick(this.#tasks)}/${action}` })
  }

  #move(): Promise<unknown> {
    const [target, list_id] = [pick(this.#tasks), pick(this.#lists)]
    return this.#write({ method: 'POST', path: `/tasks/${target}/move`, body: { list_id }, target, places: [list_id] })
  }

  #delete(collection: string, ids: string[]): Promise<unknown> {
    if (ids.length < 3) return Promise.resolve()
    const [target = ''] = ids.splice(Math.floor(random() * ids.length), 1)
    return this.#write({ method: 'DELETE', path: `${collection}/${target}`, target })
  }

  #deleteComment(): Promise<unknown> {
    if (this.#comments.length < 3) return Promise.resolve()
    const [path = ''] = this.#comments.splice(Math.floor(random() * this.#comments.length), 1)
    return this.#write({ method: 'DELETE', path, target: path.split('/').at(-1) as string })
  }

  async #replaceList(): Promise<void> {
    await this.#delete('/lists', this.#lists)
    await this.#addList()
  }

  async #replaceProject(): Promise<void> {
    await this.#delete('/projects', this.#projects)
    await this.#addProject()
    await this.#addList()
  }
}
