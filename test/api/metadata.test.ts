import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, newList, newTask, type Work } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let work: Work
let api: Client
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  api = work.company.api
})

const many = (n: number, name = 'key') => Object.fromEntries(Array.from({ length: n }, (_, i) => [`${name}${i}`, 'v']))

/** Written out: in an object literal `__proto__` is not a key. */
const HARMLESS = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c", "hasOwnProperty": "d", "12": "e"}')
const entriesOf = (metadata: object) => Object.entries(metadata).sort()

async function change(address: string, metadata: unknown) {
  const { status, body } = await api.patch(address, { metadata })
  expect([status, body.error]).toEqual([200, undefined])
  return body.data.metadata
}

describe('Metadata', () => {
  it('is merged key by key on every kind of record: null removes a key, null in its place all of them', async () => {
    const { project, list } = work
    for (const [place, flat, fields] of [
      ['/projects', '/projects', { name: 'Office' }],
      [`/projects/${project.id}/lists`, '/lists', { title: 'Furniture' }],
      [`/lists/${list.id}/tasks`, '/tasks', { title: 'Buy desks' }],
      [`/projects/${project.id}/discussions`, '/discussions', { title: 'Moving day' }],
    ] as const) {
      for (const metadata of [undefined, null])
        expect((await created(api.post(place, { ...fields, metadata }))).data.metadata).toEqual({})
      const sent = { stage: 'review', 'crm.id': '', 'مرحلة-٢': ' مراجعة\n', स्थिति_1: '𐍈', e\u0301: 'e\u0301' }
      const { data } = await created(api.post(place, { ...fields, metadata: { ...sent, absent: null } }))
      const address = `${flat}/${data.id}`
      const listed = (await api.get(place)).body.data.find(({ id }: { id: string }) => id === data.id)
      expect([data.metadata, (await api.get(address)).body.data.metadata, listed.metadata]).toEqual([sent, sent, sent])
      expect(await change(address, { stage: 'draft', batch: '7' })).toEqual({ ...sent, stage: 'draft', batch: '7' })
      await change(address, { 'مرحلة-٢': null, स्थिति_1: null, e\u0301: null, unknown: null })
      expect(await change(address, {})).toEqual({ stage: 'draft', 'crm.id': '', batch: '7' })
      const { updated_at } = (await api.get(address)).body.data
      const cursor = await cursorOfNow(app, api)
      expect(await change(address, { batch: '7', absent: null })).toEqual({ stage: 'draft', 'crm.id': '', batch: '7' })
      expect((await api.get(address)).body.data.updated_at).toBe(updated_at)
      expect(await entriesAfter(app, api, cursor)).toEqual([])
      expect(await change(address, null)).toEqual({})
      expect((await api.get(address)).body.data.metadata).toEqual({})
      const keys = Object.keys(many(6))
      await Promise.all(keys.map(key => change(address, { [key]: 'v' })))
      expect((await api.get(address)).body.data.metadata).toEqual(many(6))
    }
  })
})

