import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import { created } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { furnish } from '../support/furnished.ts'

let statements = 0
const app = useApp({
  onStatement: () => {
    statements += 1
  },
})

const reads = (prefix: string, endpoints: { method: string; at: string[] }[]) =>
  endpoints.filter(({ method }) => method === 'GET').flatMap(({ at }) => at.map(address => prefix + address))
const READS = [...reads('/api/v1', apiEndpoints), ...reads('/admin/v1', adminEndpoints)]

/** The table of the document: reads that are not one statement, with how many they are. */
const document = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
const documented = [...document.matchAll(/^\| `GET (\/\S+)` \| (\d+) \|/gm)].map(([, read = '', count]) => ({
  read,
  count: Number(count),
}))

let key: string
let names: Record<string, string>
/** The comment on each record that has one, by what the record is called in an address. */
let commentBelow: Record<string, string>
beforeAll(async () => {
  const { company, named } = await furnish(app.diwan)
  const project = named.project as string
  const list = await newList(company, project)
  const task = await newTask(company, list.id)
  const discussion = await newDiscussion(company, project)
  const folder = await created(company.api.post(`/projects/${project}/folders`, { name: 'Plans' }))
  const link = await created(
    company.api.post(`/projects/${project}/links`, { name: 'Plan', external_url: 'https://example.com/plan' }),
  )
  const event = await created(
    company.api.post('/events', { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }),
  )
  const commentOn = async (address: string) => String((await newComment(company, address)).id)
  commentBelow = {
    list: await commentOn(`/lists/${list.id}`),
    task: await commentOn(`/tasks/${task.id}`),
    discussion: await commentOn(`/discussions/${discussion.id}`),
  }
  key = company.key
  names = {
    ...named,
    list: list.id,
    task: task.id,
    discussion: discussion.id,
    folder: String(folder.data.id),
    file: link.data.ref,
    event: String(event.data.id),
  }
})

async function statementsOf(read: string): Promise<number> {
  const named = read.replace(/:(\w+)\/comments\/:comment/, (_, on) => `:${on}/comments/${commentBelow[on]}`)
  const path = named.replace(/:(\w+)/g, (_, name) => names[name] ?? `missing-${name}`)
  const [, prefix = '', below = ''] = /^(\/\w+\/v1)(.*)$/.exec(path) ?? []
  const client = prefix === '/api/v1' ? app.diwan.api(key) : app.diwan.operator
  statements = 0
  const { status } = await client.get(below)
  expect(status, path).toBe(read.endsWith('/download') ? 302 : 200)
  return statements
}

describe('A read is one statement', () => {
  it.each(READS)('for %s, or as many as the document says', async read => {
    const exception = documented.find(row => row.read === read)
    expect(await statementsOf(read)).toBe(exception?.count ?? 1)
  })

  it.each(documented)('or $count for $read, as documented', async ({ read, count }) => {
    expect(READS).toContain(read.split('?')[0])
    expect(count).not.toBe(1)
    expect(await statementsOf(read)).toBe(count)
  })

  it.each([
    '/api/v1/projects/:project/files?folder_id=:folder',
    '/api/v1/projects/:project/folders?parent_folder_id=:folder',
  ])('also inside a folder: %s', async read => {
    const exception = documented.find(row => row.read === read.split('?')[0])
    expect(await statementsOf(read)).toBe(exception?.count ?? 1)
  })
})
