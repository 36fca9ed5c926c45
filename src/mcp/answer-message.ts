import type { FastifyInstance } from 'fastify'
import { isAllowed } from '../api/gate.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { Field } from '../http/requests/field-problems.ts'
import type { Request } from '../http/requests/request.ts'
import { excerpt } from '../lib/text.ts'
import { callTool } from './call-tool.ts'
import { TOOLS, type Tool } from './tools.ts'
import { wantedTools } from './wanted-tools.ts'

const INSTRUCTIONS =
  'Diwan manages the projects, task lists, tasks and discussions of a company. Records are addressed by their id. ' +
  'Collections come 25 at a time: for more, repeat the call with meta.next_cursor as cursor.'

export interface AnswerParts {
  app: FastifyInstance
  version: string
  onError: (error: Error) => void
}

export interface Message {
  message: unknown
  /** How the numbers among the arguments of a call were written. */
  numbers: () => Map<string, string>
}

/** Answers one message of an agent. Messages are independent, so that any node can answer each. */
export async function answerMessage(
  { app, version, onError }: AnswerParts,
  request: Request,
  sent: globalThis.Request,
  received: Message | undefined,
): Promise<Response> {
  // Loaded for the first agent that connects: most servers never see one.
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } = await import('@modelcontextprotocol/server')

  function serve() {
    const about = { name: 'diwan', title: 'Diwan', version }
    const server = new Server(about, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
    server.setRequestHandler('tools/list', async () => {
      const tools = wantedTools(request.query.tools).filter(({ endpoint }) =>
        isAllowed(request.admitted as Caller, endpoint),
      )
      return { tools: tools.map(({ shown }) => shown) }
    })
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = TOOLS.find(({ shown }) => shown.name === params.name)
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${excerpt(params.name)}.`)
      return callTool(app, tool, asWritten(tool, params.arguments ?? {}, received), request)
    })
    return server
  }

  // Nothing is sent after an answer: there is nothing to subscribe to.
  const handler = createMcpHandler(serve, { maxSubscriptions: 0, onerror: onError })
  return handler.fetch(sent, received ? { parsedBody: received.message } : {})
}

/** JSON.parse makes one number of 1.0 and 1. A field to which they are two gets the text that the agent has sent. */
function asWritten(
  { endpoint }: Tool,
  args: Record<string, unknown>,
  received: Message | undefined,
): Record<string, unknown> {
  const fields: Record<string, Field> = endpoint.body?.properties ?? {}
  const names = Object.keys(fields).filter(name => fields[name]?.numberAsText && typeof args[name] === 'number')
  if (names.length === 0) return args
  const numbers = received?.numbers()
  return { ...args, ...Object.fromEntries(names.map(name => [name, numbers?.get(name)])) }
}
