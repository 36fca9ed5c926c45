import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, Client } from '../support/diwan.ts'
import { furnishWork, ON_DISCUSSION, ON_LIST, ON_PROJECT, onTask, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

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
  it('answers the same and does nothing again, on every POST there is', async () => {
    const { project, list, task, discussion } = work
    const posts = [
      ['/projects', { name: 'New' }],
      [`/projects/${project.id}/archive`],
      [`/projects/${project.id}/unarchive`],
      ...ON_PROJECT.map(({ method, below, body }) => [`/projects/${project.id}${below}`, body, method]),
      ...ON_LIST.map(({ method, below, body }) => [`/lists/${list.id}${below}`, body, method]),
      ...onTask(list.id).map(({ method, below, body }) => [`/tasks/${task.id}${below}`, body, method]),
      ...ON_DISCUSSION.map(({ method, below, body }) => [`/discussions/${discussion.id}${below}`, body, method]),
    ].filter(([, , method = 'POST']) => method === 'POST') as [string, object?][]
    for (const [path, body] of posts) {
      const name = named(randomUUID())
      const [first, second, third] = [
        await api.post(path, body, name),
        await api.post(path, body, name),
        await api.post(path, body, name),
      ]
      expect([path, first.status < 300, isReplay(first)]).toEqual([path, true, false])
      for (const again of [second, third])
        expect([path, again.status, again.body, isReplay(again)]).toEqual([path, first.status, first.body, true])
    }
    expect(await total(tasks)).toBe(3)
    expect(await total(`/projects/${project.id}/lists`)).toBe(2)
    expect(await total(`/tasks/${task.id}/comments`)).toBe(1)
    expect(await total(`/discussions/${discussion.id}/comments`)).toBe(1)
  })

  it('spends a call each time, and repeats X-Ignored-Fields', async () => {
    const send = () => api.post(tasks, { title: 'x', titel: 'y' }, named('spend'))
    const [first, second] = [await send(), await send()]
    const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))
    expect(remaining(second)).toBe(remaining(first) - 1)
    expect([first, second].map(({ headers }) => headers.get('x-ignored-fields'))).toEqual(['titel', 'titel'])
  })

  it('answers as before whatever has happened to the record: changed, deleted, its project archived or gone', async () => {
    const send = () => api.post(tasks, { title: 'x' }, named('later'))
    const first = await send()
    for (const change of [
      () => api.patch(`/tasks/${first.body.data.id}`, { title: 'y' }),
      () => api.delete(`/tasks/${first.body.data.id}`),
      () => api.post(`/projects/${work.project.id}/archive`),
      () => app.diwan.operator.patch(`/companies/${work.company.id}`, { subscription: 'read_only' }),
      () => app.diwan.operator.patch(`/companies/${work.company.id}`, { subscription: 'active' }),
      () => api.post(`/projects/${work.project.id}/unarchive`),
      () => api.delete(`/lists/${work.list.id}`),
      () => api.delete(`/projects/${work.project.id}`),
    ]) {
      expect((await change()).status).toBe(200)
      const again = await send()
      expect([again.status, again.body, isReplay(again)]).toEqual([201, first.body, true])
    }
  })

  it('still passes the gate: a key that lost the operation gets 403, not the old answer', async () => {
    const key = await app.diwan.key(work.company.id, { name: 'Narrowed' })
    const send = () => app.diwan.api(key).post(tasks, { title: 'x' }, named('gate'))
    expect((await send()).status).toBe(201)
    const { id } = (await work.company.admin.get('/keys')).body.data.find(
      (each: { name: string }) => each.name === 'Narrowed',
    )
    await work.company.admin.patch(`/keys/${id}`, { operations: ['tasks:read'] })
    expectRefusal(await send(), 403, 'forbidden')
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
    expect([anew.status, isReplay(anew)]).toEqual([201, false])
    expect(anew.body.data.id).not.toBe(first.body.data.id)
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
      [tasks, {}],
      [nested, { title: 'x' }],
      [`${tasks}?x=1`, { title: 'x' }],
      [`/tasks/${work.task.id}/complete`, undefined],
    ] as const) {
      const message = expect.stringMatching(/^Idempotency-Key /)
      expectRefusal(await api.post(path, body, name), 422, 'unprocessable_entity', message)
    }
    expect([await total(tasks), (await api.get(`/tasks/${work.task.id}`)).body.data.completed]).toEqual([2, false])
    expect(isReplay(await api.post(tasks, { title: 'x' }, name))).toBe(true)
  })

  it('used for another large body is 422, wherever the two differ', async () => {
    const files = `/projects/${work.project.id}/files`
    const content = 'a'.repeat(3_000_000)
    const upload = (content: string) => api.post(files, { name: 'Plan.txt', content }, named('large'))
    const first = await upload(content)
    expect(first.status).toBe(201)
    for (const place of [0, 1_500_000, 2_999_999])
      expectRefusal(await upload(`${content.slice(0, place)}b${content.slice(place + 1)}`), 422, 'unprocessable_entity')
    const again = await upload(content)
    expect([again.body, isReplay(again)]).toEqual([first.body, true])
  })

  it('may have 255 characters and not one more, and not be empty', async () => {
    expect((await api.post(tasks, { title: 'x' }, named('k'.repeat(255)))).status).toBe(201)
    for (const name of ['k'.repeat(256), ''])
      expectRefusal(
        await api.post(tasks, { title: 'x' }, named(name)),
        422,
        'unprocessable_entity',
        expect.stringMatching(/^Idempotency-Key/),
      )
    expect(await total(tasks)).toBe(2)
  })

  it('belongs to its API key: another key, of the same company or not, does its own', async () => {
    const other = app.diwan.api(await app.diwan.key(work.company.id))
    const answers = [
      await api.post('/projects', { name: 'x' }, named('mine')),
      await other.post('/projects', { name: 'x' }, named('mine')),
    ]
    const foreign = await app.diwan.company()
    answers.push(await foreign.api.post('/projects', { name: 'x' }, named('mine')))
    expect(answers.map(answer => [answer.status, isReplay(answer)])).toEqual([
      [201, false],
      [201, false],
      [201, false],
    ])
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(3)
  })

  it('keeps no error: what was refused may be tried again under it, with another body too', async () => {
    const name = named('again')
    expect((await api.post(tasks, { title: '' }, name)).status).toBe(422)
    expect((await api.post('/lists/lst-0000000000/tasks', { title: 'x' }, name)).status).toBe(404)
    await api.post(`/projects/${work.project.id}/archive`)
    expect((await api.post(tasks, { title: 'x' }, name)).status).toBe(403)
    await api.post(`/projects/${work.project.id}/unarchive`)
    const done = await api.post(tasks, { title: 'x' }, name)
    expect([done.status, isReplay(done)]).toEqual([201, false])
  })

  it('plays no part in other methods', async () => {
    const headers = named('patch')
    const patch = (title: string) =>
      api.send('PATCH', `/tasks/${work.task.id}`, {
        body: JSON.stringify({ title }),
        headers: { ...headers, 'content-type': 'application/json' },
      })
    expect((await patch('a')).body.data.title).toBe('a')
    expect((await patch('b')).body.data.title).toBe('b')
    expect((await api.get(`/tasks/${work.task.id}`, headers)).body.data.title).toBe('b')
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

  it('by a client that sends every POST three times at once, and again on 409, create each thing once', async () => {
    async function insist(path: string, body: object, name: string): Promise<Answer> {
      const answer = await api.post(path, body, named(name))
      return answer.status === 409 ? insist(path, body, name) : answer
    }
    const thrice = async (path: string, body: object) => {
      const name = randomUUID()
      const answers = await Promise.all([1, 2, 3].map(() => insist(path, body, name)))
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(new Set(answers.map(answer => JSON.stringify(answer.body))).size).toBe(1)
      return answers[0]?.body.data
    }
    const project = await thrice('/projects', { name: 'Thrice' })
    await Promise.all(
      ['a', 'b', 'c'].map(async title => {
        const list = await thrice(`/projects/${project.id}/lists`, { title })
        await Promise.all(['d', 'e'].map(each => thrice(`/lists/${list.id}/tasks`, { title: each })))
        await thrice(`/projects/${project.id}/discussions`, { title })
      }),
    )
    const { data } = (await api.get(`/projects/${project.id}`)).body
    expect([data.task_lists_count, data.tasks_count]).toEqual([3, 6])
    expect(await total(`/projects/${project.id}/discussions`)).toBe(3)
    const entries = await app.database.db.one(sql`select count(*) from timeline_entries t
      join projects p on p.company_id = t.company_id and p.id = t.project_id where p.ref = ${project.id}`)
    expect(entries).toEqual({ count: 3 })
  })
})
