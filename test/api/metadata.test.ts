import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Client, created } from '../support/diwan.ts'
import { furnishWork, newTask, type Work } from '../support/factories.ts'
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
      expect((await api.patch(address, {})).body.data.metadata).toEqual({ stage: 'draft', 'crm.id': '', batch: '7' })
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

  it('moves no updated_at and leaves no entry in the feed where a change changes nothing', async () => {
    const { address, data } = await made({ a: '1', bb: '2' })
    const from = await cursorOfNow(app, api)
    const tag = (await api.get(address)).headers.get('etag')
    for (const metadata of [{}, { bb: '2', a: '1' }, { c: null }]) await change(address, metadata)
    const after = await api.get(address)
    expect([after.body.data, after.headers.get('etag')]).toEqual([data, tag])
    expect(await entriesAfter(app, api, from)).toEqual([])
    await change(address, { a: null })
    const told = await entriesAfter(app, api, from)
    expect(told.map(({ change, fields }: Record<string, unknown>) => [change, fields])).toEqual([
      ['updated', ['metadata']],
    ])
  })
})

describe('A batch of tasks', () => {
  const send = (tasks: unknown) => api.post(`/lists/${work.list.id}/tasks/batch`, { tasks })

  it('stores the metadata of each', async () => {
    const quoted = { stage: 'a "quoted", {braced} \\ value', ن: 'null' }
    const { data } = await created(
      send([{ title: 'a', metadata: quoted }, { title: 'b' }, { title: 'c', metadata: HARMLESS }]),
    )
    expect(data[0].metadata).toEqual(quoted)
    expect(data[1].metadata).toEqual({})
    expect(entriesOf(data[2].metadata)).toEqual(entriesOf(HARMLESS))
  })

  it('names the place and the key of a mistake', async () => {
    const metadata = { ok: 'v', stage: 7 }
    const refused = await send([{ title: 'a' }, { title: 'b', metadata }])
    expectRefusal(refused, 422, 'unprocessable_entity', 'tasks[1].metadata.stage must be a string or null')
    const long = await send([{ title: 'a', metadata: many(51) }])
    expectRefusal(long, 422, 'unprocessable_entity', 'tasks[0].metadata must have at most 50 keys')
    const strange = await send([{ title: 'a', metadata: { k: '\u0001' } }])
    const message = 'tasks[0].metadata.k must not contain control characters or half of a surrogate pair'
    expectRefusal(strange, 422, 'unprocessable_entity', message)
  })
})
