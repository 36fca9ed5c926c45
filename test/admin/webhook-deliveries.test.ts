import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { describeApi } from '../../src/descriptions.ts'
import { CHANGED_KINDS } from '../../src/domain/records/records.ts'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { type Receiver, refused, startReceiver, taken } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { startTestWebhooks, tellPeople } from '../support/worker.ts'

const app = useApp({ allowPrivateWebhooks: true })

const QUICK = [20, 20, 20, 20, 20, 20, 20, 20, 20]
const NEVER = [3_600_000]
const workers: { stop(): Promise<void> }[] = []
const work = (pausesMs: number[] = QUICK) => workers.push(startTestWebhooks(app, pausesMs))
const rest = () => Promise.all(workers.splice(0).map(worker => worker.stop()))
afterEach(rest)

interface Delivery {
  id: number
  message_id: string
  record_id: string
  state: string
  attempts: number
}

async function newWebhook({ admin }: TestCompany, { url }: Receiver, fields: object = {}) {
  return (await created(admin.post('/webhooks', { name: 'Warehouse', url, kinds: ['*'], ...fields }))).data
}

const arrived = (receiver: Receiver, count: number) => until(async () => receiver.received.length >= count)
const idsIn = ({ received }: Receiver) => received.map(({ body }) => body.id)

async function logOf({ admin }: TestCompany, { id }: { id: number }, query = ''): Promise<Delivery[]> {
  return (await admin.get(`/webhooks/${id}/deliveries${query}`)).body.data
}

const attemptsOf = async ({ admin }: TestCompany, webhook: { id: number }, delivery: { id: number }) =>
  (await admin.get(`/webhooks/${webhook.id}/deliveries/${delivery.id}/attempts`)).body.data

/** The log, once nothing in it is waiting any more. */
async function settledLog(company: TestCompany, webhook: { id: number }, count = 1): Promise<Delivery[]> {
  let log: Delivery[] = []
  await until(async () => {
    log = await logOf(company, webhook)
    return log.length >= count && log.every(({ state }) => state !== 'pending')
  })
  return log
}

async function furnish() {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  return { company, project, list }
}

const change = (webhook: { id: number }, assignments: string) =>
  app.database.pool.query(`update webhooks set ${assignments} where id = $1`, [webhook.id])

/** Deliveries as a worker leaves them, with these values. */
const leave = ({ id }: TestCompany, webhook: { id: number }, fields: Record<string, string>, count = 1) =>
  app.database.pool.query(
    `insert into webhook_deliveries
       (company_id, webhook_id, kind, change, record_id, project_id, at, ${Object.keys(fields).join(', ')})
     select $1, $2, 'task', 'created', 'tsk-' || n, 'prj-0', now(), ${Object.values(fields).join(', ')}
     from generate_series(1, $3::int) n`,
    [id, webhook.id, count],
  )

const shown = async ({ admin }: TestCompany, { id }: { id: number }) => (await admin.get(`/webhooks/${id}`)).body.data

const told = async ({ admin }: TestCompany) => {
  await tellPeople(app)
  return (await admin.get('/notifications')).body.data
    .filter(({ kind }: { kind: string }) => kind.startsWith('webhook'))
    .map(({ kind, user }: { kind: string; user: { id: number } }) => [kind, user.id])
    .sort()
}

