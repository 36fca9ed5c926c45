import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { tagOf } from '../support/contract.ts'
import { furnishWork, newTask, type Work } from '../support/factories.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'

// test/contract/reads.test.ts proves of every read that it has a tag, under which it is 304, for GET and HEAD.

const app = useApp()
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
})

const get = (path: string, tag?: string | null) => work.company.api.get(path, tag ? { 'if-none-match': tag } : {})

describe('ETag', () => {
  it('is compared weakly, in a list, and * matches whatever is there', async () => {
    const path = `/tasks/${work.task.id}`
    const tag = tagOf(await get(path))?.replace(/^W\//, '') as string
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*'])
      expect([header, (await get(path, header)).status]).toEqual([header, 304])
    for (const header of ['"other"', tag.replaceAll('"', ''), `${tag}x`, '', 'W/"other"', '"*"'])
      expect([header, (await work.company.api.get(path, { 'if-none-match': header })).status]).toEqual([header, 200])
  })

  it('changes with what is read: the record, its counts, its page', async () => {
    const { task, list } = work
    const paths = [`/lists/${list.id}`, `/lists/${list.id}/tasks`, `/projects/${work.project.id}`]
    const before = await Promise.all(paths.map(async path => tagOf(await get(path))))
    await newTask(work.company, list.id)
    for (const [n, path] of paths.entries()) expect([path, (await get(path, before[n])).status]).toEqual([path, 200])
    const [ofTask, ofList] = [tagOf(await get(`/tasks/${task.id}`)), tagOf(await get(`/lists/${list.id}`))]
    await work.company.api.post(`/tasks/${task.id}/complete`)
    await work.company.api.post(`/tasks/${task.id}/incomplete`)
    // The list is the same as before; the task has a newer `updated_at`.
    expect([(await get(`/tasks/${task.id}`, ofTask)).status, (await get(`/lists/${list.id}`, ofList)).status]).toEqual([
      200, 304,
    ])
  })

  it('makes a 304 that says no Content-Length, for GET and HEAD, on pages and descriptions too', async () => {
    const headers = { authorization: `Bearer ${work.company.key}`, host: 'localhost' }
    for (const path of [`/api/v1/tasks/${work.task.id}`, '/openapi.json', '/docs', '/console'])
      for (const method of ['GET', 'HEAD']) {
        const first = await sendRaw(app.url, requestText(method, path, headers))
        const tagged = { ...headers, 'if-none-match': tagOf(first) as string }
        if (!first.headers.has('etag')) continue
        const again = await sendRaw(app.url, requestText(method, path, tagged))
        expect([path, again.status, again.headers.get('content-length'), again.body]).toEqual([path, 304, null, ''])
        if (method === 'HEAD') expect(Number(first.headers.get('content-length'))).toBeGreaterThan(0)
      }
  })

  it('hides nothing: what is missing is 404 under any If-None-Match, and in writes that plays no part', async () => {
    const missing = await get('/tasks/tsk-0000000000', '*')
    expect([missing.status, tagOf(missing)]).toEqual([404, null])
    const headers = { 'if-none-match': '*' }
    expect((await work.company.api.post(`/lists/${work.list.id}/tasks`, { title: 'x' }, headers)).status).toBe(201)
  })
})
