import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ORIGIN, SERVER } from '../description/code-samples.ts'
import { fullLlmsText, llmsText } from '../description/llms.ts'
import { postmanCollection } from '../description/postman.ts'
import type { Json } from '../description/schemas.ts'
import { ICON } from './mark.ts'
import { PAGE_HEADERS } from './page-headers.ts'
import { createCompressedText, sendFile } from './static-files.ts'

interface Described {
  api: () => Json
  admin: () => Json
  publicUrl: string | undefined
}

/** The pages for people: a front page, the descriptions, also for Postman and for language models, and the reference page that shows them. */
export function mountPages(app: FastifyInstance, { api, admin, publicUrl }: Described): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.url === '/' || request.url.startsWith('/docs')) reply.headers(HEADERS)
  })
  app.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(FRONT_PAGE))
  app.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(ICON))
  const descriptions = {
    '/openapi.json': api,
    '/admin/openapi.json': admin,
    '/postman.json': () => postmanCollection(api()),
  }
  const addressed = (text: string) =>
    publicUrl === undefined ? text : text.replaceAll(ORIGIN, publicUrl).replaceAll(SERVER, publicUrl)
  const texts = { '/llms.txt': () => llmsText(api()), '/llms-full.txt': () => fullLlmsText(api()) }
  // The same for everyone: whatever a caller names as the host, it is compressed once.
  const serve = (path: string, type: string, write: () => string) => {
    const send = createCompressedText(() => addressed(write()))
    app.get(path, async (request, reply) => send(request, reply.type(`${type}; charset=utf-8`)))
  }
  for (const [path, describe] of Object.entries(descriptions))
    serve(path, 'application/json', () => JSON.stringify(describe()))
  for (const [path, write] of Object.entries(texts)) serve(path, 'text/plain', write)
  app.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(REFERENCE_PAGE))
  app.get('/docs/scalar.js', async (request, reply) =>
    // As its makers bundle it: one script, which loads nothing else.
    sendFile(request, reply, 'scalar.js', { 'cache-control': 'public, max-age=86400' }),
  )
}

const DESCRIPTIONS = [
  // Offers only the languages for which we provide samples.
  { title: 'API', slug: 'api', url: '/openapi.json', default: true, hiddenClients: true },
  { title: 'Administration', slug: 'administration', url: '/admin/openapi.json' },
]

const REFERENCE = {
  // A key is entered once: it applies to every endpoint until it is removed.
  authentication: { preferredSecurityScheme: 'bearer' },
  persistAuth: true,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  favicon: '/favicon.svg',
  agent: { disabled: true },
}

const REFERENCE_SCRIPT = `
const reference = ${JSON.stringify(REFERENCE)}
// Inserts the URL of this page, so that samples can be run as they are.
async function load({ url, ...source }) {
  const answer = await fetch(url)
  if (!answer.ok) return { ...reference, ...source, url }
  const text = (await answer.text()).replaceAll('${ORIGIN}', location.origin).replaceAll('${SERVER}', location.origin)
  return { ...reference, ...source, content: JSON.parse(text) }
}
Promise.all(${JSON.stringify(DESCRIPTIONS)}.map(load)).then(shown => Scalar.createApiReference('#reference', shown))
`

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Diwan API reference</title>
<link rel="icon" href="/favicon.svg">
</head>
<body>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script>${REFERENCE_SCRIPT}</script>
</body>
</html>
`

/**
 * Nothing that these pages show may come from, or be sent to, another machine, and no other script of a page runs than its own.
 * Styles are written by the reference page while it runs.
 */
const POLICY = [
  "default-src 'self'",
  `script-src 'self' 'sha256-${hash('sha256', REFERENCE_SCRIPT, 'base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = { ...PAGE_HEADERS, 'content-security-policy': POLICY }

const FRONT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Diwan</title>
<link rel="icon" href="/favicon.svg">
<style>
  :root { color-scheme: light dark; font-family: system-ui, "Noto Sans Arabic", sans-serif; line-height: 1.6 }
  body { max-width: 38rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 2.5rem; margin: 0 0 .25rem }
  h1 span { opacity: .55; font-weight: 400 }
  ul { list-style: none; padding: 0; margin: 2rem 0 }
  li { margin: 0 0 1rem }
  a { font-weight: 600; text-decoration-thickness: 1px; text-underline-offset: .2em }
  code { font-size: .9em }
  small { display: block; opacity: .7 }
</style>
</head>
<body>
<h1>Diwan <span lang="ar" dir="rtl">ديوان</span></h1>
<p>Project management that a company drives through a JSON REST API.</p>
<ul>
  <li><a href="/console">Console</a><small>Keys, usage, people and the work itself, for owners and the operator</small></li>
  <li><a href="/docs">API reference</a><small>Every endpoint, with examples to copy and to try</small></li>
  <li><a href="/openapi.json">OpenAPI description</a><small>For generators and tools; <a href="/postman.json">for Postman</a></small></li>
</ul>
<p>The API is served under <code>/api/v1</code>. Every request carries a key: <code>Authorization: Bearer svc_api_…</code></p>
</body>
</html>
`
