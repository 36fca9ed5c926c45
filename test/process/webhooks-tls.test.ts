import { expect, it } from 'vitest'
import { makeCertificate } from '../support/certificate.ts'
import { describeWith } from '../support/describe-with.ts'
import { created } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { startReceiver, taken } from '../support/receiver.ts'
import { embedded, newFolder, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

describeWith('openssl', 'Over TLS', () => {
  it('a webhook is delivered to whoever shows a trusted certificate, and nobody else is told anything', async () => {
    const certificate = makeCertificate(newFolder())
    const [trusted, untrusted] = [
      await startReceiver(taken, certificate),
      await startReceiver(taken, makeCertificate(newFolder())),
    ]
    const trust = { ALLOW_PRIVATE_WEBHOOKS: 'on', NODE_EXTRA_CA_CERTS: certificate.file }
    const { diwan } = await serve({ ...embedded(), ...trust })
    const company = await diwan.company()
    await created(company.admin.post('/webhooks', { name: 'TLS', url: trusted.url, kinds: ['task.created'] }))
    const other = (await created(company.admin.post('/webhooks', { name: 'No', url: untrusted.url, kinds: ['*'] })))
      .data
    const task = await newTask(company, (await newList(company, (await diwan.project(company)).id)).id)
    await until(async () => trusted.received.length > 0)
    expect(trusted.received[0]?.body).toMatchObject({ type: 'task.created', id: task.id })
    const { body } = await company.admin.post(`/webhooks/${other.id}/test`, {})
    expect(body.data).toMatchObject({ delivered: false, error: 'tls' })
    expect(untrusted.received).toEqual([])
  })
})
