import { expect, it } from 'vitest'
import { type CollectedSpan, startCollector } from '../support/collector.ts'
import { created } from '../support/diwan.ts'
import { startReceiver } from '../support/receiver.ts'
import { embedded, serve, withoutJobs } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

it('A request, what it leads to and what webhooks are told of it are one trace, without anything that people wrote', async () => {
  const collector = await startCollector()
  const receiver = await startReceiver()
  const server = await serve({
    ...embedded(),
    ALLOW_PRIVATE_WEBHOOKS: 'on',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20the%20collector',
    OTEL_SERVICE_NAME: 'diwan-test',
  })
  const company = await server.diwan.company()
  const { id: project } = await server.diwan.project(company)
  const kinds = ['file.created', 'file.scanned']
  await created(company.admin.post('/webhooks', { name: 'All', url: `${receiver.url}?token=of-the-hook`, kinds }))

  const answer = await fetch(`${server.url}/api/v1/projects/${project}/files?reason=of-the-query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${company.key}`,
      'content-type': 'application/json',
      'x-request-id': 'a-walk',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify({ name: 'خطة.txt', content: 'سر' }),
  })
  expect([answer.status, answer.headers.get('traceparent')]).toEqual([201, null])

  const trace = () => collector.spans().filter(({ traceId }) => traceId === TRACE)
  const named = (name: string) => trace().filter(span => span.name === name)
  await until(async () => named('POST webhook').length === 2 && named('job scan-file').length === 1, 60_000)
  const [request, job] = [named('POST /api/v1/projects/:project/files')[0], named('job scan-file')[0]]
  expect(request).toMatchObject({
    parentSpanId: CALLER,
    kind: 2,
    isFailed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 201,
      'diwan.operation': 'files:write',
      'diwan.company_id': company.id,
      'diwan.request_id': 'a-walk',
    },
  })
  expect(job).toMatchObject({ kind: 5, attributes: { 'diwan.company_id': company.id } })

  const above = ({ parentSpanId }: CollectedSpan) => trace().find(({ spanId }) => spanId === parentSpanId)
  const trailOf = (span: CollectedSpan): string[] => {
    const parent = above(span)
    return parent ? [...trailOf(parent), span.name] : [span.name]
  }
  const trails = () => trace().map(span => trailOf(span).join(' > '))
  // A span comes before the one that it is part of, which may be told a second later.
  await expect.poll(() => trails().filter(trail => !trail.startsWith(String(request?.name)))).toEqual([])
  expect(trails()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/ > gate > insert into calls_by_day/),
      expect.stringMatching(/files > transaction > insert into files/),
      expect.stringMatching(/files > transaction > job scan-file > transaction > update files/),
      expect.stringMatching(/files > transaction > POST webhook$/),
      expect.stringMatching(/ > job scan-file > transaction > POST webhook$/),
      expect.stringMatching(/ > POST webhook > transaction > /),
    ]),
  )

  const parents = named('POST webhook').map(({ spanId }) => `00-${TRACE}-${spanId}-01`)
  expect(receiver.received.map(({ headers }) => headers.traceparent).sort()).toEqual(parents.sort())
  await expect.poll(() => server.stderr()).toMatch(new RegExp(`"trace_id":"${TRACE}","request_id":"a-walk"`))
  await expect
    .poll(async () => (await company.admin.get('/requests?request_id=a-walk')).body.data[0]?.trace_id)
    .toBe(TRACE)

  await server.end('SIGTERM')
  const sent = collector.received.map(({ text }) => text).join('\n')
  expect(sent).toContain('diwan-test')
  for (const secret of ['خطة', 'سر', company.key, 'of-the-query', 'of-the-hook', project, 'operator-token'])
    expect(sent).not.toContain(secret)
  expect(collector.received.every(({ headers }) => headers['api-key'] === 'of the collector')).toBe(true)
})

it('A collector that hangs delays no answer, no start and no stop', async () => {
  const collector = await startCollector(() => {})
  const server = await serve({ ...withoutJobs(), OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
  const company = await server.diwan.company()
  await until(async () => collector.received.length > 0)
  for (let n = 0; n < 20; n++) expect((await company.api.get('/me')).status).toBe(200)
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
})
