import { randomUUID } from 'node:crypto'
import type { Answer, Client } from '../support/diwan.ts'
import { random } from '../support/random.ts'

/** Sends a call that spends so many, and gives its answer, or undefined when there was none. */
export type Spend = (entries: number, send: (api: Client) => Promise<Answer>) => Promise<Answer | undefined>

const TASKS = 10

/** What a list becomes, one call after the other, each of which writes many rows. */
const STAGES = ['missing', 'empty', 'filled', 'completed', 'deleted'] as const

/** How far each list has got, by its title: what was answered, and what was sent. */
export type Lists = Map<string, { acknowledged: number; sent: number }>

/** Creates lists, fills each with tasks, completes all of these, and deletes half of the lists, until the server is gone. */
export async function growList(spend: Spend, project: string, lists: Lists, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const title = randomUUID()
    const list = { acknowledged: 0, sent: 0 }
    lists.set(title, list)
    const step = async (entries: number, send: (api: Client) => Promise<Answer>) => {
      list.sent++
      const answer = await spend(entries, send)
      if (answer) list.acknowledged++
      return answer
    }
    const made = await step(1, api => api.post(`/projects/${project}/lists`, { title }))
    const at = `/lists/${made?.body.data.id}`
    const tasks = Array.from({ length: TASKS }, (_, n) => ({ title: `Order desk ${n}` }))
    const filled = made && (await step(TASKS, api => api.post(`${at}/tasks/batch`, { tasks })))
    const changes = filled?.body.data.map(({ id }: { id: string }) => ({ task: id, do: 'complete' }))
    const completed = filled && (await step(TASKS, api => api.post('/company/tasks/batch', { changes })))
    if (!completed) return
    if (random() < 0.5 && !(await step(1, api => api.delete(at)))) return
  }
}

/** The lists that are not as they were when they were last answered, nor as the call that was not answered makes them. */
export async function strayingFrom(lists: Lists, spend: Spend, project: string): Promise<string[]> {
  const found = new Map<string, string>()
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const page = await spend(1, api => api.get(`/projects/${project}/lists?limit=100&offset=${offset}`))
    total = page?.body.meta.total
    for (const list of page?.body.data ?? []) {
      const tasks = await spend(1, api => api.get(`/lists/${list.id}/tasks?limit=100`))
      const completed = tasks?.body.data.filter((task: { completed: boolean }) => task.completed).length
      found.set(list.title, stageOf(list, tasks?.body.data.length, completed))
    }
  }
  return [...lists].flatMap(([title, { acknowledged, sent }]) => {
    const stage = found.get(title) ?? (acknowledged === 0 ? 'missing' : 'deleted')
    const allowed = [STAGES[acknowledged], STAGES[sent]]
    return allowed.some(one => one === stage) ? [] : [`${title}: ${stage} instead of ${allowed.join(' or ')}`]
  })
}

interface Counts {
  tasks_count: number
  completed_tasks_count: number
}

/** What is there by halves, or counted otherwise than it is, has a stage of its own. */
function stageOf({ tasks_count, completed_tasks_count }: Counts, tasks: number, completed: number): string {
  const isCounted = tasks_count === tasks && completed_tasks_count === completed
  if (isCounted && tasks === 0) return 'empty'
  if (isCounted && tasks === TASKS && completed === 0) return 'filled'
  if (isCounted && tasks === TASKS && completed === TASKS) return 'completed'
  return `${tasks} tasks, counted as ${tasks_count}, ${completed} completed, counted as ${completed_tasks_count}`
}
