import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { furnishWork, newComment, newTask, type Work } from '../support/factories.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'

const app = useApp()
let work: Work
let reads: string[]
beforeAll(async () => {
  work = await furnishWork(app.diwan, { daily_calls: 100_000 })
  const { company, project, list, task, discussion } = work
  const reply = await newComment(company, `/discussions/${discussion.id}`)
  reads = [
    '/me',
    '/projects',
    `/projects/${project.id}`,
    `/projects/${project.id}/members`,
    `/projects/${project.id}/lists`,
    `/lists/${list.id}`,
    `/lists/${list.id}/tasks`,
    `/lists/${list.id}/comments`,
    `/tasks/${task.id}`,
    `/tasks/${task.id}/comments`,
    `/projects/${project.id}/discussions`,
    `/discussions/${discussion.id}`,
    `/discussions/${discussion.id}/comments`,
    `/discussions/${discussion.id}/comments/${reply.id}`,
  ]
})

const get = (path: string, tag?: string) =>
  work.company.api.get(path, tag === undefined ? {} : { 'if-none-match': tag })
const tagOf = ({ headers }: Answer) => headers.get('etag') as string
const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

describe('ETag', () => {
  it('stands on every GET, and the same read again under it is 304: no body, a call spent, the rate headers there', async () => {
    for (const path of reads) {
      const first = await get(path)
      expect([path, first.status, tagOf(first)]).toEqual([path, 200, expect.stringMatching(/^(W\/)?"[^"]+"$/)])
      const second = await get(path, tagOf(first))
      expect([path, second.status, second.body, tagOf(second)]).toEqual([path, 304, '', tagOf(first)])
      expect(remaining(second)).toBe(remaining(first) - 1)
      expect(second.headers.get('x-ratelimit-limit')).toBe('100000')
      expect(second.headers.get('x-ratelimit-reset')).toMatch(/^\d+$/)
      expect(second.headers.get('x-request-id')).toBeTruthy()
      expect(second.headers.get('content-type')).toBeNull()
    }
  })

  it('is compared weakly, in a list, and * matches whatever is there', async () => {
    const path = `/tasks/${work.task.id}`
    const tag = tagOf(await get(path)).replace(/^W\//, '')
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*'])
      expect([header, (await get(path, header)).status]).toEqual([header, 304])
    for (const header of ['"other"', tag.replaceAll('"', ''), `${tag}x`, '', 'W/"other"', '"*"'])
      expect([header, (await get(path, header)).status]).toEqual([header, 200])
  })

  it('changes with what is read: the record, its counts, its page', async () => {
    const { task, list } = work
    const paths = [`/lists/${list.id}`, `/lists/${list.id}/tasks`, `/projects/${work.project.id}`]
    const before = await Promise.all(paths.map(async path => tagOf(await get(path))))
    await newTask(work.company, list.id)
    for (const [n, path] of paths.entries()) {
      const after = await get(path, before[n])
      expect([path, after.status]).toEqual([path, 200])
      expect(tagOf(after)).not.toBe(before[n])
    }
    const [ofTask, ofList] = [tagOf(await get(`/tasks/${task.id}`)), tagOf(await get(`/lists/${list.id}`))]
    const statuses = async () => [
      (await get(`/tasks/${task.id}`, ofTask)).status,
      (await get(`/lists/${list.id}`, ofList)).status,
    ]
    await work.company.api.post(`/tasks/${task.id}/complete`)
    expect(await statuses()).toEqual([200, 200])
    // The list is the same as before; the task has a newer `updated_at`.
    await work.company.api.post(`/tasks/${task.id}/incomplete`)
    expect(await statuses()).toEqual([200, 304])
  })

  it('on HEAD is the one of GET, and HEAD is 304 too', async () => {
    for (const path of reads) {
      const tag = tagOf(await get(path))
      const head = await work.company.api.send('HEAD', path)
      expect([path, head.status, tagOf(head), head.body]).toEqual([path, 200, tag, ''])
      const again = await work.company.api.send('HEAD', path, { headers: { 'if-none-match': tag } })
      expect([path, again.status, again.body]).toEqual([path, 304, ''])
      expect(remaining(again)).toBe(remaining(head) - 1)
    }
  })

  it.each(['GET', 'HEAD'])(
    'makes %s a 304 that says no Content-Length, on pages and descriptions too',
    async method => {
      const { company } = work
      const sent = (tag?: string) => ({
        authorization: `Bearer ${company.key}`,
        host: 'localhost',
        ...(tag && { 'if-none-match': tag }),
      })
      for (const path of [...reads.map(path => `/api/v1${path}`), '/openapi.json', '/docs', '/console']) {
        const first = await sendRaw(app.url, requestText(method, path, sent()))
        if (!first.headers.has('etag')) continue
        const again = await sendRaw(app.url, requestText(method, path, sent(tagOf(first))))
        expect([path, again.status, again.headers.get('content-length'), again.body]).toEqual([path, 304, null, ''])
        const full = method === 'HEAD' ? first.headers.get('content-length') : '1'
        expect([path, Number(full)]).toEqual([path, expect.any(Number)])
        expect(Number(full)).toBeGreaterThan(0)
      }
    },
  )

  it('hides nothing: what is missing or not allowed is 404 or 403 under any If-None-Match', async () => {
    const missing = await get('/tasks/tsk-0000000000', '*')
    expect([missing.status, tagOf(missing)]).toEqual([404, null])
    const narrow = app.diwan.api(await app.diwan.key(work.company.id, { operations: ['account:read'] }))
    const tag = tagOf(await get(`/tasks/${work.task.id}`))
    for (const header of ['*', tag])
      expect((await narrow.get(`/tasks/${work.task.id}`, { 'if-none-match': header })).status).toBe(403)
    expect((await app.diwan.api().get('/me', { 'if-none-match': '*' })).status).toBe(401)
  })

  it('in If-None-Match plays no part in writes', async () => {
    const body = JSON.stringify({ title: 'x' })
    const headers = { 'if-none-match': '*', 'content-type': 'application/json' }
    const created = await work.company.api.send('POST', `/lists/${work.list.id}/tasks`, { body, headers })
    expect([created.status, tagOf(created)]).toEqual([201, tagOf(await get(`/tasks/${created.body.data.id}`))])
  })
})
