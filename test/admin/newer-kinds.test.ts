import { afterEach, expect, it } from 'vitest'
import { registerSteps } from '../../src/domain/upkeep/upkeep.ts'
import { startUpkeep } from '../../src/jobs/upkeep/start.ts'
import { STEPS } from '../../src/jobs/upkeep/steps.ts'
import { OPERATOR_TOKEN, useOwnApp } from '../support/app.ts'
import { created } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/servers.ts'
import { upkeepParts } from '../support/upkeep.ts'
import { startTestWebhooks, startTestWorker } from '../support/worker.ts'

// While a release is rolled out, and after it was rolled back, a node finds what only the newer one knows.

const app = useOwnApp({ allowPrivateWebhooks: true })
const ask = <T>(query: string, values: unknown[] = []) => app.database.db.raw<T>(query, values)
const running: { stop(): Promise<void> }[] = []
afterEach(() => Promise.all(running.splice(0).map(each => each.stop())))

it('A job of a kind that only a newer release knows stays where it is, and if it has failed, is listed and can be retried', async () => {
  await ask(`select pgboss.create_queue('paint-labels', '{"retryLimit": 14}')`)
  const company = await app.diwan.company()
  await ask(`insert into pgboss.job (name, data) values ('paint-labels', $1)`, [{ company_id: company.id }])
  running.push(startTestWorker(app, upkeepParts(app).scanner))
  const { id } = await newList(company, (await app.diwan.project(company)).id)
  await company.api.delete(`/lists/${id}`)
  await until(async () => !('remove-list' in (await app.jobs.waiting())))
  expect(await ask(`select state::text, retry_count from pgboss.job where name = 'paint-labels'`)).toEqual([
    { state: 'created', retry_count: 0 },
  ])
  await ask(`update pgboss.job set state = 'failed', completed_on = now() where name = 'paint-labels'`)
  const { operator } = app.diwan
  const { status, body } = await operator.get('/jobs/failed')
  expect([status, body.data]).toMatchObject([200, [{ kind: 'paint-labels', reason: 'A job could not be done.' }]])
  expect((await operator.post(`/jobs/failed/${body.data[0].id}/retry`)).status).toBe(200)
})

it('An entry of such a kind breaks neither the feed nor the webhooks, and its delivery is left for the newer release', async () => {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  const receiver = await startReceiver()
  await created(company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['*'] }))
  const before = await cursorOfNow(app, company.api)
  const stream = await fetch(`${app.url}/api/v1/company/changes`, {
    headers: { authorization: `Bearer ${company.key}`, accept: 'text/event-stream', 'last-event-id': before },
  })
  await ask(
    `insert into changes (company_id, kind, change, record_id, project_id) values ($1, 'label', 'painted', 'lbl-1', $2)`,
    [company.id, project.id],
  )
  const task = await newTask(company, list.id)
  const told = await entriesAfter(app, company.api, before)
  expect(told.filter(({ kind }: { kind: string }) => kind === 'task')).toMatchObject([{ id: task.id }])
  expect((await company.admin.get('/changes')).status).toBe(200)

  const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
  let streamed = ''
  while (!streamed.includes(task.id)) streamed += Buffer.from((await reader.read()).value ?? []).toString()
  await reader.cancel()

  running.push(startTestWebhooks(app, [10]))
  await until(async () => receiver.received.some(({ body }) => body.id === task.id))
  const left = () =>
    ask(
      `select state, attempts, claim is null as is_free from webhook_deliveries where company_id = $1 and kind = 'label'`,
      [company.id],
    )
  await until(async () => JSON.stringify(await left()) === '[{"state":"pending","attempts":0,"is_free":true}]')
})

it('A step of the upkeep that only a newer release knows rests while this one starts, and that one goes on with it', async () => {
  const newer = { name: 'repaint', everySeconds: 3_600, run: async function* () {} }
  const { db } = app.database
  const shows = async (state: string, isShown: boolean) => {
    const { data } = (await app.diwan.operator.get('/health')).body
    const upkeep = data.parts.find(({ name }: { name: string }) => name === 'upkeep')
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const metrics = await (await fetch(`${app.url}/metrics`, { headers })).text()
    return upkeep.state === state && metrics.includes('step="repaint"') === isShown
  }
  await registerSteps(db, [...STEPS, newer])
  await ask(`update upkeep set done_at = now() - interval '1 day' where step = 'repaint'`)
  await until(() => shows('degraded', true))
  await registerSteps(db, STEPS)
  await until(() => shows('ok', false))
  running.push(startUpkeep(upkeepParts(app), [newer]))
  await until(() => shows('ok', true))
})
