import { beforeAll, describe, expect, it } from 'vitest'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, newComment, newTask, type Work } from '../support/factories.ts'

const app = useApp()
let work: Work
/** Two values of every repeatable parameter. With them an answer differs from one without them. */
let values: Record<string, [string, string]>
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  await newTask(work.company, work.list.id, { title: 'Assigned to nobody' })
  await newTask(work.company, work.list.id, { assignee_email: work.company.owner.email })
  const other = await app.diwan.project(work.company)
  const comment = async () => String((await newComment(work.company, `/tasks/${work.task.id}`)).id)
  values = {
    comment: [await comment(), await comment()],
    types: ['folder', 'file'],
    assignee_email: ['nobody@example.com', 'no.one@example.com'],
    project: [other.id, other.id],
    external_id: ['crm-1', 'crm-2'],
  }
})

interface Asked {
  method: string
  at: string[]
  query?: { properties: Record<string, object> }
}

const repeatable = (endpoints: Asked[], send: 'api' | 'owner') =>
  endpoints.flatMap(({ method, at, query }) =>
    Object.entries(query?.properties ?? {}).flatMap(([name, schema]) =>
      method === 'GET' && 'type' in schema && schema.type === 'array' ? [{ name, path: at[0] as string, send }] : [],
    ),
  )

describe('A parameter that may be repeated', () => {
  it.each([...repeatable(apiEndpoints, 'api'), ...repeatable(workEndpoints, 'owner')])(
    'may be written with brackets: $name of $path ($send)',
    async ({ name, path, send }) => {
      const { api, ownerToken } = work.company
      const caller = send === 'api' ? api : app.diwan.client('/admin/v1', ownerToken)
      const address = path.replace(':company', String(work.company.id)).replace(':project', work.project.id)
      const ask = async (query: string) => {
        const { status, body, headers } = await caller.get(`${address}?q=nobody&of=${work.task.id}&${query}`)
        expect(status).toBe(200)
        const ignored = headers.get('x-ignored-parameters')
        expect(ignored?.split(', ').filter(each => each !== 'q' && each !== 'of') ?? []).toEqual([])
        return body.data
      }
      const [one, two] = values[name] as [string, string]
      const narrowed = await ask(`${name}=${one}&${name}=${two}`)
      expect(narrowed).not.toEqual(await ask(''))
      expect(await ask(`${name}[]=${one}&${name}[]=${two}`)).toEqual(narrowed)
      expect(await ask(`${name}%5B%5D=${one}&${name}%5B%5D=${two}`)).toEqual(narrowed)
      expect(await ask(`${name}[0]=${one}&${name}[1]=${two}`)).toEqual(narrowed)
      expect(await ask(`${name}=${one}&${name}[]=${two}`)).toEqual(narrowed)
    },
  )

  it('keeps its values in the link to the next page', async () => {
    const { headers } = await work.company.api.get(`/company/tasks?project[]=${work.project.id}&limit=1`)
    const link = headers.get('link')?.match(/<[^>]*\/api\/v1([^>]*)>/)?.[1] as string
    expect(link).toContain(`project=${work.project.id}`)
    expect((await work.company.api.get(link)).body.meta.count).toBe(1)
  })

  it('is none of those whose names only look like it: they are named as ignored', async () => {
    const sent = ['assignee[]', '[]', 'project[a]', 'project[0]x', 'limit[]', '__proto__[]']
    const query = sent.map(name => `${encodeURIComponent(name)}=1`).join('&')
    const { headers, body } = await work.company.api.get(`/company/tasks?${query}`)
    expect(headers.get('x-ignored-parameters')?.split(', ').map(decodeURIComponent)).toEqual(sent)
    expect(body.meta.limit).toBe(50)
  })
})