describe('The metadata of a task', () => {
  const made = async (metadata: unknown) => {
    const data = await newTask(work.company, work.list.id, { metadata })
    return { data, address: `/tasks/${data.id}` }
  }

  it('takes keys that mean something to JavaScript, 40 characters of any plane, and values of 500', async () => {
    const { data, address } = await made(HARMLESS)
    expect(entriesOf(data.metadata)).toEqual(entriesOf(HARMLESS))
    expect(entriesOf((await api.get(address)).body.data.metadata)).toEqual(entriesOf(HARMLESS))
    const left = await change(address, JSON.parse('{"__proto__": null, "constructor": null, "valueOf": "f"}'))
    expect(left).toEqual({ 12: 'e', hasOwnProperty: 'd', toString: 'c', valueOf: 'f' })
    const longest = { ['𐐀'.repeat(40)]: '𐐀'.repeat(500) }
    expect((await made(longest)).data.metadata).toEqual(longest)
  })

  it('has at most 50 keys, after a change too', async () => {
    const { address } = await made(many(50))
    const long = await api.post(`/lists/${work.list.id}/tasks`, { title: 'x', metadata: many(51) })
    expectRefusal(long, 422, 'unprocessable_entity', 'metadata must have at most 50 keys')
    const refused = await api.patch(address, { metadata: { another: 'v' } })
    expectRefusal(refused, 422, 'unprocessable_entity', 'metadata must have at most 50 keys, and would have 51')
    expect((await api.get(address)).body.data.metadata).toEqual(many(50))
    expect(await change(address, { key0: null, another: 'v' })).toHaveProperty('another')
  })

  it('is refused by its key, and nothing is written', async () => {
    const { address, data } = await made({ stage: 'draft' })
    const KEY = 'must be a key of 1 to 40 letters, digits, `_`, `.` or `-`'
    for (const [metadata, message] of [
      ['review', 'metadata must be an object or null'],
      [{ stage: 7 }, 'metadata.stage must be a string or null'],
      [{ 7: true }, 'metadata.7 must be a string or null'],
      [{ ok: 'v', stage: 'x'.repeat(501) }, 'metadata.stage is too long: at most 500 characters'],
      [{ '': 'v' }, `metadata."" ${KEY}`],
      [{ 'a b': 'v' }, `metadata.a b ${KEY}`],
      [{ 'a[b]': null }, `metadata.a[b] ${KEY}`],
      [{ ['k'.repeat(41)]: 'v' }, `metadata.${'k'.repeat(40)}… ${KEY}`],
      [{ stage: 'a\ud800' }, 'metadata.stage must not contain control characters or half of a surrogate pair'],
    ] as const)
      for (const answer of [
        await api.post(`/lists/${work.list.id}/tasks`, { title: 'x', metadata }),
        await api.patch(address, { title: 'x', metadata }),
      ])
        expectRefusal(answer, 422, 'unprocessable_entity', message)
    const twice = { body: '{"metadata": {"a": "1", "\\u0061": "3"}}', headers: { 'content-type': 'application/json' } }
    const refused = await api.send('PATCH', address, twice)
    expectRefusal(refused, 422, 'unprocessable_entity', 'metadata.a appears more than once')
    expect((await api.get(address)).body.data).toEqual(data)
  })
})

it('The metadata of each task of a batch is stored, or its mistake named by place and key', async () => {
  const send = (tasks: unknown) => api.post(`/lists/${work.list.id}/tasks/batch`, { tasks })
  const quoted = { stage: 'a "quoted", {braced} \\ value', ن: 'null' }
  const { data } = await created(
    send([{ title: 'a', metadata: quoted }, { title: 'b' }, { title: 'c', metadata: HARMLESS }]),
  )
  expect([data[0].metadata, data[1].metadata]).toEqual([quoted, {}])
  expect(entriesOf(data[2].metadata)).toEqual(entriesOf(HARMLESS))
  for (const [metadata, message] of [
    [{ ok: 'v', stage: 7 }, 'tasks[1].metadata.stage must be a string or null'],
    [many(51), 'tasks[1].metadata must have at most 50 keys'],
    [{ k: '\u0001' }, 'tasks[1].metadata.k must not contain control characters or half of a surrogate pair'],
  ] as const)
    expectRefusal(await send([{ title: 'a' }, { title: 'b', metadata }]), 422, 'unprocessable_entity', message)
})

describe('A filter by metadata', () => {
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
    await newTask(other, (await newList(other, (await app.diwan.project(other)).id)).id, {
      metadata: { stage: 'draft' },
    })
  })

  const both = ['/company/tasks', '/projects/:project/tasks']
  const at = (address: string, query: string) => `${address.replace(':project', project)}?${query}`

  describe.each(both)('metadata[…] at %s', address => {
    const ask = (query: string) => company.api.get(at(address, query))

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
        ['metadata[stage]=&metadata[crm.id]=8', ['Other']],
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
})
