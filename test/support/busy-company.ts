import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, TestCompany } from './diwan.ts'
import { created } from './diwan.ts'

const WRITERS = 8
/** Limits how much is written, because all of it is exported twice. */
const PAUSE_MS = 300

/** Writers that create, change and delete all kinds of records of a company until they are stopped. */
export function keepBusy({ api }: TestCompany, project: string): { writes(): number; stop(): Promise<void> } {
  let isStopped = false
  let writes = 0
  async function work(n: number): Promise<void> {
    for (let round = 0; !isStopped; round++) {
      await write(api, project, `${n}-${round}`, round)
      writes++
      await sleep(PAUSE_MS)
    }
  }
  const working = Array.from({ length: WRITERS }, (_, n) => work(n))
  return {
    writes: () => writes,
    async stop() {
      isStopped = true
      await Promise.all(working)
    },
  }
}

/** Each round creates a list with a task and its comments, a discussion and a file. Every other round deletes some of them. */
async function write(api: Client, project: string, name: string, round: number): Promise<void> {
  const at = `/projects/${project}`
  const list = (await created(api.post(`${at}/lists`, { title: `قائمة ${name}` }))).data
  const kept = (await created(api.post(`/lists/${list.id}/tasks`, { title: `Kept ${name}` }))).data
  const doomed = (await created(api.post(`/lists/${list.id}/tasks`, { title: `Doomed ${name}` }))).data
  await created(api.post(`/tasks/${kept.id}/comments`, { content: `On a task ${name}` }))
  await api.patch(`/tasks/${kept.id}`, { notes: `Changed ${name}` })
  await api.post(`/tasks/${kept.id}/complete`)
  const topic = (await created(api.post(`${at}/discussions`, { title: `Topic ${name}` }))).data
  await created(api.post(`/discussions/${topic.id}/comments`, { content: `Reply ${name}` }))
  await created(api.post(`${at}/folders`, { name: `Folder ${name}` }))
  const content = `${name} `.repeat(2_000)
  const file = (await created(api.post(`${at}/files`, { name: `${name}.txt`, content }))).data
  await api.delete(`/tasks/${doomed.id}`)
  if (round % 2 === 1) await api.delete(`/files/${file.ref}`)
}