describe('A change', () => {
  it('is told to a webhook: who did what to which record, and what the record is now, signed', async () => {
    const { company, project, list } = await furnish()
    const receiver = await startReceiver()
    const webhook = await newWebhook(company, receiver)
    const task = await newTask(company, list.id, { title: 'شراء الأثاث' })
    work()
    await arrived(receiver, 1)
    const { text, headers } = receiver.received[0] as (typeof receiver.received)[number]
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
    expect(await settledLog(company, webhook)).toEqual([
      {
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
      },
    ])
  })

  it('of any kind is as the description says: where the record is, and what its GET gives', async () => {
    const { company, project, list } = await furnish()
    const post = async (path: string, body: object) => (await created(company.api.post(path, body))).data
    const task = await newTask(company, list.id, { due_at: '2027-02-01', assignee_email: company.owner.email })
    const discussion = await newDiscussion(company, project.id)
    const receiver = await startReceiver()
    const webhook = await newWebhook(company, receiver)
    const folder = await post(`/projects/${project.id}/folders`, { name: 'Plans' })
    const link = await newLink(company, project.id)
    const inFolder = await newLink(company, project.id, { folder_id: folder.id })
    const comments: Record<string, { id: number }> = {}
    for (const at of [`/lists/${list.id}`, `/tasks/${task.id}`, `/discussions/${discussion.id}`])
      comments[at] = await newComment(company, at)
    const named = { external_id: 'crm-77', metadata: { stage: 'review' } }
    const patched = [`/projects/${project.id}`, `/lists/${list.id}`, `/tasks/${task.id}`]
    for (const path of [...patched, `/discussions/${discussion.id}`])
      expect([path, (await company.api.patch(path, named)).status]).toEqual([path, 200])
    expect((await company.admin.post(`/webhooks/${webhook.id}/test`)).status).toBe(200)
    const fields = ['external_id', 'metadata']
    const ofComments = Object.entries(comments).map(([at, { id }]) => {
      const kind = { lists: 'task_list', tasks: 'task', discussions: 'discussion' }[at.split('/')[1] as string]
      return [id, 'comment.created', kind, at.split('/')[2], null, `${at}/comments/${id}`]
    })
    const expected = [
      [folder.id, 'folder.created', null, null, null, `/projects/${project.id}/folders/${folder.id}`],
      [link.ref, 'file.created', null, null, null, `/projects/${project.id}/files/${link.ref}`],
      [inFolder.ref, 'file.created', 'folder', folder.id, null, `/projects/${project.id}/files/${inFolder.ref}`],
      ...ofComments,
      [project.id, 'project.updated', null, null, fields, `/projects/${project.id}`],
      [list.id, 'task_list.updated', null, null, fields, `/lists/${list.id}`],
      [task.id, 'task.updated', 'task_list', list.id, fields, `/tasks/${task.id}`],
      [discussion.id, 'discussion.updated', null, null, fields, `/discussions/${discussion.id}`],
    ]
    work()
    await arrived(receiver, expected.length + 1)
    const messages = new Map(receiver.received.map(({ body }) => [`${body.type} ${body.id}`, body]))
    for (const [id, type, parent_kind, parent_id, fields, address] of expected) {
      const { data } = (await company.api.get(address as string)).body
      expect(messages.get(`${type} ${id}`), String(type)).toMatchObject({ type, parent_kind, parent_id, fields, data })
    }

    const description = JSON.parse(JSON.stringify(describeApi()))
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajvFormats.default(ajv)
    ajv.addSchema(description, 'description')
    expect(Object.keys(description.webhooks).sort()).toEqual([...CHANGED_KINDS, 'ping'].sort())
    for (const { body, headers } of receiver.received) {
      const [kind] = body.type.split('.')
      const $ref = `description#/webhooks/${kind}/post/requestBody/content/application~1json/schema`
      const isValid = ajv.compile({ $ref })
      expect([body.type, isValid(body), isValid.errors]).toEqual([body.type, true, null])
      const { parameters, requestBody } = description.webhooks[kind].post
      for (const { name } of parameters) expect(headers[name]).toEqual(expect.any(String))
      const { properties } = requestBody.content['application/json'].schema
      expect(Object.keys(body).sort()).toEqual(Object.keys(properties).sort())
    }
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
    const carried = receiver.received.map(({ body }) => [body.id, body.type, body.data])
    expect(carried.sort()).toEqual(
      [
        [large.id, 'task.created', null],
        [gone.id, 'task.created', null],
        [gone.id, 'task.deleted', null],
      ].sort(),
    )
  })

  it('is told to those who asked for its kind and its project', async () => {
    const { company, project, list } = await furnish()
    const elsewhere = await newList(company, (await app.diwan.project(company)).id)
    const asked: [object, string[]][] = [
      [{ kinds: ['*'] }, ['project.updated', 'task.completed', 'task.created', 'task.created']],
      [{ kinds: ['task.*'] }, ['task.completed', 'task.created', 'task.created']],
      [{ kinds: ['task.completed', 'project.*'] }, ['project.updated', 'task.completed']],
      [{ kinds: ['file.*', 'project.archived'] }, []],
      [{ kinds: ['task.*'], project: project.id }, ['task.completed', 'task.created']],
    ]
    const receiver = await startReceiver()
    const webhooks = []
    for (const [fields] of asked) webhooks.push(await newWebhook(company, receiver, fields))
    const task = await newTask(company, list.id)
    await newTask(company, elsewhere.id)
    await company.api.post(`/tasks/${task.id}/complete`)
    await company.api.patch(`/projects/${project.id}`, { description: 'Changed' })
    work()
    await settledLog(company, webhooks[0], 4)
    for (const [n, [fields, types]] of asked.entries()) {
      const log = await settledLog(company, webhooks[n], types.length)
      expect([fields, log.map(delivery => (delivery as unknown as { type: string }).type).sort()]).toEqual([
        fields,
        types,
      ])
    }
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
    expect([idsIn(receiver), (await settledLog(company, webhook)).length]).toEqual([[task.id], 1])
  })
})

