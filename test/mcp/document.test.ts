import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useApp } from '../support/app.ts'
import { documented } from '../support/documented.ts'

const app = useApp()
const DOCUMENT = 'docs/agents.md'

describe('The page about agents', () => {
  it('has configurations with which a client connects', async () => {
    const { key } = await app.diwan.company()
    const configurations = documented(DOCUMENT, 'Connecting with a key', 'json').map(text => JSON.parse(text))
    expect(configurations).toHaveLength(2)
    for (const { servers, mcpServers } of configurations) {
      const { url, headers } = (servers ?? mcpServers).diwan
      const authorization = headers.Authorization.replace(/\$\{(?:input:diwan-key|env:DIWAN_KEY)\}/, key)
      const client = new Client({ name: 'test', version: '1.0.0' })
      const address = new URL(new URL(url).pathname, app.url)
      await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization } } }))
      expect((await client.listTools()).tools.length).toBeGreaterThan(20)
      await client.close()
    }
    const [command = ''] = documented(DOCUMENT, 'Connecting with a key')
    expect(command).toContain('http://127.0.0.1:3000/mcp --header "Authorization: Bearer $DIWAN_KEY"')
  })

  it('lists every tool below its resource, and nothing else', () => {
    const rows = readFileSync(DOCUMENT, 'utf8').matchAll(/^\| `(\w+)` \| (`.+`) \|$/gm)
    const listed = [...rows].flatMap(([, resource, cells = '']) =>
      [...cells.matchAll(/`(\w+)`/g)].map(([, tool]) => `${resource} ${tool}`),
    )
    const declared = apiEndpoints.flatMap(({ tool, operation }) => (tool ? [`${operation.split(':')[0]} ${tool}`] : []))
    expect(listed.sort()).toEqual(declared.sort())
  })
})

it('The SDK is loaded when the first agent comes: the server imports nothing but its types', () => {
  const loading = ['answer-message', 'call-tool', 'mount', 'short-answer', 'tool-schema', 'tools'].flatMap(name => {
    const lines = readFileSync(`src/mcp/${name}.ts`, 'utf8').split('\n')
    return lines.filter(line => line.includes('@modelcontextprotocol/') && !line.startsWith('import type'))
  })
  expect(loading).toEqual([expect.stringContaining("await import('@modelcontextprotocol/server')")])
})
