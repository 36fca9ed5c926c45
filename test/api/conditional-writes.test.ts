import { beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { sendTo, tagOf } from '../support/contract.ts'
import { type Answer, type Client, created } from '../support/diwan.ts'
import { furnishWork, newList, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

// test/contract/writes.test.ts tries If-Match on every write. Here is what the header may look like, and what it plays no part in.

const app = useApp()
let work: Work
let api: Client
let path: string
beforeEach(async () => {
  work = await furnishWork(app.diwan)
  api = work.company.api
  path = `/tasks/${work.task.id}`
})

const send = (client: Client, method: string, to: string, body?: object, tag?: string): Promise<Answer> =>
  sendTo(client, { method }, to, { body, headers: tag === undefined ? {} : { 'if-match': tag } })

describe('If-Match', () => {
  it('may be a list, with W/ in front of tags, or *; what cannot be read matches nothing', async () => {
    for (const form of [
      (tag: string) => `W/${tag}`,
      (tag: string) => `"other", ${tag}`,
      (tag: string) => `, "a,b",W/${tag} ,`,
      () => '*',
    ]) {
      const header = form(tagOf(await api.get(path)) as string)
      expect([header, (await send(api, 'PATCH', path, { title: header }, header)).status]).toEqual([header, 200])
    }
    const tag = tagOf(await api.get(path)) as string
    for (const header of [
      '',
      ',',
      'x',
      tag.replaceAll('"', ''),
      `${tag}x`,
      tag.slice(0, -1),
      `${tag} "b"`,
      `${tag}, *`,
    ])
      expectRefusal(await send(api, 'PATCH', path, { title: 'x' }, header), 412, 'precondition_failed')
    expect(tagOf(await api.get(path))).toBe(tag)
  })

  it('says what to do when it does not match, leaves no entry in the feed, and spends a call', async () => {
    const { company } = work
    const entries = async () =>
      (await app.database.pool.query('select from changes where company_id = $1', [company.id])).rows.length
    const calls = async () => (await company.admin.get('/usage?days=1')).body.data[0].calls
    const [recorded, before] = [await entries(), await calls()]
    const message = expect.stringMatching(/^If-Match does not match .* Read the record again/)
    expectRefusal(await send(api, 'DELETE', path, undefined, '"another"'), 412, 'precondition_failed', message)
    expect([await entries(), (await calls()) - before]).toEqual([recorded, 1])
  })

  it('stands for all that the GET shows: the tag of a list changes with its counts', async () => {
    const tag = tagOf(await api.get(`/lists/${work.list.id}`)) as string
    await api.post(`${path}/complete`)
    const late = await send(api, 'PATCH', `/lists/${work.list.id}`, { notes: 'x' }, tag)
    expectRefusal(late, 412, 'precondition_failed')
  })

  it('takes the tag of the answer to the change before, also when that changed nothing', async () => {
    const { id: list_id } = await newList(work.company, work.project.id)
    let answer = await api.get(path)
    for (const [method, below, body] of [
      ['PATCH', '', { notes: 'x' }],
      ['PATCH', '', {}],
      ['POST', '/complete', undefined],
      ['POST', '/complete', undefined],
      ['POST', '/move', { list_id }],
      ['POST', '/move', { list_id }],
      ['DELETE', '', undefined],
    ] as const) {
      answer = await send(api, method, path + below, body, tagOf(answer) as string)
      expect([method, below, answer.status]).toEqual([method, below, 200])
    }
  })

  it('takes the tag of a read that was asked for a second calendar too', async () => {
    const event = { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
    const { data } = await created(api.post('/events', event))
    for (const to of [path, `/projects/${work.project.id}`, `/events/${data.id}`]) {
      const tag = tagOf(await api.get(`${to}?calendar=islamic-umalqura`)) as string
      expect(tag).not.toBe(tagOf(await api.get(to)))
      const change = to === path ? { title: 'Renamed' } : { name: 'Renamed' }
      expect([to, (await send(api, 'PATCH', to, change, tag)).status]).toEqual([to, 200])
      expectRefusal(await send(api, 'PATCH', to, change, tag), 412, 'precondition_failed')
    }
  })

  it('needs no right to read: the answer tells no more than that the version is another', async () => {
    const writer = app.diwan.api(await app.diwan.key(work.company.id, { operations: ['tasks:write'] }))
    const tag = tagOf(await api.get(path)) as string
    const attempt = (header: string) => send(writer, 'PATCH', path, { title: 'x' }, header)
    expect([(await attempt('"another"')).status, (await attempt(tag)).status]).toEqual([412, 200])
  })

  it('means nothing to reads, to what creates, and to the administration', async () => {
    expect((await api.get(path, { 'if-match': '"another"' })).status).toBe(200)
    const created = await send(api, 'POST', `/lists/${work.list.id}/tasks`, { title: 'New' }, '"another"')
    expect(created.status).toBe(201)
    const answer = await send(work.company.admin, 'PATCH', '', { name: 'Renamed' }, '"another"')
    expect([answer.status, tagOf(answer)]).toEqual([200, null])
  })

  it('plays no part in a repeat: that is answered as before, with the tag of then', async () => {
    const complete = (name: string, tag: string) =>
      api.post(`${path}/complete`, undefined, { 'idempotency-key': name, 'if-match': tag })
    const tag = tagOf(await api.get(path)) as string
    expect((await complete('a', '"another"')).status).toBe(412)
    const first = await complete('a', tag)
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    await api.patch(path, { title: 'Changed since' })
    for (const header of [tag, '"another"', 'nonsense']) {
      const again = await complete('a', header)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect([again.body, tagOf(again)]).toEqual([first.body, tagOf(first)])
    }
  })
})
