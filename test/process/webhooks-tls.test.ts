import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { makeCertificate } from '../support/certificate.ts'
import { created } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { startReceiver, taken } from '../support/receiver.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const env = (more: Env = {}): Env => ({
  DATA_DIR: newFolder(),
  SERVER_SECRET,
  OPERATOR_TOKEN,
  DEMO: 'off',
  ALLOW_PRIVATE_WEBHOOKS: 'on',
  ...more,
})

it('A webhook is delivered over TLS to whoever shows a certificate that the server trusts', async () => {
  const certificate = makeCertificate(newFolder())
  const receiver = await startReceiver(taken, certificate)
  const { diwan } = await serve(env({ NODE_EXTRA_CA_CERTS: certificate.file }))
  const company = await diwan.company()
  const { secret } = (
    await created(company.admin.post('/webhooks', { name: 'TLS', url: receiver.url, kinds: ['task.created'] }))
  ).data
  const task = await newTask(company, (await newList(company, (await diwan.project(company)).id)).id)
  await until(async () => receiver.received.length > 0)
  const [message] = receiver.received
  expect(new Webhook(secret).verify(message?.text ?? '', message?.headers as Record<string, string>)).toMatchObject({
    type: 'task.created',
    id: task.id,
  })
})

it('A webhook whose certificate nobody vouches for is told nothing, and its test says tls', async () => {
  const receiver = await startReceiver(taken, makeCertificate(newFolder()))
  const { diwan } = await serve(env())
  const company = await diwan.company()
  const webhook = (await created(company.admin.post('/webhooks', { name: 'TLS', url: receiver.url, kinds: ['*'] })))
    .data
  const { body } = await company.admin.post(`/webhooks/${webhook.id}/test`, {})
  expect(body.data).toMatchObject({ delivered: false, error: 'tls' })
  expect(receiver.received).toEqual([])
})
