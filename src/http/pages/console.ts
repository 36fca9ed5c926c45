import type { FastifyInstance } from 'fastify'
import { PAGE_HEADERS } from './page-headers.ts'
import { sendFile } from './static-files.ts'

/** Scripts, styles, images and requests only from this server; no inline scripts; no framing by other pages. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types',
].join('; ')

const HEADERS = { ...PAGE_HEADERS, 'content-security-policy': POLICY }

/** The console: one page for every address below `/console`, which then calls the administration surface. */
export function mountConsole(app: FastifyInstance): void {
  app.get<{ Params: { '*': string } }>('/console/assets/*', async (request, reply) =>
    // The names of the assets change with their contents.
    sendFile(request, reply.headers(HEADERS), `console/assets/${request.params['*']}`, {
      'cache-control': 'public, max-age=31536000, immutable',
    }),
  )
  for (const path of ['/console', '/console/*'])
    app.get(path, async (request, reply) => sendFile(request, reply.headers(HEADERS), 'console/index.html'))
}
