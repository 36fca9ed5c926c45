import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { MISDEEDS, startHostileHost } from '../support/hostile-host.ts'
import type { ServerProcess } from '../support/server-process.ts'
import type { WorstCompany } from './worst-company-process.ts'

const TASKS_IN_A_CALL = 100
const KEYS_OF_STREAMS = 5
const DEAD_HOOKS = 5
const PROCESS = fileURLToPath(new URL('./worst-company-process.ts', import.meta.url))

/** So many lists with so many tasks in all, to be deleted later. */
export async function fillLists(
  { diwan }: ServerProcess,
  company: TestCompany,
  count: number,
  tasks: number,
): Promise<string[]> {
  const project = await diwan.project(company)
  const lists: string[] = []
  while (lists.length < count) lists.push((await newList(company, project.id)).id)
  const batch = Array.from({ length: TASKS_IN_A_CALL }, (_, n) => ({ title: `Order desk ${n} for the new office` }))
  for (let n = 0; n < tasks / TASKS_IN_A_CALL; n++)
    await created(company.api.post(`/lists/${lists[n % lists.length]}/tasks/batch`, { tasks: batch }))
  return lists
}

/** One company that does everything at once that its limits allow, until it is stopped: then it tells what it has done. */
export async function doItsWorst({ diwan, url, port }: ServerProcess, company: TestCompany) {
  const project = await diwan.project(company)
  const hot = await newList(company, project.id)
  const dead = await startHostileHost(MISDEEDS['says nothing'] as (typeof MISDEEDS)[string])
  for (let n = 0; n < DEAD_HOOKS; n++)
    await created(
      company.admin.post('/webhooks', {
        name: `Dead ${n}`,
        url: `http://127.0.0.1:${dead}/${n}`,
        kinds: ['task.created'],
      }),
    )
  const keysOfStreams: string[] = []
  while (keysOfStreams.length < KEYS_OF_STREAMS) keysOfStreams.push(await diwan.key(company.id))
  const worst: WorstCompany = { url, port, key: company.key, keysOfStreams, projectId: project.id, listId: hot.id }
  // In a process of its own, so that what it does is not done on the thread that measures another.
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, JSON.stringify(worst)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return {
    async stop(): Promise<{ calls: number; served: number }> {
      child.stdin.end()
      return JSON.parse(await text(child.stdout))
    },
  }
}
