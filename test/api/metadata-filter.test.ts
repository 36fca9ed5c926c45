import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let project: string

const TASKS: Record<string, object> = {
  Draft: { stage: 'draft', 'crm.id': '7' },
  Review: { stage: 'review', 'crm.id': '7' },
  Other: { stage: 'review', 'crm.id': '8' },
  Longer: { stage: 'review more' },
  None: {},
  Arabic: { مرحلة: 'مراجعة', stage: 'Review' },
  Strange: JSON.parse('{"__proto__": "x", "constructor": "y", "0": "z"}'),
}

beforeAll(async () => {
  company = await app.diwan.company()
  project = (await app.diwan.project(company)).id
  const list = await newList(company, project)
  for (const [title, metadata] of Object.entries(TASKS)) await newTask(company, list.id, { title, metadata })
  const elsewhere = await newList(company, (await app.diwan.project(company)).id)
  await newTask(company, elsewhere.id, { title: 'Elsewhere', metadata: { stage: 'draft' } })
  const other = await app.diwan.company()
  await newTask(other, (await newList(other, (await app.diwan.project(other)).id)).id, { metadata: { stage: 'draft' } })
})

const both = ['/company/tasks', '/projects/:project/tasks']
const at = (address: string, query: string) => `${address.replace(':project', project)}?${query}`

describe.each(both)('metadata[…] at %s', address => {
  const ask = (query: string) => company.api.get(at(address, query))
  const elsewhere = address === '/company/tasks' ? ['Elsewhere'] : []

  it('finds exactly the tasks that have it, with every other filter', async () => {
    for (const [query, expected] of [
      ['metadata[stage]=review', ['Review', 'Other']],
      ['metadata%5Bstage%5D=review', ['Review', 'Other']],
      ['metadata[stage]=review&metadata[crm.id]=8', ['Other']],
      ['metadata[crm.id]=7&metadata[stage]=none', []],
      [`metadata[${encodeURIComponent('مرحلة')}]=${encodeURIComponent('مراجعة')}`, ['Arabic']],
      ['metadata[__proto__]=x', ['Strange']],
      ['metadata[constructor]=y&metadata[0]=z', ['Strange']],
      ['metadata[toString]=y', []],
      ['metadata[stage]=review&completed=false&sort=-created', ['Other', 'Review']],
      ['metadata[stage]=review&unassigned=true', ['Review', 'Other']],
      ['metadata[stage]=review&assignee_email=nobody@example.com', []],
      ['metadata[stage]=review&updated_since=2020-01-01&sort=updated', ['Review', 'Other']],
    ] as const) {
      const { status, body, headers } = await ask(query)
      expect([query, status, body.error]).toEqual([query, 200, undefined])
      expect(body.data.map(({ title }: { title: string }) => title)).toEqual(expected)
      expect([body.meta.total, headers.get('x-ignored-parameters')]).toEqual([expected.length, null])
    }
  })

  it('counts as left out when it is empty', async () => {
    const { body } = await ask('metadata[stage]=')
    expect(body.meta.total).toBe(Object.keys(TASKS).length + elsewhere.length)
  })

  it('is kept from page to page, and in the link', async () => {
    const { body, headers } = await ask('metadata[stage]=review&metadata[crm.id]=7&limit=1')
    expect(body.meta.next_cursor).toBeNull()
    const first = await ask('metadata[stage]=review&limit=1')
    expect(headers.get('link')).toBeNull()
    const link = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const next = await company.api.get(link.slice(link.indexOf('/api/v1') + '/api/v1'.length))
    expect(next.body.data.map(({ title }: { title: string }) => title)).toEqual(['Other'])
    const cursor = `limit=1&cursor=${first.body.meta.next_cursor}`
    expectRefusal(await ask(`metadata[stage]=draft&${cursor}`), 422, 'unprocessable_entity')
    expectRefusal(await ask(cursor), 422, 'unprocessable_entity')
  })

  it('takes a cursor with its keys in another order', async () => {
    const one = await newTask(company, (await newList(company, project)).id, { metadata: { a: '1', b: '2' } })
    const two = await newTask(company, (await newList(company, project)).id, { metadata: { a: '1', b: '2' } })
    const first = await ask('metadata[a]=1&metadata[b]=2&limit=1')
    const next = await ask(`metadata[b]=2&metadata[a]=1&limit=1&cursor=${first.body.meta.next_cursor}`)
    expect([first, next].map(({ body }) => body.data[0].id)).toEqual([one.id, two.id])
    for (const { id } of [one, two]) await company.api.delete(`/tasks/${id}`)
  })

  it('is refused where it cannot be read', async () => {
    const KEY = 'with a key of 1 to 40 letters, digits, `_`, `.` or `-`'
    for (const [query, message] of [
      ['metadata[stage]=a&metadata[stage]=b', 'metadata[stage] must not be given more than once'],
      ['metadata[a b]=c', `metadata[a b] must be metadata[key], ${KEY}`],
      ['metadata=c', `metadata must be metadata[key], ${KEY}`],
      ['metadata[stage=c', `metadata[stage must be metadata[key], ${KEY}`],
      ['metadata[stage]x=c', `metadata[stage]x must be metadata[key], ${KEY}`],
      [`metadata[${'k'.repeat(41)}]=c`, `metadata[${'k'.repeat(41)}] must be metadata[key], ${KEY}`],
      [`metadata[stage]=${'v'.repeat(501)}`, 'metadata[stage] is too long: at most 500 characters'],
      ['metadata[stage]=%00', 'metadata[stage] must not contain control characters or half of a surrogate pair'],
      [Array.from({ length: 51 }, (_, n) => `metadata[k${n}]=v`).join('&'), 'metadata must have at most 50 keys'],
    ] as const)
      expectRefusal(await ask(query), 422, 'unprocessable_entity', message)
  })
})

describe('Elsewhere', () => {
  it('metadata[…] is an unknown parameter', async () => {
    const { status, headers } = await company.api.get('/projects?metadata[stage]=review')
    expect([status, headers.get('x-ignored-parameters')]).toEqual([200, 'metadata%5Bstage%5D'])
  })

  it('the words of metadata are not found by a search', async () => {
    const { body } = await company.api.get('/search?q=draft')
    expect(body.data.results.map(({ title }: { title: string }) => title)).toEqual(['Draft'])
  })
})
