import { expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { created } from '../support/diwan.ts'
import { startReceiver } from '../support/receiver.ts'
import { embedded, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

it('A request, the job that it leads to and what webhooks are told are one trace, without anything that people wrote', async () => {
  const collector = await startCollector()
  const receiver = await startReceiver()
  const server = await serve({
    ...embedded(),
    ALLOW_PRIVATE_WEBHOOKS: 'on',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
  })
  const company = await server.diwan.company()
  const { id: project } = await server.diwan.project(company)
  await created(company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['file.created'] }))
  const answer = await fetch(`${server.url}/api/v1/projects/${project}/files?reason=of-the-query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${company.key}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify({ name: 'خطة.txt', content: 'سر' }),
  })
  expect(answer.status).toBe(201)
  const named = (name: string) => collector.spans().filter(span => span.traceId === TRACE && span.name === name)
  const names = ['POST /api/v1/projects/:project/files', 'job scan-file', 'POST webhook']
  await until(async () => names.every(name => named(name).length === 1))
  expect(named(names[0] as string)[0]).toMatchObject({ parentSpanId: CALLER, isFailed: false })
  expect(receiver.received[0]?.headers.traceparent).toBe(`00-${TRACE}-${named('POST webhook')[0]?.spanId}-01`)
  await server.end('SIGTERM')
  const sent = collector.received.map(({ text }) => text).join('\n')
  for (const secret of ['خطة', 'سر', company.key, 'of-the-query']) expect(sent).not.toContain(secret)
})
