import { randomUUID } from 'node:crypto'
import type { Answer, Client, Diwan } from './diwan.ts'

/** Path segments that cannot be the id of anything. */
export const NOT_IDS = ['0', '-1', '1e3', '1.0', '99999999999999999999', 'abc', '%00', '%20']

/** A company with one of everything that an address of the administration API can name. */
export async function furnish(diwan: Diwan) {
  const company = await diwan.company()
  const person = await diwan.person(company.id)
  const project = await diwan.project(company, { is_public: false })
  const trashed = await diwan.project(company, { name: 'Trashed' })
  await company.api.delete(`/projects/${trashed.id}`)
  const discussion = await company.api.post(`/projects/${project.id}/discussions`, { title: 'Topic' })
  const file = await company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'x' })
  await company.admin.post(`/projects/${project.id}/members`, { user_id: person.id })
  const webhook = await company.admin.post('/webhooks', { name: 'x', url: 'https://1.1.1.1/', kinds: ['*'] })
  const session = await diwan.client('/admin/v1').post('/sessions', { token: person.token })
  const first = async (path: string) => (await company.admin.get(path)).body.data[0].id as number
  const named: Record<string, string> = {
    company: String(company.id),
    user: String(person.id),
    token: String(await first(`/users/${person.id}/tokens`)),
    key: String(await first('/keys')),
    project: project.id,
    ref: trashed.id,
    discussion: discussion.body.data.id,
    file: file.body.data.ref,
    job: randomUUID(),
    webhook: String(webhook.body.data.id),
    session: String(session.body.data.session.id),
  }
  return { company, person, named }
}

export type Furnished = Awaited<ReturnType<typeof furnish>>

/** Calls `METHOD /an/:address` with the names filled in. */
export function call(client: Client, endpoint: string, named: Record<string, string>, body?: unknown): Promise<Answer> {
  const [method = '', address = ''] = endpoint.split(' ')
  const path = address.replace(/:(\w+)/g, (_, name) => named[name] ?? `missing-${name}`)
  if (body === undefined || method === 'GET') return client.send(method, path)
  return client.send(method, path, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
}

/** Every page of a collection, two records at a time. */
export async function inPagesOfTwo(client: Client, path: string) {
  const pages: Answer['body'][] = []
  for (let offset = 0; offset === 0 || pages.at(-1).meta.count > 0; offset += 2) {
    pages.push((await client.get(`${path}?limit=2&offset=${offset}`)).body)
  }
  return pages
}