describe('A delivery', () => {
  async function oneChange(receiver: Receiver, pausesMs?: number[]) {
    const { company, list } = await furnish()
    const webhook = await newWebhook(company, receiver)
    const task = await newTask(company, list.id, { title: 'شراء الأثاث' })
    work(pausesMs)
    return { company, webhook, task, list }
  }

  it('that fails is attempted again under the same id; each attempt tells what was sent and what came back', async () => {
    const receiver = await startReceiver((response, message, received) =>
      received.length === 1 ? refused(503)(response, message, received) : response.end('Thanks'),
    )
    const { company, webhook } = await oneChange(receiver)
    const [delivery] = (await settledLog(company, webhook)) as [Delivery]
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2, status: 200, error: null, response: 'Thanks' })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await shown(company, webhook)).failing_since).toBeNull()
    const single = await company.admin.get(`/webhooks/${webhook.id}/deliveries/${delivery.id}`)
    expect(single.body.data).toEqual(delivery)
    const attempts = await attemptsOf(company, webhook, delivery)
    expect(attempts).toMatchObject([
      { at: INSTANT, status: 200, error: null, response: 'Thanks', ms: expect.any(Number) },
      { at: INSTANT, status: 503, error: 'status_503', response: 'No: 503' },
    ])
    for (const [n, { request }] of attempts.entries()) {
      const { headers, text } = receiver.received[1 - n] as (typeof receiver.received)[number]
      expect([request.url, request.body]).toEqual([receiver.url, text])
      expect(headers).toMatchObject(request.headers)
    }
    const other = await newWebhook(company, receiver)
    for (const [hook, id] of [
      [other, delivery.id],
      [webhook, 999_999_999],
    ])
      for (const send of [
        company.admin.get(`/webhooks/${hook.id}/deliveries/${id}`),
        company.admin.get(`/webhooks/${hook.id}/deliveries/${id}/attempts`),
        company.admin.post(`/webhooks/${hook.id}/deliveries/${id}/replay`),
      ])
        expectRefusal(await send, 404, 'not_found')
  })

  it('is given up after ten attempts; its last ten are kept, a replay included', async () => {
    const receiver = await startReceiver(refused(500))
    const { company, webhook } = await oneChange(receiver)
    const [delivery] = (await settledLog(company, webhook)) as [Delivery]
    const failed = { state: 'failed', attempts: 10, status: 500, error: 'status_500', response: 'No: 500' }
    expect(delivery).toMatchObject({ ...failed, next_attempt_at: null })
    expect(receiver.received).toHaveLength(10)
    expect(await shown(company, webhook)).toMatchObject({ active: true, failing_since: INSTANT })
    const first = await attemptsOf(company, webhook, delivery)
    expect(first).toHaveLength(10)
    receiver.answer(taken)
    await company.admin.post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/replay`)
    await until(async () => (await settledLog(company, webhook))[0]?.state === 'delivered')
    const [last, ...others] = await attemptsOf(company, webhook, delivery)
    expect([last.status, others]).toEqual([200, first.slice(0, 9)])
  })

  it('is not sent, and fails, where the secret cannot be read any more', async () => {
    const { company, list } = await furnish()
    const webhook = await newWebhook(company, await startReceiver())
    await change(webhook, `secret = 'x'`)
    await newTask(company, list.id)
    work([])
    const [delivery] = (await settledLog(company, webhook)) as [Delivery]
    expect(await attemptsOf(company, webhook, delivery)).toMatchObject([
      { status: null, error: 'secret_unreadable', request: null },
    ])
  })

  it('is found by its state, page by page; a state that does not exist finds none', async () => {
    const company = await app.diwan.company()
    const webhook = await newWebhook(company, await startReceiver())
    const later = `now() + interval '1 hour'`
    for (const [state, attempts] of [
      ['failed', 10],
      ['delivered', 1],
      ['failed', 3],
      ['pending', 1],
      ['pending', 0],
    ])
      await leave(company, webhook, { state: `'${state}'`, attempts: String(attempts), next_attempt_at: later })
    for (const [query, attempts] of [
      ['failed', [3, 10]],
      ['delivered', [1]],
      ['pending', [0, 1]],
      ['retrying', [1]],
      ['constructor', []],
      ['', [0, 1, 3, 1, 10]],
    ] as const) {
      const { data, meta } = (await company.admin.get(`/webhooks/${webhook.id}/deliveries?state=${query}`)).body
      expect([query, data.map((each: Delivery) => each.attempts), meta.total]).toEqual([
        query,
        attempts,
        attempts.length,
      ])
    }
    const path = `/webhooks/${webhook.id}/deliveries?state=failed&limit=1`
    const first = (await company.admin.get(path)).body.meta.next_cursor
    const { data, meta } = (await company.admin.get(`${path}&cursor=${first}`)).body
    expect([data[0].attempts, meta.total, meta.next_cursor]).toEqual([10, 2, null])
  })

  it('waits as long as the receiver asks', async () => {
    const receiver = await startReceiver(refused(429, { 'retry-after': '600' }))
    const { company, webhook } = await oneChange(receiver)
    await until(async () => (await logOf(company, webhook))[0]?.attempts === 1)
    const { rows } = await app.database.pool.query(
      `select extract(epoch from next_attempt_at - last_attempt_at)::int as pause from webhook_deliveries where webhook_id = $1`,
      [webhook.id],
    )
    expect(rows).toEqual([{ pause: 600 }])
  })

  it('to a receiver that answers 410 is the last one: the webhook is switched off, audited and told of', async () => {
    const receiver = await startReceiver(refused(410))
    const { company, webhook, list } = await oneChange(receiver)
    await until(async () => !(await shown(company, webhook)).active)
    expect(await shown(company, webhook)).toMatchObject({ switched_off_at: INSTANT, switched_off_because: 'gone' })
    expect(await logOf(company, webhook)).toMatchObject([{ state: 'failed', attempts: 1, error: 'status_410' }])
    const [entry] = (await company.admin.get('/audit?limit=1')).body.data
    expect(entry).toMatchObject({
      operation: 'webhooks:write',
      reason: 'Switched off by Diwan: the receiver answered 410.',
      by: { kind: 'operator' },
      target: { type: 'webhook', id: webhook.id },
      changes: { active: null },
    })
    expect(await told(company)).toEqual([['webhook_switched_off', company.owner.id]])
    const other = await startReceiver()
    await newWebhook(company, other)
    await newTask(company, list.id)
    await arrived(other, 1)
    expect([receiver.received.length, (await logOf(company, webhook)).length]).toEqual([1, 1])
  })

  it('is never one of more than two to the same webhook at the same moment, however many workers there are', async () => {
    const receiver = await startReceiver(response => setTimeout(() => response.end(), 30))
    const { company, list } = await furnish()
    const webhook = await newWebhook(company, receiver)
    const tasks = Array(12).fill({ title: 'One of many' })
    await created(company.api.post(`/lists/${list.id}/tasks/batch`, { tasks }))
    for (let n = 0; n < 4; n++) work()
    const log = await settledLog(company, webhook, 12)
    expect(log.filter(({ state }) => state === 'delivered')).toHaveLength(12)
    expect(receiver.received).toHaveLength(12)
    expect(receiver.mostAtOnce()).toBeLessThanOrEqual(2)
  })

  it('that is under way when the worker stops is let go of at once, or later when it is killed, and does not count', async () => {
    const receiver = await startReceiver(() => {})
    const { company, webhook } = await oneChange(receiver, NEVER)
    await arrived(receiver, 1)
    await rest()
    expect(await logOf(company, webhook)).toMatchObject([{ state: 'pending', attempts: 0 }])
    const claimed = { claim: 'gen_random_uuid()', next_attempt_at: `now() + interval '1 second'` }
    await leave(company, webhook, claimed)
    receiver.answer(taken)
    work()
    await arrived(receiver, 3)
    expect(await settledLog(company, webhook, 2)).toMatchObject(Array(2).fill({ state: 'delivered', attempts: 1 }))
  })
})

it('A webhook that has nothing but failures is told of after a day, once, and switched off after five', async () => {
  const { company, list } = await furnish()
  const administrator = await app.diwan.person(company.id, { can_manage_api_keys: true })
  await app.diwan.person(company.id, { role: 'manager' })
  const receiver = await startReceiver(refused(500))
  const webhook = await newWebhook(company, receiver)
  const failAfter = async (hours: number, attempts: number) => {
    await change(webhook, `failing_since = now() - interval '${hours} hours'`)
    await newTask(company, list.id)
    work(NEVER)
    await until(async () => (await logOf(company, webhook, '?state=retrying')).length === attempts)
    await rest()
  }
  const toldOf = (kinds: string[]) => kinds.flatMap(kind => [company.owner.id, administrator.id].map(id => [kind, id]))
  for (const [n, [hours, kinds]] of (
    [
      [23, []],
      [25, ['webhook_failing']],
      [119, ['webhook_failing']],
      [121, ['webhook_failing', 'webhook_switched_off']],
    ] as const
  ).entries()) {
    await failAfter(hours, n + 1)
    expect([hours, await told(company)]).toEqual([hours, toldOf([...kinds]).sort()])
    expect((await shown(company, webhook)).active).toBe(hours !== 121)
  }
  expect((await shown(company, webhook)).switched_off_because).toBe('failing')
  const [entry] = (await company.admin.get('/audit?limit=1')).body.data
  expect(entry).toMatchObject({ reason: 'Switched off by Diwan: every delivery failed for 5 days.' })
})

describe('A replay', () => {
  it('of a delivery sends it again under the same id, whether it failed or not, and is audited', async () => {
    const { company, list } = await furnish()
    const receiver = await startReceiver((response, message) =>
      message.body.data.title === 'Fails' ? refused(500)(response, message, []) : response.end(),
    )
    const webhook = await newWebhook(company, receiver)
    await newTask(company, list.id)
    await newTask(company, list.id, { title: 'Fails' })
    work([])
    const [failed, passed] = (await settledLog(company, webhook, 2)) as [Delivery, Delivery]
    expect([failed.state, passed.state]).toEqual(['failed', 'delivered'])
    receiver.answer(taken)
    for (const delivery of [failed, passed]) {
      const { status, body } = await company.admin.post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/replay`)
      expect([status, body.data]).toMatchObject([200, { id: delivery.id, state: 'pending', attempts: 0 }])
    }
    await arrived(receiver, 4)
    const again = receiver.received.slice(2).map(({ headers }) => headers['webhook-id'])
    expect(again.sort()).toEqual([failed.message_id, passed.message_id].sort())
    const audited = { target: { type: 'webhook', id: webhook.id, name: 'Warehouse' }, changes: { deliveries: null } }
    expect((await company.admin.get('/audit?limit=3')).body.data).toMatchObject([
      audited,
      audited,
      { operation: 'webhooks:write', changes: { name: null } },
    ])
  })

  it('since a time begins failed and retried deliveries again, or all but those that wait for their first attempt', async () => {
    const company = await app.diwan.company()
    const webhook = await newWebhook(company, await startReceiver())
    const states = { failed: 10, delivered: 1, pending: 0 }
    const later = `now() + interval '1 hour'`
    for (const [state, attempts] of [...Object.entries(states), ['pending', 2]])
      await leave(company, webhook, { state: `'${state}'`, attempts: String(attempts), next_attempt_at: later })
    const [retried, waiting, delivered, failed] = (await logOf(company, webhook)).map(({ id }) => id)
    const replay = async (body: object) => {
      await app.database.pool.query(
        `update webhook_deliveries d set state = l.state, attempts = l.attempts, next_attempt_at = ${later}
         from (values ($1::bigint, 'pending', 2), ($2, 'delivered', 1), ($3, 'failed', 10)) l (id, state, attempts)
         where d.id = l.id`,
        [retried, delivered, failed],
      )
      const { data } = (await company.admin.post(`/webhooks/${webhook.id}/replay`, body)).body
      const { rows } = await app.database.pool.query(
        `select id from webhook_deliveries where webhook_id = $1 and state = 'pending' and attempts = 0
           and next_attempt_at <= now() order by id desc`,
        [webhook.id],
      )
      return [data.replayed, rows.map(({ id }) => id)]
    }
    expect(waiting).toBeGreaterThan(0)
    const since = new Date(Date.now() - 60_000).toISOString()
    expect(await replay({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([0, []])
    expect(await replay({ since, failed_only: true })).toEqual([2, [retried, failed]])
    expect(await replay({ since })).toEqual([3, [retried, delivered, failed]])
    for (const [field, body] of [
      ['since', {}],
      ['since', { since: 'yesterday' }],
      ['failed_only', { since: '2026-01-01', failed_only: 'yes' }],
    ] as const) {
      const answer = await company.admin.post(`/webhooks/${webhook.id}/replay`, body)
      expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(new RegExp(`^${field} `)))
    }
  })
})

it('A webhook for which 10,000 deliveries wait is given no more, and loses nothing: they follow when there is room', {
  tags: 'long',
}, async () => {
  const { company, list } = await furnish()
  const [receiver, other] = [await startReceiver(), await startReceiver()]
  const webhook = await newWebhook(company, receiver)
  await newWebhook(company, other)
  await leave(company, webhook, { next_attempt_at: `now() + interval '1 hour'` }, 10_000)
  const task = await newTask(company, list.id)
  work()
  await arrived(other, 1)
  expect((await company.admin.get(`/webhooks/${webhook.id}/deliveries`)).body.meta).toMatchObject({ total: 10_000 })
  await app.database.pool.query(
    `update webhook_deliveries set state = 'failed' where id = (
       select min(id) from webhook_deliveries where webhook_id = $1)`,
    [webhook.id],
  )
  await arrived(receiver, 1)
  expect(idsIn(receiver)).toEqual([task.id])
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
  expect(idsIn(receiver)).toEqual([task.id])
})
