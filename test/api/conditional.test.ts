import { beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { sendTo, tagOf } from '../support/contract.ts'
import { type Answer, type Client, created } from '../support/diwan.ts'
import { furnishWork, newList, newTask, type Work } from '../support/factories.ts'
import { roundsOfRace } from '../support/races.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'
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
    for (const header of ['', 'x', tag.replaceAll('"', ''), `${tag}x`, `${tag}, *`])
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

// test/contract/reads.test.ts proves of every read that it has a tag, under which it is 304, for GET and HEAD.

const get = (path: string, tag?: string | null) => work.company.api.get(path, tag ? { 'if-none-match': tag } : {})

describe('ETag', () => {
  it('is compared weakly, in a list, and * matches whatever is there', async () => {
    const path = `/tasks/${work.task.id}`
    const tag = tagOf(await get(path))?.replace(/^W\//, '') as string
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*'])
      expect([header, (await get(path, header)).status]).toEqual([header, 304])
    for (const header of ['"other"', tag.replaceAll('"', ''), `${tag}x`, '', 'W/"other"', '"*"'])
      expect([header, (await work.company.api.get(path, { 'if-none-match': header })).status]).toEqual([header, 200])
    const missing = await get('/tasks/tsk-0000000000', '*')
    expect([missing.status, tagOf(missing)]).toEqual([404, null])
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
})

const ROUNDS = roundsOfRace(60)

interface Change {
  method: string
  below?: string
  body?: object
}

/** Two clients have read the same version and write at the same moment; in half of the rounds the second one sends first. */
async function race(first: Change, second: Change, round: number) {
  const { company, list } = work
  const clients = [company.api, app.diwan.api(await app.diwan.key(company.id))] as const
  // A new key is looked up at its first call, which would always come second.
  for (const client of clients) await client.get('/me')
  const { id } = await newTask(company, list.id, { title: `Round ${round}` })
  const tag = tagOf(await company.api.get(`/tasks/${id}`)) as string
  const write = (client: Client, { method, below = '', body }: Change) =>
    send(client, method, `/tasks/${id}${below}`, body, tag)
  const begin = [() => write(clients[0], first), () => write(clients[1], second)]
  const answers: Answer[] = []
  const order = round % 2 === 0 ? [0, 1] : [1, 0]
  await Promise.all(
    order.map(async n => {
      answers[n] = await (begin[n] as () => Promise<Answer>)()
    }),
  )
  return { statuses: answers.map(({ status }) => status), now: await company.api.get(`/tasks/${id}`) }
}

const rename = (title: string): Change => ({ method: 'PATCH', body: { title } })

describe(`Of two who have read the same version, in each of ${ROUNDS} rounds,`, () => {
  it('one changes the task and the other is told', async () => {
    const winners = new Set<string>()
    // Each of them wins sooner or later, though perhaps not within a few rounds.
    for (let round = 0; round < ROUNDS || winners.size < 2; round++) {
      const { statuses, now } = await race(rename('First'), rename('Second'), round)
      expect([round, [...statuses].sort()]).toEqual([round, [200, 412]])
      const winner = statuses[0] === 200 ? 'First' : 'Second'
      expect([round, now.body.data.title]).toEqual([round, winner])
      winners.add(winner)
    }
  })

  it('one moves the task and the other is told, or the other deletes it and there is nothing to move', async () => {
    const there = (await newList(work.company, work.project.id)).id
    for (let round = 0; round < ROUNDS; round++) {
      const move = { method: 'POST', below: '/move', body: { list_id: there } }
      const { statuses, now } = await race(move, { method: 'DELETE' }, round)
      expect([round, statuses.join(' ')]).toEqual([round, expect.stringMatching(/^(200 412|404 200)$/)])
      expect([round, now.status]).toEqual([round, statuses[0] === 200 ? 200 : 404])
    }
  })
})
