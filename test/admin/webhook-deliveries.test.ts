import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { INSTANT, newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { feedSettled } from '../support/feed.ts'
import { type Receiver, refused, startReceiver, taken } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { doStep } from '../support/upkeep.ts'
import { startTestWebhooks, tellPeople } from '../support/worker.ts'

const app = useApp({ allowPrivateWebhooks: true })

const QUICK = [20, 20, 20, 20, 20, 20, 20, 20, 20]
const NEVER = [3_600_000]
const workers: { stop(): Promise<void> }[] = []
const work = (pausesMs: number[] = QUICK) => workers.push(startTestWebhooks(app, pausesMs))
afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()))
})

async function newWebhook({ admin }: TestCompany, { url }: Receiver, fields: object = {}) {
  const { status, body } = await admin.post('/webhooks', { name: 'Warehouse', url, kinds: ['*'], ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

const arrived = (receiver: Receiver, count: number) => until(async () => receiver.received.length >= count)

async function logOf({ admin }: TestCompany, { id }: { id: number }) {
  return (await admin.get(`/webhooks/${id}/deliveries`)).body.data
}

/** The log, once nothing in it is waiting any more. */
async function settledLog(company: TestCompany, webhook: { id: number }, count = 1) {
  await until(async () => {
    const log = await logOf(company, webhook)
    return log.length >= count && log.every(({ state }: { state: string }) => state !== 'pending')
  })
  return logOf(company, webhook)
}

async function furnish() {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  return { company, project, list }
}

const change = (webhook: { id: number }, assignments: string) =>
  app.database.pool.query(`update webhooks set ${assignments} where id = $1`, [webhook.id])

const notifications = async ({ admin }: TestCompany) => {
  await tellPeople(app)
  return (await admin.get('/notifications')).body.data
}

describe('A change', () => {
  it('is told to a webhook: who did what to which record, and what the record is now, signed', async () => {
    const { company, project, list } = await furnish()
    const receiver = await startReceiver()
    const webhook = await newWebhook(company, receiver)
    const task = await newTask(company, list.id, { title: 'شراء الأثاث' })
    work()
    await arrived(receiver, 1)
    const [message] = receiver.received
    const { text, headers } = message as (typeof receiver.received)[number]
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': expect.stringMatching(/^msg_/) })
    expect(new Webhook(webhook.secret).verify(text, headers as Record<string, string>)).toEqual({
      id: task.id,
      type: 'task.created',
      timestamp: INSTANT,
      company_id: company.id,
      project_id: project.id,
      parent_id: list.id,
      parent_kind: 'task_list',
      actor: company.owner.name,
      fields: null,
      data: (await company.api.get(`/tasks/${task.id}`)).body.data,
    })
    const [delivery] = await settledLog(company, webhook)
    expect(delivery).toEqual({
      id: expect.any(Number),
      message_id: headers['webhook-id'],
      type: 'task.created',
      record_id: task.id,
      project_id: project.id,
      state: 'delivered',
      attempts: 1,
      status: 200,
      error: null,
      ms: expect.any(Number),
      response: '',
      created_at: INSTANT,
      last_attempt_at: INSTANT,
      next_attempt_at: null,
    })
  })

  it('of any kind carries what the GET of the record gives', async () => {
    const { company, project, list } = await furnish()
    const receiver = await startReceiver()
    await newWebhook(company, receiver)
    const task = await newTask(company, list.id)
    const discussion = await newDiscussion(company, project.id)
    const post = async (path: string, body: object) => (await company.api.post(path, body)).body.data
    const folder = await post(`/projects/${project.id}/folders`, { name: 'Plans' })
    const link = await post(`/projects/${project.id}/links`, { name: 'x', external_url: 'https://example.com/' })
    const comments = [
      await post(`/tasks/${task.id}/comments`, { content: 'Agreed' }),
      await post(`/lists/${list.id}/comments`, { content: 'Agreed' }),
    ]
    await company.api.patch(`/projects/${project.id}`, { description: 'Changed' })
    await company.api.patch(`/lists/${list.id}`, { notes: 'Changed' })
    const addresses: Record<string, string> = {
      [project.id]: `/projects/${project.id}`,
      [list.id]: `/lists/${list.id}`,
      [task.id]: `/tasks/${task.id}`,
      [discussion.id]: `/discussions/${discussion.id}`,
      [folder.id]: `/projects/${project.id}/folders/${folder.id}`,
      [link.ref]: `/projects/${project.id}/files/${link.ref}`,
      [comments[0].id]: `/tasks/${task.id}/comments/${comments[0].id}`,
      [comments[1].id]: `/lists/${list.id}/comments/${comments[1].id}`,
    }
    work()
    await arrived(receiver, 8)
    const told = Object.fromEntries(receiver.received.map(({ body }) => [body.id, body.data]))
    for (const [id, address] of Object.entries(addresses)) {
      const { status, body } = await company.api.get(address)
      // Where the API shows no single comment, there is nothing to carry.
      expect([address, told[id]]).toEqual([address, status === 200 ? body.data : null])
    }
    const kinds = receiver.received.map(({ body }) => body.type.split('.')[0])
    expect(new Set(kinds)).toEqual(new Set(['project', 'task_list', 'task', 'comment', 'discussion', 'folder', 'file']))
  })

  it('of an external id or of metadata is named by its field, and told with the value', async () => {
    const { company, project, list } = await furnish()
    const task = await newTask(company, list.id)
    const discussion = await newDiscussion(company, project.id)
    const receiver = await startReceiver()
    await newWebhook(company, receiver)
    const sent = { external_id: 'crm-77', metadata: { stage: 'review' } }
    const addresses = { projects: project.id, lists: list.id, tasks: task.id, discussions: discussion.id }
    for (const [kind, id] of Object.entries(addresses)) {
      const { status } = await company.api.patch(`/${kind}/${id}`, sent)
      expect([kind, status]).toEqual([kind, 200])
    }
    work()
    await arrived(receiver, 4)
    const told = receiver.received.map(({ body: { id, fields, data } }) => [
      id,
      fields,
      { external_id: data.external_id, metadata: data.metadata },
    ])
    expect(told.sort()).toEqual(
      Object.values(addresses)
        .map(id => [id, ['external_id', 'metadata'], sent])
        .sort(),
    )
  })

  it('of a comment or file says where it can be read again', async () => {
    const { company, project, list } = await furnish()
    const task = await newTask(company, list.id)
    const discussion = await newDiscussion(company, project.id)
    const folder = (await company.api.post(`/projects/${project.id}/folders`, { name: 'Plans' })).body.data
    const receiver = await startReceiver()
    await newWebhook(company, receiver)
    const expected = [
      ['task_list', list.id, (await newComment(company, `/lists/${list.id}`)).id],
      ['task', task.id, (await newComment(company, `/tasks/${task.id}`)).id],
      ['discussion', discussion.id, (await newComment(company, `/discussions/${discussion.id}`)).id],
      ['folder', folder.id, (await newLink(company, project.id, { folder_id: folder.id })).ref],
      [null, null, (await newLink(company, project.id)).ref],
    ]
    work()
    await arrived(receiver, expected.length)
    const told = receiver.received.map(({ body }) => [body.parent_kind, body.parent_id, body.id])
    expect(told.sort()).toEqual(expected.sort())
  })

  it('carries no record that is gone or larger than 16 kB', async () => {
    const { company, list } = await furnish()
    const receiver = await startReceiver()
    await newWebhook(company, receiver)
    const large = await newTask(company, list.id, { notes: 'x'.repeat(17_000) })
    const gone = await newTask(company, list.id)
    await company.api.delete(`/tasks/${gone.id}`)
    work()
    await arrived(receiver, 3)
    const told = receiver.received.map(({ body }) => [body.id, body.type, body.data])
    expect(told.sort()).toEqual(
      [
        [large.id, 'task.created', null],
        [gone.id, 'task.created', null],
        [gone.id, 'task.deleted', null],
      ].sort(),
    )
  })

  it('names the fields that an update touched', async () => {
    const { company, list } = await furnish()
    const task = await newTask(company, list.id)
    const receiver = await startReceiver()
    await newWebhook(company, receiver)
    await company.api.patch(`/tasks/${task.id}`, { title: 'New', due_at: '2027-01-01' })
    work()
    await arrived(receiver, 1)
    expect(receiver.received[0]?.body).toMatchObject({ type: 'task.updated', fields: ['title', 'due_at'] })
  })

  it('that was made before the webhook, in another company or while it was switched off is not told', async () => {
    const { company, list } = await furnish()
    const other = await furnish()
    const receiver = await startReceiver()
    const webhook = await newWebhook(company, receiver)
    work()
    await newTask(other.company, other.list.id)
    await company.admin.patch(`/webhooks/${webhook.id}`, { active: false })
    await newTask(company, list.id, { title: 'Off' })
    await company.admin.patch(`/webhooks/${webhook.id}`, { active: true })
    const task = await newTask(company, list.id, { title: 'On' })
    await arrived(receiver, 1)
    await sleep(700)
    expect(receiver.received.map(({ body }) => body.id)).toEqual([task.id])
  })

  it('that was committed before the webhook is not told, also while a transaction is holding the feed back', async () => {
    const { company, list } = await furnish()
    const other = await app.diwan.project(company)
    const receiver = await startReceiver()
    // The embedded database has one session, and no transaction beside another.
    const slow = app.database.engine === 'postgres' ? await app.database.pool.connect() : undefined
    await slow?.query('begin')
    await slow?.query('update projects set description = $1 where ref = $2', ['Slow', other.id])
    await newTask(company, list.id, { title: 'Before' })
    await newWebhook(company, receiver)
    const task = await newTask(company, list.id, { title: 'After' })
    work()
    await sleep(700)
    if (slow) expect(receiver.received).toEqual([])
    await slow?.query('commit')
    slow?.release()
    const told = slow ? [other.id, task.id] : [task.id]
    await arrived(receiver, told.length)
    await sleep(300)
    expect(receiver.received.map(({ body }) => body.id).sort()).toEqual(told.sort())
  })

  it.each([
    [['*'], ['project.updated', 'task.completed', 'task.created']],
    [['task.*'], ['task.completed', 'task.created']],
    [
      ['task.completed', 'project.*'],
      ['project.updated', 'task.completed'],
    ],
    [['file.*', 'project.archived'], []],
  ])('is told to those who asked for %j', async (kinds, told) => {
    const { company, project, list } = await furnish()
    const [receiver, all] = [await startReceiver(), await startReceiver()]
    await newWebhook(company, receiver, { kinds })
    await newWebhook(company, all)
    const task = await newTask(company, list.id)
    await company.api.post(`/tasks/${task.id}/complete`)
    await company.api.patch(`/projects/${project.id}`, { description: 'Changed' })
    work()
    await arrived(all, 3)
    await arrived(receiver, told.length)
    expect(receiver.received.map(({ body }) => body.type).sort()).toEqual(told)
  })

  it('is told to those who asked for its project', async () => {
    const { company, project, list } = await furnish()
    const elsewhere = await newList(company, (await app.diwan.project(company)).id)
    const [receiver, all] = [await startReceiver(), await startReceiver()]
    await newWebhook(company, receiver, { project: project.id })
    await newWebhook(company, all)
    await newTask(company, elsewhere.id)
    const task = await newTask(company, list.id)
    work()
    await arrived(all, 2)
    await arrived(receiver, 1)
    expect(receiver.received.map(({ body }) => body.id)).toEqual([task.id])
  })
})

describe('A delivery', () => {
  async function oneChange(receiver: Receiver, pausesMs?: number[]) {
    const { company, list } = await furnish()
    const webhook = await newWebhook(company, receiver)
    const task = await newTask(company, list.id)
    work(pausesMs)
    return { company, webhook, task, list }
  }

  it('that fails is attempted again under the same id, and shows the failure until it is taken', async () => {
    const receiver = await startReceiver((response, _message, received) =>
      received.length < 3 ? refused(503)(response, _message, received) : response.end('Thanks'),
    )
    const { company, webhook } = await oneChange(receiver)
    const [delivery] = await settledLog(company, webhook)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 3, status: 200, error: null, response: 'Thanks' })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await company.admin.get(`/webhooks/${webhook.id}`)).body.data.failing_since).toBeNull()
  })

  it('is given up after ten attempts', async () => {
    const receiver = await startReceiver(refused(500))
    const { company, webhook } = await oneChange(receiver)
    const [delivery] = await settledLog(company, webhook)
    const failed = { state: 'failed', attempts: 10, status: 500, error: 'status_500', response: 'No: 500' }
    expect(delivery).toMatchObject({ ...failed, next_attempt_at: null })
    expect(receiver.received).toHaveLength(10)
    expect((await company.admin.get(`/webhooks/${webhook.id}`)).body.data).toMatchObject({
      active: true,
      failing_since: INSTANT,
    })
  })

  it('is found by its state, among others and page by page; a state that does not exist finds none', async () => {
    const receiver = await startReceiver((response, message) =>
      refused(message.body.data.title === 'Taken' ? 200 : 500)(response, message, []),
    )
    const { company, list } = await furnish()
    const webhook = await newWebhook(company, receiver)
    for (const title of ['Fails', 'Taken', 'Fails']) await newTask(company, list.id, { title })
    work([])
    await settledLog(company, webhook, 3)
    await app.database.pool.query(
      `insert into webhook_deliveries (company_id, webhook_id, kind, change, record_id, project_id, at, next_attempt_at)
       values ($1, $2, 'task', 'created', 'tsk-0', 'prj-0', now(), now() + interval '1 hour')`,
      [company.id, webhook.id],
    )
    const found = async (query: string) => {
      const { data, meta } = (await company.admin.get(`/webhooks/${webhook.id}/deliveries?${query}`)).body
      return { states: data.map(({ state }: { state: string }) => state), total: meta.total, next: meta.next_cursor }
    }
    expect(await found('state=failed')).toEqual({ states: ['failed', 'failed'], total: 2, next: null })
    expect(await found('state=delivered')).toEqual({ states: ['delivered'], total: 1, next: null })
    expect(await found('state=pending')).toEqual({ states: ['pending'], total: 1, next: null })
    expect(await found('state=constructor')).toEqual({ states: [], total: 0, next: null })
    expect((await found('state=')).total).toBe(4)
    const first = await found('state=failed&limit=1')
    expect(await found(`state=failed&limit=1&cursor=${first.next}`)).toEqual({
      states: ['failed'],
      total: 2,
      next: null,
    })
  })

  it('waits as long as the receiver asks', async () => {
    const receiver = await startReceiver(refused(429, { 'retry-after': '600' }))
    const { company, webhook } = await oneChange(receiver)
    await until(async () => (await logOf(company, webhook))[0]?.attempts === 1)
    const [delivery] = await logOf(company, webhook)
    const pauseMs = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)
    expect(Math.abs(pauseMs - 600_000)).toBeLessThan(20_000)
  })

  it('to a receiver that answers 410 is the last one: the webhook is switched off, audited and told of', async () => {
    const receiver = await startReceiver(refused(410))
    const { company, webhook, list } = await oneChange(receiver)
    await until(async () => !(await company.admin.get(`/webhooks/${webhook.id}`)).body.data.active)
    const shown = (await company.admin.get(`/webhooks/${webhook.id}`)).body.data
    expect(shown).toMatchObject({ switched_off_at: INSTANT, switched_off_because: 'gone' })
    expect(await logOf(company, webhook)).toMatchObject([{ state: 'failed', attempts: 1, error: 'status_410' }])
    await newTask(company, list.id)
    await sleep(700)
    expect(receiver.received).toHaveLength(1)
    const [entry] = (await company.admin.get('/audit?limit=1')).body.data
    expect(entry).toMatchObject({
      operation: 'webhooks:write',
      reason: 'Switched off by Diwan: the receiver answered 410.',
      by: { kind: 'operator' },
      target: { type: 'webhook', id: webhook.id },
      changes: { active: null },
    })
    expect((await notifications(company)).map(({ kind }: { kind: string }) => kind)).toEqual(['webhook_switched_off'])
  })

  it('is never one of more than two to the same webhook at the same moment, however many workers there are', async () => {
    const receiver = await startReceiver(response => setTimeout(() => response.end(), 30))
    const { company, list } = await furnish()
    const webhook = await newWebhook(company, receiver)
    for (let n = 0; n < 20; n++) await newTask(company, list.id)
    for (let n = 0; n < 4; n++) work()
    const log = await settledLog(company, webhook, 20)
    expect(log.filter(({ state }: { state: string }) => state === 'delivered')).toHaveLength(20)
    expect(receiver.received).toHaveLength(20)
    expect(receiver.mostAtOnce()).toBeLessThanOrEqual(2)
  })

  it('is not held up by receivers that never answer', async () => {
    const { company, list } = await furnish()
    const silent = await startReceiver(() => {})
    for (let n = 0; n < 9; n++) await newWebhook(company, silent, { name: `Dead ${n}` })
    const receiver = await startReceiver()
    for (let n = 0; n < 3; n++) await newTask(company, list.id)
    work()
    await until(async () => silent.received.length >= 4)
    const other = await furnish()
    await newWebhook(other.company, receiver)
    const task = await newTask(other.company, other.list.id)
    // A transaction of another test may hold the feed back.
    await feedSettled(app.database.pool)
    const startedAt = performance.now()
    await arrived(receiver, 1)
    // An attempt is given up after 15 seconds.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(receiver.received[0]?.body.id).toBe(task.id)
  })

  it('that was under way when its worker was killed comes back, and does not count', async () => {
    const receiver = await startReceiver()
    const { company, list } = await furnish()
    const webhook = await newWebhook(company, receiver)
    await newTask(company, list.id)
    const silent = startTestWebhooks(app, NEVER)
    await until(async () => (await settledLog(company, webhook)).length === 1)
    await silent.stop()
    // As a killed worker leaves it.
    await app.database.pool.query(
      `update webhook_deliveries set state = 'pending', attempts = 0, claim = gen_random_uuid(),
         next_attempt_at = now() + interval '1 second' where webhook_id = $1`,
      [webhook.id],
    )
    work()
    await arrived(receiver, 2)
    expect(await settledLog(company, webhook)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  it('that is under way when the worker stops is let go of at once, and does not count', async () => {
    const receiver = await startReceiver(() => {})
    const { company, webhook } = await oneChange(receiver, NEVER)
    await arrived(receiver, 1)
    const startedAt = performance.now()
    await Promise.all(workers.splice(0).map(worker => worker.stop()))
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(await logOf(company, webhook)).toMatchObject([{ state: 'pending', attempts: 0 }])
    receiver.answer(taken)
    work()
    expect(await settledLog(company, webhook)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  it('is forgotten with its webhook, and after 30 days', async () => {
    const receiver = await startReceiver()
    const { company, webhook } = await oneChange(receiver)
    await settledLog(company, webhook)
    const age = (days: number) =>
      app.database.pool.query(
        `update webhook_deliveries set created_at = now() - make_interval(days => $2) where webhook_id = $1`,
        [webhook.id, days],
      )
    await age(29)
    await doStep(app, 'webhook_deliveries')
    expect(await logOf(company, webhook)).toHaveLength(1)
    await age(31)
    await doStep(app, 'webhook_deliveries')
    expect(await logOf(company, webhook)).toHaveLength(0)
    await company.api.post('/projects', { name: 'More' })
    await settledLog(company, webhook)
    expect((await company.admin.delete(`/webhooks/${webhook.id}`)).status).toBe(200)
    const { rows } = await app.database.pool.query('select 1 from webhook_deliveries where webhook_id = $1', [
      webhook.id,
    ])
    expect(rows).toEqual([])
  })
})

describe('A webhook that has had nothing but failures', () => {
  async function failing(since: string) {
    const { company, list } = await furnish()
    const admins = [
      await app.diwan.person(company.id, { can_manage_api_keys: true }),
      await app.diwan.person(company.id, { role: 'manager' }),
    ]
    const receiver = await startReceiver(refused(500))
    const webhook = await newWebhook(company, receiver)
    await change(webhook, `failing_since = now() - interval '${since}'`)
    const told = async () =>
      (await notifications(company))
        .filter(({ kind }: { kind: string }) => kind.startsWith('webhook'))
        .map(({ kind, user }: { kind: string; user: { id: number } }) => [kind, user.id])
        .sort()
    const fail = async () => {
      const count = receiver.received.length + 1
      await newTask(company, list.id)
      work(NEVER)
      await arrived(receiver, count)
      await until(async () =>
        (await logOf(company, webhook)).every(({ attempts }: { attempts: number }) => attempts > 0),
      )
      await Promise.all(workers.splice(0).map(worker => worker.stop()))
    }
    return { company, webhook, receiver, told, fail, keyAdministrators: [company.owner.id, admins[0]?.id as number] }
  }

  it('for less than a day is nobody told of', async () => {
    const { told, fail } = await failing('23 hours')
    await fail()
    expect(await told()).toEqual([])
  })

  it('for more than a day is told of to those who administer keys, once', async () => {
    const { company, webhook, told, fail, keyAdministrators } = await failing('25 hours')
    await fail()
    await fail()
    expect(await told()).toEqual(keyAdministrators.map(id => ['webhook_failing', id]).sort())
    expect((await company.admin.get(`/webhooks/${webhook.id}`)).body.data.active).toBe(true)
  })

  it('for more than five days is switched off, audited, and told of again', async () => {
    const { company, webhook, told, fail, keyAdministrators } = await failing('25 hours')
    await fail()
    await change(webhook, `failing_since = now() - interval '121 hours'`)
    await fail()
    expect((await company.admin.get(`/webhooks/${webhook.id}`)).body.data).toMatchObject({
      active: false,
      switched_off_because: 'failing',
    })
    const kinds = ['webhook_failing', 'webhook_switched_off']
    expect(await told()).toEqual(kinds.flatMap(kind => keyAdministrators.map(id => [kind, id])).sort())
    const [entry] = (await company.admin.get('/audit?limit=1')).body.data
    expect(entry).toMatchObject({ reason: 'Switched off by Diwan: every delivery failed for 5 days.' })
  })

  it('is well again after one success', async () => {
    const { company, webhook, receiver, told } = await failing('25 hours')
    receiver.answer(taken)
    await company.api.post('/projects', { name: 'More' })
    work()
    await settledLog(company, webhook)
    expect((await company.admin.get(`/webhooks/${webhook.id}`)).body.data.failing_since).toBeNull()
    expect(await told()).toEqual([])
  })
})

describe('A replay', () => {
  async function failedAndTaken() {
    const { company, list } = await furnish()
    const receiver = await startReceiver((response, message) =>
      message.body.data.title === 'Fails' ? refused(500)(response, message, []) : response.end(),
    )
    const webhook = await newWebhook(company, receiver)
    const [fails, passes] = [await newTask(company, list.id, { title: 'Fails' }), await newTask(company, list.id)]
    work([])
    const log = await settledLog(company, webhook, 2)
    receiver.answer(taken)
    const byRecord = (id: string) => log.find(({ record_id }: { record_id: string }) => record_id === id)
    const again = () => receiver.received.slice(2).map(({ headers }) => headers['webhook-id'])
    return { company, webhook, receiver, failed: byRecord(fails.id), passed: byRecord(passes.id), again }
  }

  it('of a delivery sends it again under the same id, whether it failed or not, and is audited', async () => {
    const { company, webhook, receiver, failed, passed, again } = await failedAndTaken()
    expect([failed.state, passed.state]).toEqual(['failed', 'delivered'])
    for (const delivery of [failed, passed]) {
      const { status, body } = await company.admin.post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/replay`)
      expect([status, body.data]).toMatchObject([200, { id: delivery.id, state: 'pending', attempts: 0 }])
    }
    await arrived(receiver, 4)
    expect(again().sort()).toEqual([failed.message_id, passed.message_id].sort())
    const entries = (await company.admin.get('/audit?limit=2')).body.data
    const target = { type: 'webhook', id: webhook.id, name: 'Warehouse' }
    expect(entries).toMatchObject([
      { target, changes: { deliveries: null } },
      { target, changes: { deliveries: null } },
    ])
  })

  it('since a time sends the failed ones only, or all of them', async () => {
    const { company, webhook, receiver, failed, passed, again } = await failedAndTaken()
    const replay = async (body: object) => (await company.admin.post(`/webhooks/${webhook.id}/replay`, body)).body
    expect(await replay({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual({ data: { replayed: 0 } })
    const since = new Date(Date.now() - 60_000).toISOString()
    expect(await replay({ since, failed_only: true })).toEqual({ data: { replayed: 1 } })
    await arrived(receiver, 3)
    expect(again()).toEqual([failed.message_id])
    await settledLog(company, webhook, 2)
    expect(await replay({ since })).toEqual({ data: { replayed: 2 } })
    await arrived(receiver, 5)
    expect(again().slice(1).sort()).toEqual([failed.message_id, passed.message_id].sort())
  })

  it.each([
    ['since', {}],
    ['since', { since: 'yesterday' }],
    ['since', { since: null }],
    ['failed_only', { since: '2026-01-01', failed_only: 'yes' }],
  ])('answers 422 naming %s to %j', async (field, body) => {
    const company = await app.diwan.company()
    const webhook = await newWebhook(company, await startReceiver())
    expectRefusal(
      await company.admin.post(`/webhooks/${webhook.id}/replay`, body),
      422,
      'unprocessable_entity',
      expect.stringMatching(new RegExp(`^${field} `)),
    )
  })

  it("of another webhook's delivery is 404", async () => {
    const { company, webhook, failed } = await failedAndTaken()
    const other = await newWebhook(company, await startReceiver())
    for (const [id, delivery] of [
      [other.id, failed.id],
      [webhook.id, 999_999],
    ])
      expect((await company.admin.post(`/webhooks/${id}/deliveries/${delivery}/replay`)).status).toBe(404)
  })
})

it('A webhook for which 10,000 deliveries wait is given no more, and loses nothing: they follow when there is room', {
  tags: 'long',
}, async () => {
  const { company, list } = await furnish()
  const receiver = await startReceiver()
  const webhook = await newWebhook(company, receiver)
  await app.database.pool.query(
    `insert into webhook_deliveries (company_id, webhook_id, kind, change, record_id, project_id, at, next_attempt_at)
     select $1, $2, 'task', 'created', 'tsk-' || n, 'prj-0', now(), now() + interval '1 hour' from generate_series(1, 10000) n`,
    [company.id, webhook.id],
  )
  const task = await newTask(company, list.id)
  work()
  await sleep(1_200)
  expect((await company.admin.get(`/webhooks/${webhook.id}/deliveries`)).body.meta).toMatchObject({ total: 10_000 })
  await app.database.pool.query(
    `update webhook_deliveries set state = 'failed' where id = (
       select min(id) from webhook_deliveries where webhook_id = $1)`,
    [webhook.id],
  )
  await arrived(receiver, 1)
  expect(receiver.received.map(({ body }) => body.id)).toEqual([task.id])
})

it('A webhook whose place came with a dump of another database is told of what changes from then on', async () => {
  const { company, list } = await furnish()
  const receiver = await startReceiver()
  const webhook = await newWebhook(company, receiver)
  await change(webhook, `tx = '9000000000000000'`)
  work()
  await until(async () => {
    const { rows } = await app.database.pool.query(
      `select tx < '9000000000000000' as moved from webhooks where id = $1`,
      [webhook.id],
    )
    return rows[0].moved
  })
  const task = await newTask(company, list.id)
  await arrived(receiver, 1)
  expect(receiver.received.map(({ body }) => body.id)).toEqual([task.id])
})
