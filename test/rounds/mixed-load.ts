import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Diwan, TestCompany } from '../support/diwan.ts'
import { random } from '../support/random.ts'

const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T

const MOST_ATTEMPTS = 50
/** The calls of many rounds, and what was said to those that were answered 503. */
export interface Tally {
  calls: number
  refused: string[]
}

export const newTally = (): Tally => ({ calls: 0, refused: [] })

const QUERIES = ['desk', 'شراء', 'والأثاث', 'plan', 'x', 'Zanzibar']

/**
 * What clients of all kinds do in a few seconds: they create, change, read, search, follow, upload, mistake and repeat
 * themselves. All records that it creates are gone afterwards, unless it keeps them. What is refused for want of room is sent
 * again, and counted: where nothing is wrong, there is room.
 */
export async function mixedRound(
  diwan: Diwan,
  company: TestCompany,
  project: string,
  tally: Tally,
  keeps = false,
): Promise<void> {
  const { api, admin } = company
  const ask = async (send: () => Promise<Answer>, expected: number): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send()
      tally.calls++
      if (answer.status === expected) return answer
      const said = JSON.stringify(answer.body)
      if (answer.status !== 503 || attempt === MOST_ATTEMPTS)
        throw new Error(`Expected ${expected}, got ${answer.status}: ${said}`)
      tally.refused.push(said)
      await sleep(200)
    }
  }
  const unique = randomUUID().replaceAll('-', '')
  const at = `/projects/${project}`
  const { next_cursor } = (await ask(() => api.get('/company/changes'), 200)).body.meta
  const list = (await ask(() => api.post(`${at}/lists`, { title: `قائمة ${unique}` }), 201)).body.data
  const repeatable = { 'idempotency-key': unique }
  const fields = { title: `شراء الأثاث ${unique}`, notes: 'Two desks', external_id: `crm-${unique}` }
  const task = (await ask(() => api.post(`/lists/${list.id}/tasks`, fields, repeatable), 201)).body.data
  await ask(() => api.post(`/lists/${list.id}/tasks`, fields, repeatable), 201)
  const batch = Array.from({ length: 5 }, (_, n) => ({ title: `Together ${n}` }))
  await ask(() => api.post(`/lists/${list.id}/tasks/batch`, { tasks: batch }), 201)
  await ask(() => api.patch(`/tasks/${task.id}`, { notes: `Changed ${unique}` }), 200)
  await ask(() => api.post(`/tasks/${task.id}/complete`), 200)
  await ask(() => api.post(`/tasks/${task.id}/comments`, { content: `On a task ${unique}` }), 201)
  const folder = (await ask(() => api.post(`${at}/folders`, { name: `Folder ${unique}` }), 201)).body.data
  const text = { name: `${unique}.txt`, folder_id: folder.id, content: `${unique} `.repeat(2_000) }
  const file = (await ask(() => api.post(`${at}/files`, text), 201)).body.data
  await ask(() => api.get(`/search?q=${encodeURIComponent(pick(QUERIES))}`), 200)
  await ask(() => api.get(`/company/tasks?limit=${1 + Math.floor(random() * 50)}`), 200)
  await ask(() => api.get(`/company/changes?limit=100&after=${next_cursor}`), 200)
  await ask(() => api.get(`/tasks/${task.id}`), 200)
  await ask(() => api.get(`/tasks/tsk-${unique.slice(0, 10)}`), 404)
  await ask(() => api.patch(`/tasks/${task.id}`, { due_at: '2026-02-31' }), 422)
  await ask(() => diwan.api(`key-${unique}`).get('/projects'), 401)
  await ask(() => admin.get(pick(['/audit', '/usage', '/keys', '/counts', '/requests'])), 200)
  if (keeps) return
  await ask(() => api.delete(`/files/${file.ref}`), 200)
  await ask(() => api.delete(`${at}/folders/${folder.id}`), 200)
  await ask(() => api.delete(`/lists/${list.id}`), 200)
}
