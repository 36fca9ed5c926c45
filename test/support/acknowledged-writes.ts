import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Client } from './diwan.ts'

export interface Writes {
  /** The ids of the projects whose creation was answered 201, in that order. */
  acknowledged: string[]
  /** All other answers. */
  others: Answer[]
  stop(): Promise<void>
}

/** Creates projects until it is stopped, over several connections, which are divided among the clients. Each is looked up at once. */
export function keepWriting(clients: Client[], connections = 4): Writes {
  const acknowledged: string[] = []
  const others: Answer[] = []
  let isOver = false
  const writers = Array.from({ length: connections }, async (_, n) => {
    const [writer, reader] = [clients[n % clients.length], clients[(n + 1) % clients.length]] as [Client, Client]
    while (!isOver) {
      // A load, and not all that the machine can do: each write has to be told afterwards.
      await sleep(50)
      const answer = await writer.post('/projects', { name: 'Website launch' })
      if (answer.status !== 201) {
        others.push(answer)
        continue
      }
      const { id } = answer.body.data
      acknowledged.push(id)
      for (const path of [`/projects/${id}`, '/search?q=website&per_type=1', '/company/changes?limit=1']) {
        const read = await reader.get(path)
        if (read.status !== 200) others.push(read)
      }
    }
  })
  return {
    acknowledged,
    others,
    async stop() {
      isOver = true
      await Promise.all(writers)
    },
  }
}

/** The acknowledged ones that are not there. */
export async function missingFrom(api: Client, { acknowledged }: Writes): Promise<string[]> {
  const kept = new Set<string>()
  for (let offset = 0; ; offset += 100) {
    const { data } = (await api.get(`/projects?limit=100&offset=${offset}`)).body
    for (const { id } of data) kept.add(id)
    if (data.length === 0) return acknowledged.filter(id => !kept.has(id))
  }
}
