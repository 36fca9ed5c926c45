import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { afterAll, expect, it } from 'vitest'
import { describeApi } from '../../src/descriptions.ts'
import { CHANGED_KINDS } from '../../src/domain/records/records.ts'
import { useApp } from '../support/app.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/servers.ts'
import { startTestWebhooks } from '../support/worker.ts'

const app = useApp({ allowPrivateWebhooks: true })
const workers: { stop(): Promise<void> }[] = []
afterAll(() => Promise.all(workers.map(worker => worker.stop())))

it('Every kind of message is described, and is as the description says', async () => {
  const description = JSON.parse(JSON.stringify(describeApi()))
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addSchema(description, 'description')
  const schemaOf = (name: string) =>
    ajv.compile({ $ref: `description#/webhooks/${name}/post/requestBody/content/application~1json/schema` })

  const company = await app.diwan.company()
  const project = await app.diwan.project(company)
  const receiver = await startReceiver()
  const { body } = await company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['*'] })
  const list = await newList(company, project.id)
  const task = await newTask(company, list.id, { due_at: '2027-02-01', assignee_email: company.owner.email })
  await newComment(company, `/tasks/${task.id}`)
  await newDiscussion(company, project.id)
  await company.api.post(`/projects/${project.id}/folders`, { name: 'Plans' })
  await newLink(company, project.id)
  await company.api.patch(`/projects/${project.id}`, { name: 'Renamed' })
  await company.api.delete(`/tasks/${task.id}`)
  await company.admin.post(`/webhooks/${body.data.id}/test`)
  workers.push(startTestWebhooks(app, [20]))

  const kindOf = (message: { type: string }) => message.type.split('.')[0] as string
  const kinds = () => new Set(receiver.received.map(({ body: message }) => kindOf(message)))
  await until(async () => kinds().size === CHANGED_KINDS.length + 1)
  await until(async () => receiver.received.some(({ body: message }) => message.type === 'task.deleted'))
  expect(kinds()).toEqual(new Set(Object.keys(description.webhooks)))
  for (const { body: message, headers } of receiver.received) {
    const isValid = schemaOf(kindOf(message))
    expect([message.type, isValid(message), isValid.errors]).toEqual([message.type, true, null])
    const { parameters } = description.webhooks[kindOf(message)].post
    for (const { name } of parameters) expect(headers[name]).toEqual(expect.any(String))
    // The description leaves nothing out that is sent.
    const { properties } = description.webhooks[kindOf(message)].post.requestBody.content['application/json'].schema
    expect(Object.keys(message).sort()).toEqual(Object.keys(properties).sort())
  }
})
