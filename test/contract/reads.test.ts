import { beforeAll, describe, expect, it } from 'vitest'
import { workEndpoints } from '../../src/admin/work.ts'
import type { EndpointFacts } from '../../src/http/endpoints/endpoint.ts'
import { repeatableIn } from '../../src/http/requests/query.ts'
import { useApp } from '../support/app.ts'
import {
  call,
  createEverything,
  expectDeclared,
  expectDescribed,
  furnishContract,
  ignoredIn,
  pathTo,
  READS,
  type Route,
  routesOf,
  tagOf,
  type World,
} from '../support/contract.ts'
import type { Answer } from '../support/diwan.ts'
import { newComment, newTask } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let world: World
beforeAll(async () => {
  world = await furnishContract(app.diwan)
  await createEverything(world)
  const omar = await app.diwan.person(world.company.id)
  await world.company.admin.post(`/projects/${world.names.project}/members`, { user_id: omar.id })
})

const get = (route: Route, query = '', headers: Record<string, string> = {}) =>
  call(world.api, route, world.names, { query, headers })
const left = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

const SHOWN = READS.filter(({ endpoint }) => endpoint.name !== 'download_file')
const PAGED = READS.filter(({ endpoint }) => endpoint.query?.properties.offset)

describe('Every read of the API', { timeout: 300_000 }, () => {
  it('answers as declared, and with an ETag under which the same read is 304, for GET and HEAD', async () => {
    await app.diwan.operator.patch(`/companies/${world.company.id}`, { daily_calls: 1_000 })
    for (const route of SHOWN) {
      const got = await get(route)
      expect([route.title, got.status]).toEqual([route.title, 200])
      expectDeclared(route.endpoint, got, route.title)
      expectDescribed(route, got)
      const tag = tagOf(got) as string
      if (route.endpoint.name === 'list_changes') continue
      expect(tag, route.title).toMatch(/^(W\/)?"[\w-]+"$/)
      const path = pathTo(route, world.names)
      const same = await get(route, '', { 'if-none-match': tag })
      const head = await world.api.send('HEAD', path)
      const sameHead = await world.api.send('HEAD', path, { headers: { 'if-none-match': `"other", W/${tag}` } })
      const answers = [same, head, sameHead]
      expect([route.title, ...answers.map(({ status, body }) => [status, body])]).toEqual([
        route.title,
        [304, ''],
        [200, ''],
        [304, ''],
      ])
      expect(answers.map(tagOf)).toEqual([tag, tag, tag])
      expect(answers.map(left)).toEqual([1, 2, 3].map(calls => left(got) - calls))
      expect(same.headers.get('content-type')).toBeNull()
      for (const name of ['content-type', 'content-length', 'link', 'vary'])
        expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)])
      expect(same.headers.get('link')).toBe(got.headers.get('link'))
      expectDescribed(route, same)
    }
  })

  it('takes an empty parameter for one that is left out', async () => {
    const said = ({ status, body, headers }: Answer) => [status, body, headers.get('x-ignored-parameters')]
    for (const route of READS.filter(({ endpoint }) => endpoint.query && endpoint.name !== 'list_changes')) {
      const names = Object.keys(route.endpoint.query?.properties ?? {})
      const plain = said(await get(route))
      for (const query of [...names.map(name => `${name}=`), names.map(name => `${name}=`).join('&')])
        expect([route.title, query, said(await get(route, `?${query}`))]).toEqual([route.title, query, plain])
    }
    // In the feed, among several, and for the administration too.
    const { api, admin } = world.company
    expect((await api.get('/company/changes?after=&limit=')).body.data).toEqual([])
    expect((await api.get('/company/tasks?assignee_email=&assignee_email=nobody@example.com')).body.data).toEqual([])
    expect((await api.get('/company/tasks?limit=1&limit=')).body.meta.limit).toBe(1)
    expect(
      (await admin.get('/audit?outcome=&operation=&by_kind=&by_id=&key_id=&from=&to=&cursor=&limit=')).status,
    ).toBe(200)
    expect((await api.get('/company/tasks?project=%20')).status).toBe(422)
  })
})

