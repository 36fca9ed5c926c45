import { beforeAll, expect, it } from 'vitest'
import { PROTOCOLS } from '../support/agent.ts'
import { type Outcome, runAuthorizationConformance, runConformance } from '../support/conformance.ts'
import { appAt } from '../support/oauth.ts'
import { type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'

/** The scenarios for a server with tools alone. The suite also asks for prompts, resources, and tools of the reference server. */
const APPLIES = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': ['caching', 'dns-rebinding-protection', 'http-header-validation', 'server-stateless', 'tools-list'],
}

/** Most of these scenarios applies. The other checks need what is not offered. */
const PARTLY_OFFERED: Outcome = {
  caching: [
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ],
  'server-stateless': [
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-no-log-without-loglevel',
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-server-sends-subscription-ack',
    'sep-2575-server-tags-subscription-id',
  ],
}

let server: ServerProcess
beforeAll(async () => {
  server = await serve(withoutJobs())
})

it.each(PROTOCOLS)(
  'By the conformance suite of the protocol, with %s, Diwan does all that applies to it, in valid messages',
  async revision => {
    const { key } = await server.diwan.company()
    const outcome = await runConformance(server.url, key, revision)
    for (const name of APPLIES[revision]) expect([name, outcome[name]]).toEqual([name, PARTLY_OFFERED[name] ?? []])
    const invalid = Object.entries(outcome).filter(([, failed]) => failed.some(id => id.startsWith('wire-schema')))
    expect(invalid).toEqual([])
  },
)

it('By the same suite, Diwan grants access as an authorization server has to', async () => {
  const company = await server.diwan.company()
  const { register, open, grant } = appAt(server.url)
  const { client_id } = (await register({ redirect_uris: ['http://127.0.0.1/callback'] })).body
  const outcome = await runAuthorizationConformance(server.url, client_id, async url => {
    const { sentTo } = await grant(company.admin, await open(url))
    return sentTo.href
  })
  expect(outcome).toEqual({ 'authorization-server-metadata-endpoint': [], 'authorization-code-grant': [] })
})
