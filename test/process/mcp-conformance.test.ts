import { beforeAll, describe, expect, it } from 'vitest'
import { PROTOCOLS } from '../support/agent.ts'
import { type Outcome, runAuthorizationConformance, runConformance } from '../support/conformance.ts'
import { appAt } from '../support/oauth.ts'
import { type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'

/** Scenarios of the suite that need something that Diwan does not offer, and why it does not. */
const NOT_OFFERED: Record<string, string[]> = {
  'Agents read records with tools: there are no resources': [
    'resources-list',
    'resources-read-binary',
    'resources-read-text',
    'resources-subscribe',
    'resources-templates-read',
    'resources-unsubscribe',
  ],
  'There are no prompts, and so no arguments to complete': [
    'completion-complete',
    'prompts-get-embedded-resource',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-with-image',
    'prompts-list',
  ],
  'They call tools of the reference server; ours answer with text, and test/mcp calls each of them': [
    'json-schema-2020-12',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-error',
    'tools-call-image',
    'tools-call-mixed-content',
    'tools-call-simple-text',
  ],
  'A call is answered at once: it reports no progress and sends no log messages': [
    'logging-set-level',
    'tools-call-with-logging',
    'tools-call-with-progress',
  ],
  'Tools ask nothing back, neither of people nor of their models': [
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'input-required-result-basic-elicitation',
    'input-required-result-basic-list-roots',
    'input-required-result-basic-sampling',
    'input-required-result-capability-check',
    'input-required-result-multi-round',
    'input-required-result-multiple-input-requests',
    'input-required-result-non-tool-request',
    'input-required-result-request-state',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'tools-call-elicitation',
    'tools-call-sampling',
  ],
  'No tool takes an argument from a header': ['http-custom-header-server-validation'],
  'An extension for calls that take long: ours do not': [
    'tasks-capability-negotiation',
    'tasks-dispatch-and-envelope',
    'tasks-lifecycle',
    'tasks-mrtr-composition',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-request-state-removal',
    'tasks-required-task-error',
    'tasks-wire-fields',
  ],
}

/** Most of these scenarios applies. The other checks need prompts, resources, subscriptions or tools of the reference server. */
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

const APPLIES = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': ['caching', 'dns-rebinding-protection', 'http-header-validation', 'server-stateless', 'tools-list'],
}

let server: ServerProcess
beforeAll(async () => {
  server = await serve(withoutJobs())
})

describe.each(PROTOCOLS)('By the conformance suite of the protocol, with %s', revision => {
  let outcome: Outcome
  beforeAll(async () => {
    const { key } = await server.diwan.company()
    outcome = await runConformance(server.url, key, revision)
  })

  it('Diwan does all that applies to it', () => {
    expect(Object.keys(outcome)).toEqual(expect.arrayContaining(APPLIES[revision]))
    const notOffered = Object.values(NOT_OFFERED).flat()
    const failures = Object.entries(outcome).filter(([name, failed]) => failed.length > 0 && !notOffered.includes(name))
    const expected = Object.entries(PARTLY_OFFERED).filter(([name]) => name in outcome)
    expect(Object.fromEntries(failures)).toEqual(Object.fromEntries(expected))
  })

  it('what is said not to be offered is not, and is refused in valid messages', () => {
    for (const name of Object.values(NOT_OFFERED)
      .flat()
      .filter(name => name in outcome))
      expect([name, outcome[name]]).not.toEqual([name, []])
    const invalid = Object.entries(outcome).filter(([, failed]) => failed.some(id => id.startsWith('wire-schema')))
    expect(invalid).toEqual([])
  })
})

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