describe('Every page', { timeout: 300_000 }, () => {
  const recordsIn = ({ body }: Answer) => (body.data.files ?? body.data).map((each: object) => JSON.stringify(each))

  it('has at most as many records as were asked for, of 1 to 100, and never fails on a number', async () => {
    const limits = {
      '': 50,
      '2': 2,
      '٣': 3,
      '100': 100,
      '0': 1,
      '-5': 1,
      '101': 100,
      '9999999999': 100,
      x: 50,
      '1.5': 50,
    }
    for (const route of PAGED) {
      for (const [sent, limit] of Object.entries(limits)) {
        const answer = await get(route, `?limit=${sent}&offset=-1`)
        const { meta } = answer.body
        expect([route.title, sent, answer.status, meta.limit, meta.offset]).toEqual([route.title, sent, 200, limit, 0])
        expect(recordsIn(answer)).toHaveLength(Math.min(limit, meta.total))
        expect(meta.count ?? recordsIn(answer).length).toBe(recordsIn(answer).length)
      }
    }
  })

  it('begins where the offset, the cursor or the link says, and all pages have every record once', async () => {
    for (const route of PAGED) {
      const all = await get(route, '?limit=100')
      const { total, next_cursor } = all.body.meta
      expect([route.title, total, next_cursor, all.headers.get('link')]).toEqual([
        route.title,
        recordsIn(all).length,
        null,
        null,
      ])
      expect(total, route.title).toBeGreaterThan(1)
      const pages: Record<string, string[]> = { offset: [], cursor: [], link: [] }
      for (let offset = 0; offset < total; offset++)
        pages.offset?.push(...recordsIn(await get(route, `?limit=1&offset=${offset}`)))
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Answer = await get(route, `?limit=1${cursor && `&offset=1&cursor=${cursor}`}`)
        pages.cursor?.push(...recordsIn(page))
        cursor = page.body.meta.next_cursor
      }
      for (let path: string | undefined = `${pathTo(route, world.names)}?limit=1`; path; ) {
        const page: Answer = await world.api.get(path)
        pages.link?.push(...recordsIn(page))
        path = /^<.+\/api\/v1(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      }
      for (const [by, found] of Object.entries(pages))
        expect([route.title, by, found]).toEqual([route.title, by, recordsIn(all)])
      const past = await get(route, `?limit=1&offset=${total}`)
      expect([route.title, recordsIn(past), past.body.meta]).toMatchObject([
        route.title,
        [],
        { total, limit: 1, offset: total, next_cursor: null },
      ])
    }
  })

  it('passes over a cursor that cannot be read, or refuses it where that would give wrong data', async () => {
    for (const route of PAGED) {
      const plain = (await get(route)).body
      for (const cursor of ['x', 'W10', 'bnVsbA', 'e30', 'WyJ4Il0', 'a'.repeat(5_000)]) {
        const answer = await get(route, `?cursor=${cursor}`)
        if (route.endpoint.refusesQuery)
          expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(/^cursor /))
        else expect([route.title, cursor, answer.body]).toEqual([route.title, cursor, plain])
      }
    }
  })
})

describe('A parameter that may be repeated', { timeout: 300_000 }, () => {
  it('may be written with brackets, at every address that takes one', async () => {
    const { company, names, elsewhere } = world
    await newTask(company, names.list as string, { assignee_email: company.owner.email })
    const comments = await Promise.all(
      ['one', 'two'].map(async content => (await newComment(company, `/tasks/${names.task}`, { content })).id),
    )
    // With these an answer is another than without them.
    const values: Record<string, unknown[]> = {
      comment: comments,
      types: ['folder', 'file'],
      assignee_email: ['nobody@example.com', 'no.one@example.com'],
      project: [elsewhere.project, elsewhere.project],
      external_id: ['crm-1', 'crm-2'],
    }
    for (const route of [...READS, ...routesOf(workEndpoints as EndpointFacts[])]) {
      const isApi = READS.includes(route as Route)
      const caller = isApi ? company.api : app.diwan.client('/admin/v1', company.ownerToken)
      const ask = (query: string) =>
        caller.get(`${pathTo(route, { ...names, company: String(company.id) })}?q=Task&of=${names.task}&${query}`)
      for (const name of repeatableIn(route.endpoint.query)) {
        const [one, two] = values[name] as unknown[]
        const narrowed = await ask(`${name}=${one}&${name}=${two}`)
        expect([route.title, name, narrowed.status]).toEqual([route.title, name, 200])
        expect(narrowed.body.data, `${name} of ${route.title}`).not.toEqual((await ask('')).body.data)
        for (const [a, b] of [
          [`${name}[]`, `${name}[]`],
          [`${name}%5B%5D`, `${name}%5B%5D`],
          [`${name}[0]`, `${name}[1]`],
          [name, `${name}[]`],
        ]) {
          const answer = await ask(`${a}=${one}&${b}=${two}`)
          expect([a, answer.body]).toEqual([
            a,
            { ...narrowed.body, ...(narrowed.body.meta && { meta: answer.body.meta }) },
          ])
          expect(ignoredIn(answer, 'parameters')?.filter(each => each !== 'q' && each !== 'of') ?? []).toEqual([])
        }
      }
    }
  })

  it('is none of those whose names only look like it: they are named as ignored', async () => {
    const sent = ['assignee[]', '[]', 'project[a]', 'project[0]x', 'limit[]', '__proto__[]']
    const answer = await world.api.get(`/company/tasks?${sent.map(name => `${encodeURIComponent(name)}=1`).join('&')}`)
    expect(ignoredIn(answer, 'parameters')).toEqual(sent)
    expect(answer.body.meta.limit).toBe(50)
  })
})
