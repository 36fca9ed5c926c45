import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from './command.ts'
import { diwan } from './command-in-process.ts'
import type { Client, Diwan } from './diwan.ts'
import { type Env, newFolder } from './server-process.ts'

/** A copy of the file in a folder of its own, so that what an import leaves beside it is separate too. */
export function sample(name: string): string {
  const file = join(newFolder(), name)
  copyFileSync(join('test/fixtures/import', name), file)
  return file
}

export function written(content: string | Uint8Array, name = 'tasks.csv'): string {
  const file = join(newFolder(), name)
  writeFileSync(file, content)
  return file
}

/** Somewhere to import to: two people, a project, and the settings that point the command there. */
export async function destination(server: { diwan: Diwan; url: string }, settings: Record<string, unknown> = {}) {
  const company = await server.diwan.company(settings)
  const unique = company.owner.email.split('.')[1]?.split('@')[0]
  await server.diwan.person(company.id, { name: 'Omar Aziz', email: `omar.${unique}@example.com` })
  const project = await server.diwan.project(company)
  const env: Env = { DIWAN_URL: server.url, DIWAN_KEY: company.key }
  return {
    company,
    omar: `omar.${unique}@example.com`,
    project: project.id as string,
    env,
    run: (file: string, ...options: string[]): Promise<Ended> =>
      diwan(env, 'import', file, '--project', project.id, ...options),
    lists: () => listsOf(company.api, project.id),
    /** The number of tasks in the project. */
    count: async (): Promise<number> => {
      const { body } = await company.api.get(`/projects/${project.id}/lists?limit=100`)
      return body.data.reduce((sum: number, list: { tasks_count: number }) => sum + list.tasks_count, 0)
    },
  }
}

export type Destination = Awaited<ReturnType<typeof destination>>

export interface ImportedTask {
  id: string
  title: string
  notes: string | null
  due_at: string | null
  completed: boolean
  created_at: string
  assignee: { email: string } | null
  external_id: string | null
  metadata: Record<string, string>
}

/** Every list of a project with all its tasks, by title. */
async function listsOf(api: Client, project: string): Promise<Record<string, ImportedTask[]>> {
  const lists = await everyRecord(api, `/projects/${project}/lists`)
  const entries = await Promise.all(
    lists.map(async ({ id, title }) => [title, await everyRecord(api, `/lists/${id}/tasks`)] as const),
  )
  return Object.fromEntries(entries)
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
async function everyRecord(api: Client, path: string): Promise<any[]> {
  const found = []
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`${path}?limit=100${cursor}`)
    found.push(...body.data)
    if (body.meta.next_cursor === null) return found
    cursor = `&cursor=${body.meta.next_cursor}`
  }
}

/** Distinct rows, distributed over `lists` lists in turn. Every fiftieth is completed. */
export function manyRows(count: number, lists: number, { hasIds = false } = {}): string {
  const rows = Array.from(
    { length: count },
    (_, n) =>
      `Task ${n},List ${n % lists},"Notes of ${n}, مع نص",${isDone(n) ? 'yes' : 'no'}${hasIds ? `,صف ${n}` : ''}`,
  )
  return `Title,List,Notes,Done${hasIds ? ',External id' : ''}\n${rows.join('\n')}\n`
}

export const isDone = (n: number): boolean => n % 50 === 0
