import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll } from 'vitest'

/** Both are served at one address: the first begins with a handshake; in the second, every request stands alone. */
export const PROTOCOLS = ['2025-11-25', '2026-07-28'] as const
export type Protocol = (typeof PROTOCOLS)[number]

const connected: Client[] = []
afterAll(async () => {
  for (const client of connected.splice(0)) await client.close()
})

/** Connects as a real agent does, with the official client of the protocol. */
export async function connectAgent(
  url: string,
  key: string,
  protocol: Protocol = '2026-07-28',
  more: Record<string, string> = {},
): Promise<Client> {
  const mode = protocol === '2025-11-25' ? 'legacy' : { pin: protocol }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${key}`, ...more }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  connected.push(client)
  return client
}

export const toolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort()

/** Calls a tool and returns its texts. The first is parsed as JSON, unless the tool reported an error. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const texts = content.map(each => (each.type === 'text' ? each.text : ''))
  return { isError, texts, answer: isError ? undefined : JSON.parse(texts[0] ?? '') }
}
