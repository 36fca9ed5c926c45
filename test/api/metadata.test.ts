import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Client, created } from '../support/diwan.ts'
import { furnishWork, type Work } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let work: Work
let api: Client
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  api = work.company.api
})

/** Where one of each kind is created, and where the new one is. */
const KINDS: [kind: string, place: () => string, at: (id: string) => string, fields: object][] = [
  ['project', () => '/projects', id => `/projects/${id}`, { name: 'Office' }],
  ['task list', () => `/projects/${work.project.id}/lists`, id => `/lists/${id}`, { title: 'Furniture' }],
  ['task', () => `/lists/${work.list.id}/tasks`, id => `/tasks/${id}`, { title: 'Buy desks' }],
  ['discussion', () => `/projects/${work.project.id}/discussions`, id => `/discussions/${id}`, { title: 'Moving day' }],
]

const many = (n: number, name = 'key') => Object.fromEntries(Array.from({ length: n }, (_, i) => [`${name}${i}`, 'v']))

/** Written out: in an object literal `__proto__` is not a key. */
const HARMLESS = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c", "hasOwnProperty": "d", "12": "e"}')

describe.each(KINDS)('The metadata of a %s', (_kind, place, at, fields) => {
  const made = async (metadata?: unknown) => {
    const { data } = await created(api.post(place(), metadata === undefined ? fields : { ...fields, metadata }))
    return { data, address: at(data.id) }
  }
  const change = async (address: string, metadata: unknown) => {
    const { status, body } = await api.patch(address, { metadata })
    expect([status, body.error]).toEqual([200, undefined])
    return body.data.metadata
  }

  it('is empty where nothing was sent, and what was sent otherwise, in every answer', async () => {
    expect((await made()).data.metadata).toEqual({})
    expect((await made(null)).data.metadata).toEqual({})
    const metadata = { stage: 'review', 'crm.id': '', 'مرحلة-٢': ' مراجعة\n', स्थिति_1: '𐍈', e\u0301: 'e\u0301' }
    const { data, address } = await made({ ...metadata, absent: null })
    expect(data.metadata).toEqual(metadata)
    expect((await api.get(address)).body.data.metadata).toEqual(metadata)
    const listed = (await api.get(place())).body.data.find(({ id }: { id: string }) => id === data.id)
    expect(listed.metadata).toEqual(metadata)
  })

  it('is merged key by key: null removes a key, null in its place all of them', async () => {
    const { address } = await made({ stage: 'draft', owner: 'crm' })
    expect(await change(address, { stage: 'review', batch: '7' })).toEqual({
      stage: 'review',
      owner: 'crm',
      batch: '7',
    })
    expect(await change(address, { owner: null, unknown: null })).toEqual({ stage: 'review', batch: '7' })
    expect(await change(address, {})).toEqual({ stage: 'review', batch: '7' })
    expect((await api.patch(address, {})).body.data.metadata).toEqual({ stage: 'review', batch: '7' })
    expect(await change(address, null)).toEqual({})
    expect((await api.get(address)).body.data.metadata).toEqual({})
  })

  it('takes keys that mean something to JavaScript as any other', async () => {
    const { data, address } = await made(HARMLESS)
    const entries = (metadata: object) => Object.entries(metadata).sort()
    expect(entries(data.metadata)).toEqual(entries(HARMLESS))
    expect(entries((await api.get(address)).body.data.metadata)).toEqual(entries(HARMLESS))
    const left = await change(address, JSON.parse('{"__proto__": null, "constructor": null, "valueOf": "f"}'))
    expect(entries(left)).toEqual([
      ['12', 'e'],
      ['hasOwnProperty', 'd'],
      ['toString', 'c'],
      ['valueOf', 'f'],
    ])
  })

  it('has at most 50 keys, after a change too', async () => {
    const { address } = await made(many(50))
    const long = await api.post(place(), { ...fields, metadata: many(51) })
    expectRefusal(long, 422, 'unprocessable_entity', 'metadata must have at most 50 keys')
    const refused = await api.patch(address, { metadata: { another: 'v' } })
    expectRefusal(refused, 422, 'unprocessable_entity', 'metadata must have at most 50 keys, and would have 51')
    expect((await api.get(address)).body.data.metadata).toEqual(many(50))
    expect(await change(address, { key0: null, another: 'v' })).toHaveProperty('another')
    const replaced = { ...Object.fromEntries(Object.keys(many(50)).map(key => [key, null])), ...many(49, 'other') }
    expect(await change(address, replaced)).toEqual({ ...many(49, 'other'), another: 'v' })
  })

  it.each<[string, unknown, string]>([
    ['text', 'review', 'metadata must be an object or null'],
    ['a list', ['review'], 'metadata must be an object or null'],
    ['a number', { stage: 7 }, 'metadata.stage must be a string or null'],
    ['a numeric key', { 7: true }, 'metadata.7 must be a string or null'],
    ['an object', { stage: { a: 'b' } }, 'metadata.stage must be a string or null'],
    ['a long value', { ok: 'v', stage: 'x'.repeat(501) }, 'metadata.stage is too long: at most 500 characters'],
    ['an empty key', { '': 'v' }, 'metadata."" must be a key of 1 to 40 letters, digits, `_`, `.` or `-`'],
    ['a blank in a key', { 'a b': 'v' }, 'metadata.a b must be a key of 1 to 40 letters, digits, `_`, `.` or `-`'],
    ['a slash in a key', { 'a/b': 'v' }, 'metadata.a/b must be a key of 1 to 40 letters, digits, `_`, `.` or `-`'],
    ['a bad key that is to be removed', { 'a[b]': null }, 'metadata.a[b] must be a key'],
    ['a long key', { ['k'.repeat(41)]: 'v' }, `metadata.${'k'.repeat(40)}… must be a key`],
    ['a control character', { stage: 'a\u0000' }, 'metadata.stage must not contain control characters'],
    ['half of a pair', { stage: 'a\ud800' }, 'metadata.stage must not contain control characters'],
  ])('is refused by its key, and nothing is written: %s', async (_what, metadata, message) => {
    const { address, data } = await made({ stage: 'draft' })
    const before = (await api.get(place())).body.meta.total
    for (const answer of [
      await api.post(place(), { ...fields, metadata }),
      await api.patch(address, { metadata, ...fields }),
    ]) {
      expectRefusal(answer, 422, 'unprocessable_entity')
      expect(answer.body.error.message.slice(0, message.length)).toBe(message)
    }
    expect((await api.get(place())).body.meta.total).toBe(before)
    expect((await api.get(address)).body.data).toEqual(data)
  })

  it('is refused where a key appears twice', async () => {
    const { address } = await made({ stage: 'draft' })
    const headers = { 'content-type': 'application/json' }
    const refused = await api.send('PATCH', address, {
      body: '{"metadata": {"a": "1", "b": "2", "\\u0061": "3"}}',
      headers,
    })
    expectRefusal(refused, 422, 'unprocessable_entity', 'metadata.a appears more than once')
    expect((await api.get(address)).body.data.metadata).toEqual({ stage: 'draft' })
  })

  it('takes 40 characters of any plane as a key, and 500 as a value', async () => {
    const metadata = { ['𐐀'.repeat(40)]: '𐐀'.repeat(500) }
    expect((await made(metadata)).data.metadata).toEqual(metadata)
  })

  it('moves no updated_at and leaves no entry in the feed where a change changes nothing', async () => {
    const { address, data } = await made({ a: '1', bb: '2' })
    const from = await cursorOfNow(app, api)
    const tag = (await api.get(address)).headers.get('etag')
    await sleep(2)
    for (const metadata of [{}, { bb: '2', a: '1' }, { c: null }]) await change(address, metadata)
    const after = await api.get(address)
    expect([after.body.data, after.headers.get('etag')]).toEqual([data, tag])
    expect(await entriesAfter(app, api, from)).toEqual([])
  })

  it('is named in the feed when it changes', async () => {
    const { address } = await made({ a: '1' })
    const from = await cursorOfNow(app, api)
    await change(address, { a: '2' })
    await change(address, { a: null })
    const data = await entriesAfter(app, api, from)
    expect(data.map((entry: Record<string, unknown>) => [entry.change, entry.fields])).toEqual([
      ['updated', ['metadata']],
      ['updated', ['metadata']],
    ])
  })

  it('loses nothing when different keys are merged at the same time', async () => {
    const { address } = await made()
    const keys = Array.from({ length: 12 }, (_, n) => `key${n}`)
    await Promise.all(keys.map(key => change(address, { [key]: 'v' })))
    expect((await api.get(address)).body.data.metadata).toEqual(many(12))
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
    expect(Object.entries(data[2].metadata).sort()).toEqual(Object.entries(HARMLESS).sort())
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
