import { beforeAll, describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { furnishWork, type Work } from '../support/factories.ts'

const app = useApp()
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
})

const COLLECTIONS = apiEndpoints.filter(
  ({ method, query, at }) => method === 'GET' && query && !at[0]?.endsWith('changes'),
)
const said = ({ status, body, headers }: Answer) => [status, body, headers.get('x-ignored-parameters')]

describe('An empty query parameter counts as left out', () => {
  it.each(COLLECTIONS.map(({ at, query }) => [at[0] as string, Object.keys(query?.properties ?? {})] as const))(
    'at %s: %j',
    async (address, names) => {
      const { project, list, task, discussion } = work
      const ids: Record<string, string> = {
        project: project.id,
        list: list.id,
        task: task.id,
        discussion: discussion.id,
      }
      const path = address.replace(/:(\w+)/g, (_, name) => ids[name] ?? '1')
      const plain = await work.company.api.get(path)
      for (const query of [...names.map(name => `${name}=`), names.map(name => `${name}=`).join('&')])
        expect([query, said(await work.company.api.get(`${path}?${query}`))]).toEqual([query, said(plain)])
    },
  )

  it('in the feed, in repeated parameters, and for the administration', async () => {
    const { api, admin } = work.company
    const { status, body } = await api.get('/company/changes?after=&limit=')
    expect([status, body.data]).toEqual([200, []])
    expect((await api.get('/company/tasks?assignee_email=&assignee_email=nobody@example.com')).body.data).toEqual([])
    expect((await api.get('/company/tasks?limit=1&limit=')).body.meta.limit).toBe(1)
    const filters = 'outcome=&operation=&by_kind=&by_id=&key_id=&target_id=&from=&to=&cursor=&limit='
    expect((await admin.get(`/audit?${filters}`)).status).toBe(200)
    expect((await api.get('/company/tasks?project=%20')).status).toBe(422)
  })
})
