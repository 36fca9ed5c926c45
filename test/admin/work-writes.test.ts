import { describe, expect, it } from 'vitest'
import { workEndpoints } from '../../src/admin/work.ts'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { furnishWork, newDiscussion, newLink, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { expectRefusal } from '../support/refusal.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
const WRITES = workEndpoints.filter(({ method }) => method !== 'GET')
const FOR_LEADERS = [
  'create_project',
  'update_project',
  'upsert_project',
  'delete_project',
  'archive_project',
  'unarchive_project',
  'delete_task_list',
  'delete_folder',
]

const JSON_TYPE = { 'content-type': 'application/json' }

const recordsFor = (company: TestCompany, token: string) =>
  app.diwan.client(`/admin/v1/companies/${company.id}/records`, token)

/** Somebody with a role, at work in a company that has a project, a list and a task. */
async function atWork(role: 'owner' | 'manager' | 'member', settings = {}) {
  const furnished = await furnishWork(app.diwan, settings)
  const person = await app.diwan.person(furnished.company.id, { name: 'Huda Salem', role })
  return { ...furnished, person, work: recordsFor(furnished.company, person.token) }
}

describe('Who writes the records of a company', () => {
  it('are leaders, and members where it concerns no whole project, list or folder; never the operator', async () => {
    const { company, fill } = await furnishEveryRecord(app.diwan)
    const [member, manager] = await Promise.all(
      ['member', 'manager'].map(async role =>
        recordsFor(company, (await app.diwan.person(company.id, { role })).token),
      ),
    )
    const operator = recordsFor(company, OPERATOR_TOKEN)
    for (const { name, method, at } of WRITES) {
      // Nothing is missing at the address, and the body is refused: so nothing is changed.
      const path = fill(at.at(-1) as string).slice(`/companies/${company.id}/records`.length)
      const statusOf = async (client = member) => {
        const answer = await client?.send(method, path, { body: '[' })
        return answer?.status === 403 && answer.body.error.message.startsWith('This is for ')
          ? 'not for them'
          : 'for them'
      }
      if (method === 'DELETE' || /complete$|archive$/.test(path)) continue
      const expected = FOR_LEADERS.includes(name) ? 'not for them' : 'for them'
      expect([name, await statusOf(member), await statusOf(manager), await statusOf(operator)]).toEqual([
        name,
        expected,
        'for them',
        'not for them',
      ])
    }
  })

  it('has every write of the API, and GET /me names those that are for the caller', async () => {
    const { company } = await atWork('member')
    for (const [role, left] of [
      ['member', FOR_LEADERS],
      ['manager', []],
      ['owner', []],
    ] as const) {
      const person = await app.diwan.person(company.id, { role })
      const { may } = (await app.diwan.client('/admin/v1', person.token).get('/me')).body.data
      const names = WRITES.map(({ name }) => name)
      expect([role, names.filter(name => !may.includes(name))]).toEqual([
        role,
        names.filter(name => (left as readonly string[]).includes(name)),
      ])
    }
  })

  it('is the person, without a key: in the record, the feed, the audit and the answer’s headers', async () => {
    const { company, project, list, work, person } = await atWork('member')
    const next_cursor = await cursorOfNow(app, company.api)
    const answer = await work.post(`/lists/${list.id}/tasks`, { title: 'Chairs', due_at: '2027-01-31' })
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([201, null])
    expect(answer.headers.get('location')).toBe(
      `/admin/v1/companies/${company.id}/records/tasks/${answer.body.data.id}`,
    )
    const discussion = (await created(work.post(`/projects/${project.id}/discussions`, { title: 'When?' }))).data
    expect(discussion.author).toBe('Huda Salem')
    expect((await work.delete(`/tasks/${answer.body.data.id}`)).status).toBe(200)
    const data = await entriesAfter(app, company.api, next_cursor)
    expect(data.map(({ kind, change, actor }: Record<string, string>) => [kind, change, actor])).toEqual([
      ['task', 'created', 'Huda Salem'],
      ['discussion', 'created', 'Huda Salem'],
      ['task', 'deleted', 'Huda Salem'],
    ])
    const [recorded] = (await company.admin.get('/changes?limit=1')).body.data
    expect(recorded).toMatchObject({ actor: 'Huda Salem', key: null })
    const [entry] = (await company.admin.get('/audit?limit=1')).body.data
    expect(entry).toMatchObject({
      operation: 'tasks:destructive',
      outcome: 'allowed',
      by: { kind: 'person', id: person.id },
    })
  })
})

describe('A member', () => {
  it('deletes tasks, discussions and files that they made, and nobody else’s', async () => {
    const { company, project, list, work } = await atWork('member')
    const others = [
      `/tasks/${(await newTask(company, list.id)).id}`,
      `/discussions/${(await newDiscussion(company, project.id)).id}`,
      `/files/${(await newLink(company, project.id)).ref}`,
    ]
    const own = [
      `/tasks/${(await created(work.post(`/lists/${list.id}/tasks`, { title: 'x' }))).data.id}`,
      `/discussions/${(await created(work.post(`/projects/${project.id}/discussions`, { title: 'x' }))).data.id}`,
      `/files/${(await created(work.post(`/projects/${project.id}/links`, { name: 'x', external_url: 'https://example.com' }))).data.ref}`,
    ]
    for (const address of others) {
      const refused = await work.delete(address)
      expect([address, refused.status, refused.body.error.message]).toEqual([
        address,
        403,
        'You may delete only what you have made yourself.',
      ])
    }
    for (const address of own) expect([address, (await work.delete(address)).status]).toEqual([address, 200])
  })

  it('creates, changes, completes, moves and comments; and edits only their own comments', async () => {
    const { company, project, list, task, work } = await atWork('member')
    const other = (await created(work.post(`/projects/${project.id}/lists`, { title: 'Later' }))).data
    expect((await work.patch(`/lists/${other.id}`, { title: 'Much later' })).status).toBe(200)
    expect((await work.patch(`/tasks/${task.id}`, { title: 'Renamed' })).body.data.title).toBe('Renamed')
    expect((await work.post(`/tasks/${task.id}/complete`)).body.data.completed).toBe(true)
    expect((await work.post(`/tasks/${task.id}/move`, { list_id: other.id })).body.data.task_list_id).toBe(other.id)
    const comment = (await created(work.post(`/tasks/${task.id}/comments`, { content: 'Done' }))).data
    expect((await work.patch(`/tasks/${task.id}/comments/${comment.id}`, { content: 'Done!' })).status).toBe(200)
    const theirs = (await created(company.api.post(`/tasks/${task.id}/comments`, { content: 'x' }))).data
    expect((await work.patch(`/tasks/${task.id}/comments/${theirs.id}`, { content: 'y' })).status).toBe(403)
    const folder = (await created(work.post(`/projects/${project.id}/folders`, { name: 'Plans' }))).data
    expect((await work.patch(`/projects/${project.id}/folders/${folder.id}`, { name: 'Drafts' })).status).toBe(200)
    const file = await created(
      work.post(`/projects/${project.id}/files`, { name: 'a.md', content: '# A', folder_id: folder.id }),
    )
    expect(file.data).toMatchObject({ uploaded_by: 'Huda Salem', folder_id: folder.id })
    for (const address of [
      `/projects/${project.id}`,
      `/lists/${list.id}`,
      `/projects/${project.id}/folders/${folder.id}`,
    ])
      expectRefusal(await work.delete(address), 403, 'forbidden')
    const times = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
    expect((await work.post('/events', { name: 'My own', ...times })).body.data.organizer).toBe('Huda Salem')
  })
})

describe('Work', () => {
  it('is carried out once under an Idempotency-Key, for each person by themselves', async () => {
    const { company, list, work } = await atWork('member')
    const colleague = recordsFor(company, (await app.diwan.person(company.id)).token)
    const options = { body: '{"title":"Once"}', headers: { ...JSON_TYPE, 'idempotency-key': 'one' } }
    const first = await work.send('POST', `/lists/${list.id}/tasks`, options)
    const again = await work.send('POST', `/lists/${list.id}/tasks`, options)
    const theirs = await colleague.send('POST', `/lists/${list.id}/tasks`, options)
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([201, 'true', first.body])
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(theirs.body.data.id).not.toBe(first.body.data.id)
  })

  it('compares If-Match with the version that was read', async () => {
    const { task, work } = await atWork('manager')
    const { headers } = await work.get(`/tasks/${task.id}`)
    const tag = { ...JSON_TYPE, 'if-match': headers.get('etag') as string }
    expect((await work.send('PATCH', `/tasks/${task.id}`, { body: '{"title":"A"}', headers: tag })).status).toBe(200)
    expectRefusal(
      await work.send('PATCH', `/tasks/${task.id}`, { body: '{"title":"B"}', headers: tag }),
      412,
      'precondition_failed',
    )
  })

  it('goes on with every plan, without the API and without calls left; time tracking stays the plan’s', async () => {
    const { company, list, task, work } = await atWork('member')
    await app.diwan.operator.patch(`/companies/${company.id}`, { plan: 'free', rest_api: false })
    expect((await work.post(`/lists/${list.id}/tasks`, { title: 'x' })).status).toBe(201)
    expectRefusal(await work.post(`/tasks/${task.id}/time`, { time_spent: '1:00' }), 403, 'plan_upgrade_required')
  })

  it('is frozen with the subscription and in an archived project', async () => {
    const { company, project, list, work } = await atWork('manager')
    await work.post(`/projects/${project.id}/archive`)
    expectRefusal(await work.post(`/lists/${list.id}/tasks`, { title: 'x' }), 403, 'forbidden')
    expect((await work.post(`/projects/${project.id}/unarchive`)).status).toBe(200)
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expectRefusal(await work.post(`/lists/${list.id}/tasks`, { title: 'x' }), 403, 'forbidden')
  })

  it('is nobody’s of another company, and nothing for a key', async () => {
    const { company, list } = await atWork('member')
    const stranger = await app.diwan.company()
    expect(
      (await recordsFor(company, stranger.ownerToken).post(`/lists/${list.id}/tasks`, { title: 'x' })).status,
    ).toBe(404)
    expect((await recordsFor(company, company.key).post(`/lists/${list.id}/tasks`, { title: 'x' })).status).toBe(401)
    expect(
      (await recordsFor(stranger, stranger.ownerToken).post(`/lists/${list.id}/tasks`, { title: 'x' })).status,
    ).toBe(404)
  })

  it('ends with the person’s right to it: a member who is dismissed, and a manager who becomes a member', async () => {
    const { company, project, list, work, person } = await atWork('manager')
    expect((await work.patch(`/projects/${project.id}`, { name: 'Renamed' })).status).toBe(200)
    await company.admin.patch(`/users/${person.id}`, { role: 'member' })
    expectRefusal(await work.patch(`/projects/${project.id}`, { name: 'Again' }), 403, 'forbidden')
    await company.admin.patch(`/users/${person.id}`, { active: false })
    expect((await work.post(`/lists/${list.id}/tasks`, { title: 'x' })).status).toBe(401)
  })
})

describe('My tasks and my notifications', () => {
  it('are the tasks assigned to me, with the filters of the other lists', async () => {
    const { company, list, work, person } = await atWork('member')
    const mine = await newTask(company, list.id, { assignee_email: person.email, due_at: '2027-01-01' })
    const done = await newTask(company, list.id, { assignee_email: person.email })
    await newTask(company, list.id, { assignee_email: company.owner.email })
    await company.api.post(`/tasks/${done.id}/complete`)
    const ids = async (query = '') =>
      (await work.get(`/me/tasks${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([mine.id, done.id])
    expect(await ids('?completed=false&sort=due&due_to=2027-12-31')).toEqual([mine.id])
    expectRefusal(await work.get('/me/tasks?sort=nonsense'), 422, 'unprocessable_entity')
    const ignored = await work.get(`/me/tasks?assignee_email=${company.owner.email}`)
    expect([ignored.body.data.length, ignored.headers.get('x-ignored-parameters')]).toEqual([2, 'assignee_email'])
    expectRefusal(await recordsFor(company, OPERATOR_TOKEN).get('/me/tasks'), 403, 'forbidden')
  })

  it('are read up to one of them, and counted in GET /me', async () => {
    const { company, project, work, person } = await atWork('member')
    for (const title of ['One', 'Two', 'Three']) await newDiscussion(company, project.id, { title })
    await tellPeople(app)
    const me = app.diwan.client('/admin/v1', person.token)
    const unread = async () => (await me.get('/me')).body.data.unread_notifications
    const { data } = (await work.get('/me/notifications?limit=3')).body
    expect(
      data.map(({ subject, read_at }: { subject: { title: string }; read_at: null }) => [subject.title, read_at]),
    ).toEqual([
      ['Three', null],
      ['Two', null],
      ['One', null],
    ])
    expect(data[0]).toMatchObject({ kind: 'discussion_created', project_id: project.id, actor: company.owner.name })
    expect(await unread()).toBe(4)
    const read = await work.post('/me/notifications/read', { up_to: data[1].id })
    expect([read.status, read.body]).toEqual([200, { data: { unread_notifications: 1 } }])
    expect((await work.get('/me/notifications?unread=true')).body.data).toMatchObject([{ subject: { title: 'Three' } }])
    expect((await work.get('/me/notifications')).body.data[2].read_at).not.toBeNull()
    expectRefusal(await work.post('/me/notifications/read', {}), 422, 'unprocessable_entity')
    expectRefusal(await recordsFor(company, OPERATOR_TOKEN).get('/me/notifications'), 403, 'forbidden')
    await app.diwan.operator.patch(`/companies/${company.id}`, { subscription: 'read_only' })
    expect((await work.post('/me/notifications/read', { up_to: data[0].id })).body.data.unread_notifications).toBe(0)
  })
})
