import { describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { readBehind } from '../../src/http/endpoints/conditional.ts'
import { useApp } from '../support/app.ts'
import { type Answer, type Client, created } from '../support/diwan.ts'
import { furnishWork, newComment, newDiscussion, newList } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

/** A company with one of everything that has a GET, by the name that it has in addresses. */
async function furnishEverything() {
  const { company, project, list, task } = await furnishWork(app.diwan)
  const { api } = company
  const below = `/projects/${project.id}`
  const folder = (await created(api.post(`${below}/folders`, { name: 'Plans' }))).data
  const link = { name: 'Plan', external_url: 'https://example.com/plan' }
  const file = (await created(api.post(`${below}/links`, link))).data
  const times = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
  const event = (await created(api.post('/events', { name: 'Visit', ...times }))).data
  const destination = await newList(company, project.id, { title: 'Elsewhere' })
  const discussion = await newDiscussion(company, project.id)
  const elsewhere = { external_id: 'crm-77' }
  for (const path of [below, `/lists/${list.id}`, `/tasks/${task.id}`, `/discussions/${discussion.id}`])
    await api.patch(path, elsewhere)
  const commentOn = async (address: string) => String((await newComment(company, address)).id)
  const named: Record<string, string> = {
    project: project.id,
    list: list.id,
    task: task.id,
    discussion: discussion.id,
    'comment on list': await commentOn(`/lists/${list.id}`),
    'comment on task': await commentOn(`/tasks/${task.id}`),
    'comment on discussion': await commentOn(`/discussions/${discussion.id}`),
    folder: String(folder.id),
    file: file.ref,
    event: String(event.id),
    destination: destination.id,
    ...elsewhere,
  }
  return { company, api, named }
}
type Everything = Awaited<ReturnType<typeof furnishEverything>>

/** The body that each write is sent, if it takes one. A new write must be added here. */
const BODIES: Record<string, ((named: Everything['named']) => object) | undefined> = {
  update_project: () => ({ name: 'Renamed', end_date: '2027-01-01' }),
  upsert_project: () => ({ name: 'Renamed', end_date: '2027-01-01' }),
  delete_project: undefined,
  archive_project: undefined,
  unarchive_project: undefined,
  update_task_list: () => ({ title: 'Renamed', notes: 'One\nTwo' }),
  upsert_task_list: () => ({ title: 'Renamed', notes: 'One\nTwo' }),
  delete_task_list: undefined,
  update_task: () => ({ title: 'Renamed', notes: '<b>&amp;</b>', due_at: '2027-01-01' }),
  upsert_task: () => ({ title: 'Renamed', notes: '<b>&amp;</b>', due_at: '2027-01-01' }),
  delete_task: undefined,
  complete_task: undefined,
  reopen_task: undefined,
  move_task: ({ destination }) => ({ list_id: destination }),
  set_task_time: () => ({ time_spent: '1:30' }),
  update_task_list_comment: () => ({ content: 'Changed' }),
  update_task_comment: () => ({ content: 'Changed' }),
  update_discussion_comment: () => ({ content: 'Changed' }),
  update_discussion: () => ({ title: 'Renamed', body: 'One\n\nTwo' }),
  upsert_discussion: () => ({ title: 'Renamed', body: 'One\n\nTwo' }),
  delete_discussion: undefined,
  delete_file: undefined,
  update_folder: () => ({ name: 'Renamed' }),
  delete_folder: undefined,
  update_event: () => ({ name: 'Renamed', attendee_emails: [] }),
  delete_event: undefined,
}

const CONDITIONAL = apiEndpoints.flatMap(write => {
  const read = readBehind(write, apiEndpoints)
  return read ? write.at.map(address => ({ name: write.name, write, read, address })) : []
})

const pathTo = (address: string, named: Everything['named']) =>
  address
    .replace(/:(\w+)\/comments\/:comment/, (_, on) => `:${on}/comments/${named[`comment on ${on}`]}`)
    .replace(/:(\w+)/g, (_, name) => named[name] ?? `missing-${name}`)
const tagOf = ({ headers }: Answer) => headers.get('etag') as string

function send(api: Client, method: string, path: string, body: object | undefined, tag?: string): Promise<Answer> {
  const headers: Record<string, string> = tag === undefined ? {} : { 'if-match': tag }
  if (body === undefined) return api.send(method, path, { headers })
  return api.send(method, path, {
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  })
}

describe('If-Match', () => {
  it('is tried on every write of a record that has a GET', () => {
    expect([...new Set(CONDITIONAL.map(({ name }) => name))].sort()).toEqual(Object.keys(BODIES).sort())
  })

  it.each(CONDITIONAL)('decides about $name at $address, and the answer has the tag of the GET', async each => {
    const { name, write, read, address } = each
    const { api, named } = await furnishEverything()
    const path = pathTo(address, named)
    // The address by ref still works after a move.
    const shown = pathTo(read.at.at(-1) as string, named)
    const body = BODIES[name]?.(named)

    const before = await api.get(shown)
    const refused = await send(api, write.method, path, body, '"another"')
    expectRefusal(refused, 412, 'precondition_failed')
    expect(tagOf(refused)).toBeNull()
    expect(tagOf(await api.get(shown))).toBe(tagOf(before))

    const done = await send(api, write.method, path, body, tagOf(before))
    expect([done.status, done.body.error]).toEqual([200, undefined])
    const after = await api.get(shown)
    if (write.method === 'DELETE') return expect([tagOf(done), after.status]).toEqual([null, 404])
    expect(tagOf(done)).toMatch(/^"[\w-]{27}"$/)
    expect(tagOf(done)).toBe(tagOf(after))
    if (!body) return
    const flat = pathTo(write.at.at(-1) as string, named)
    expectRefusal(await send(api, write.method, flat, body, tagOf(before)), 412, 'precondition_failed')
  })

  it('may be a list, with W/ in front of tags, or *', async () => {
    const { api, named } = await furnishEverything()
    const path = `/tasks/${named.task}`
    for (const form of [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => `"other", ${tag}`,
      (tag: string) => `, "a,b",W/${tag} ,`,
      () => '*',
    ]) {
      const header = form(tagOf(await api.get(path)))
      expect([header, (await send(api, 'PATCH', path, { title: header }, header)).status]).toEqual([header, 200])
    }
  })

  it('that cannot be read matches nothing', async () => {
    const { api, named } = await furnishEverything()
    const path = `/tasks/${named.task}`
    const tag = tagOf(await api.get(path))
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
    const { company, api, named } = await furnishEverything()
    const entries = async () =>
      (await app.database.pool.query('select from changes where company_id = $1', [company.id])).rows.length
    const recorded = await entries()
    const calls = async () => (await company.admin.get('/usage?days=1')).body.data[0].calls
    const before = await calls()
    const refused = await send(api, 'DELETE', `/tasks/${named.task}`, undefined, '"another"')
    expectRefusal(
      refused,
      412,
      'precondition_failed',
      expect.stringMatching(/^If-Match does not match .* Read the record again/),
    )
    expect((await calls()) - before).toBe(1)
    expect(await entries()).toBe(recorded)
  })

  it('stands for all that the GET shows: the tag of a list changes with its counts', async () => {
    const { api, named } = await furnishEverything()
    const tag = tagOf(await api.get(`/lists/${named.list}`))
    await api.post(`/tasks/${named.task}/complete`)
    const late = await send(api, 'PATCH', `/lists/${named.list}`, { notes: 'x' }, tag)
    expectRefusal(late, 412, 'precondition_failed')
  })

  it('takes the tag of the answer to the change before, also when that changed nothing', async () => {
    const { api, named } = await furnishEverything()
    const path = `/tasks/${named.task}`
    let answer = await api.get(path)
    for (const [method, below, body] of [
      ['PATCH', '', { notes: 'x' }],
      ['PATCH', '', {}],
      ['POST', '/complete', undefined],
      ['POST', '/complete', undefined],
      ['POST', '/move', { list_id: named.destination }],
      ['POST', '/move', { list_id: named.destination }],
      ['DELETE', '', undefined],
    ] as const) {
      answer = await send(api, method, path + below, body, tagOf(answer))
      expect([method, below, answer.status]).toEqual([method, below, 200])
    }
  })

  it('takes the tag of a read that was asked for a second calendar too', async () => {
    const { api, named } = await furnishEverything()
    for (const path of [`/tasks/${named.task}`, `/projects/${named.project}`, `/events/${named.event}`]) {
      const tag = tagOf(await api.get(`${path}?calendar=islamic-umalqura`))
      expect(tag).not.toBe(tagOf(await api.get(path)))
      const change = path.startsWith('/tasks') ? { title: 'Renamed' } : { name: 'Renamed' }
      expect([path, (await send(api, 'PATCH', path, change, tag)).status]).toEqual([path, 200])
      expectRefusal(await send(api, 'PATCH', path, change, tag), 412, 'precondition_failed')
    }
  })

  it('needs no right to read: the answer tells no more than that the version is another', async () => {
    const { company, api, named } = await furnishEverything()
    const key = await app.diwan.key(company.id, { operations: ['tasks:write'] })
    const tag = tagOf(await api.get(`/tasks/${named.task}`))
    const writer = app.diwan.api(key)
    expect((await writer.get(`/tasks/${named.task}`)).status).toBe(403)
    const attempt = (header: string) => send(writer, 'PATCH', `/tasks/${named.task}`, { title: 'x' }, header)
    expect([(await attempt('"another"')).status, (await attempt(tag)).status]).toEqual([412, 200])
  })

  it('means nothing to reads, to what creates, and to the administration', async () => {
    const { company, api, named } = await furnishEverything()
    const other = '"another"'
    expect((await api.get(`/tasks/${named.task}`, { 'if-match': other })).status).toBe(200)
    for (const [path, body] of [
      ['/projects', { name: 'New' }],
      [`/lists/${named.list}/tasks`, { title: 'New' }],
      [`/lists/${named.list}/tasks/batch`, { tasks: [{ title: 'New' }] }],
      [`/tasks/${named.task}/comments`, { content: 'New' }],
    ] as const) {
      const answer = await send(api, 'POST', path, body, other)
      // A batch has no version.
      expect([path, answer.status, tagOf(answer) === null]).toEqual([path, 201, path.endsWith('/batch')])
    }
    const answer = await send(company.admin, 'PATCH', '', { name: 'Renamed' }, other)
    expect([answer.status, tagOf(answer)]).toEqual([200, null])
  })

  it('plays no part in a repeat: that is answered as before, with the tag of then', async () => {
    const { api, named } = await furnishEverything()
    const path = `/tasks/${named.task}/complete`
    const complete = (name: string, tag: string) =>
      api.post(path, undefined, { 'idempotency-key': name, 'if-match': tag })
    const tag = tagOf(await api.get(`/tasks/${named.task}`))
    expect((await complete('a', '"another"')).status).toBe(412)
    const first = await complete('a', tag)
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    await api.patch(`/tasks/${named.task}`, { title: 'Changed since' })
    for (const header of [tag, '"another"', 'nonsense']) {
      const again = await complete('a', header)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect([again.body, tagOf(again)]).toEqual([first.body, tagOf(first)])
    }
  })
})
