import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import { useApp } from '../support/app.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { furnishWork, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

// test/contract/writes.test.ts repeats every POST and PUT. Here is what a name means, and for how long.

const app = useApp()
let work: Work
let api: Client
let tasks: string
beforeEach(async () => {
  work = await furnishWork(app.diwan, { daily_calls: 100_000 })
  api = work.company.api
  tasks = `/lists/${work.list.id}/tasks`
})

const named = (name: string) => ({ 'idempotency-key': name })
const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true'
const total = async (path: string) => (await api.get(path)).body.meta.total

describe('A POST repeated under the same Idempotency-Key', () => {
  it('spends a call each time, and answers as before whatever has happened to the record meanwhile', async () => {
    const send = () => api.post(tasks, { title: 'x' }, named('later'))
    const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))
    const first = await send()
    expect(remaining(await send())).toBe(remaining(first) - 1)
    const subscribe = (subscription: string) =>
      app.diwan.operator.patch(`/companies/${work.company.id}`, { subscription })
    for (const change of [
      () => api.patch(`/tasks/${first.body.data.id}`, { title: 'y' }),
      () => api.delete(`/tasks/${first.body.data.id}`),
      () => api.post(`/projects/${work.project.id}/archive`),
      () => subscribe('read_only'),
      () => subscribe('active'),
      () => api.post(`/projects/${work.project.id}/unarchive`),
      () => api.delete(`/lists/${work.list.id}`),
      () => api.delete(`/projects/${work.project.id}`),
    ]) {
      expect((await change()).status).toBe(200)
      const again = await send()
      expect([again.status, again.body, isReplay(again)]).toEqual([201, first.body, true])
    }
  })

  it('still passes the gate: a key that lost the operation gets 403; a name has 1 to 255 characters', async () => {
    const key = await app.diwan.key(work.company.id, { name: 'Narrowed' })
    const send = () => app.diwan.api(key).post(tasks, { title: 'x' }, named('gate'))
    expect((await send()).status).toBe(201)
    const keys: { id: number; name: string }[] = (await work.company.admin.get('/keys')).body.data
    const { id } = keys.find(({ name }) => name === 'Narrowed') as { id: number }
    await work.company.admin.patch(`/keys/${id}`, { operations: ['tasks:read'] })
    expectRefusal(await send(), 403, 'forbidden')
    expect((await api.post(tasks, { title: 'x' }, named('k'.repeat(255)))).status).toBe(201)
    for (const name of ['k'.repeat(256), '', 'é'])
      expectRefusal(await api.post(tasks, { title: 'x' }, named(name)), 422, 'unprocessable_entity')
  })

  it('is forgotten after 24 hours, and then done anew', async () => {
    const send = () => api.post(tasks, { title: 'x' }, named('old'))
    const age = (by: string) =>
      app.database.db.raw('update idempotent_answers set created_at = now() - $1::interval where name = $2', [
        by,
        'old',
      ])
    const first = await send()
    await age('23 hours 59 minutes')
    expect(isReplay(await send())).toBe(true)
    await age('24 hours 1 minute')
    const anew = await send()
    expect([anew.status, isReplay(anew), anew.body.data.id === first.body.data.id]).toEqual([201, false, false])
    expect((await send()).body).toEqual(anew.body)
  })
})

describe('An Idempotency-Key', () => {
  it('used for another body, path or query is 422, and nothing is done', async () => {
    const name = named('used')
    expect((await api.post(tasks, { title: 'x' }, name)).status).toBe(201)
    const nested = `/projects/${work.project.id}/lists/${work.list.id}/tasks`
    for (const [path, body] of [
      [tasks, { title: 'y' }],
      [nested, { title: 'x' }],
      [`${tasks}?x=1`, { title: 'x' }],
      [`/tasks/${work.task.id}/complete`, undefined],
    ] as const) {
      const message = expect.stringMatching(/^Idempotency-Key /)
      expectRefusal(await api.post(path, body, name), 422, 'unprocessable_entity', message)
    }
    expect([await total(tasks), (await api.get(`/tasks/${work.task.id}`)).body.data.completed]).toEqual([2, false])
    const files = `/projects/${work.project.id}/files`
    const content = 'a'.repeat(3_000_000)
    const upload = (content: string) => api.post(files, { name: 'Plan.txt', content }, named('large'))
    const first = await upload(content)
    for (const place of [0, 2_999_999])
      expectRefusal(await upload(`${content.slice(0, place)}b${content.slice(place + 1)}`), 422, 'unprocessable_entity')
    const again = await upload(content)
    expect([first.status, again.body, isReplay(again)]).toEqual([201, first.body, true])
  })

  it('belongs to its API key: another key, of the same company or not, does its own', async () => {
    const other = app.diwan.api(await app.diwan.key(work.company.id))
    const foreign = await app.diwan.company()
    const answers: Answer[] = []
    for (const client of [api, other, foreign.api])
      answers.push(await client.post('/projects', { name: 'x' }, named('mine')))
    expect(answers.map(answer => [answer.status, isReplay(answer)])).toEqual(Array(3).fill([201, false]))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(3)
  })

  it('keeps no error, and plays no part in other methods', async () => {
    const name = named('again')
    expect((await api.post(tasks, { title: '' }, name)).status).toBe(422)
    expect((await api.post('/lists/lst-0000000000/tasks', { title: 'x' }, name)).status).toBe(404)
    await api.post(`/projects/${work.project.id}/archive`)
    expect((await api.post(tasks, { title: 'x' }, name)).status).toBe(403)
    await api.post(`/projects/${work.project.id}/unarchive`)
    for (const title of ['a', 'b']) {
      const headers = { ...name, 'content-type': 'application/json' }
      const body = JSON.stringify({ title })
      expect((await api.send('PATCH', `/tasks/${work.task.id}`, { body, headers })).body.data.title).toBe(title)
    }
    const done = await api.post(tasks, { title: 'x' }, name)
    expect([done.status, isReplay(done)]).toEqual([201, false])
  })
})

describe('Repeats at the same moment', () => {
  it('make one record: one answers 201, each other the same again or 409', async () => {
    for (let round = 0; round < 10; round++) {
      const send = () => api.post(tasks, { title: `Round ${round}` }, named(`round ${round}`))
      const answers = await Promise.all(Array.from({ length: 8 }, send))
      const done = answers.filter(answer => answer.status === 201)
      expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
      expect(done.filter(answer => !isReplay(answer))).toHaveLength(1)
      expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1)
      for (const { body } of answers.filter(({ status }) => status === 409)) expect(body.error.code).toBe('conflict')
    }
    expect(await total(tasks)).toBe(11)
  })
})

it('A statement that comes when its transaction is over is refused: on its own it would be committed', async () => {
  const { id } = await app.diwan.company({ name: 'As it was' })
  const rename = (name: string) => sql`update companies set name = ${name} where id = ${id}`
  for (const [last, name] of [
    [sql`select 1 / 0`, 'As it was'],
    [rename('In time'), 'In time'],
  ] as const) {
    let ended = {} as Db
    const whole = app.database.db.transaction(async tx => {
      ended = tx
      await tx.run(last)
    })
    await whole.catch(error => expect(error.message).toBe('division by zero'))
    await expect(ended.run(rename('Too late'))).rejects.toThrow('after the end of its transaction')
    expect(await app.database.db.one(sql`select name from companies where id = ${id}`)).toEqual({ name })
  }
})
