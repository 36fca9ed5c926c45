import type { FastifyInstance } from 'fastify'
import { LANGUAGES } from '../../domain/languages.ts'
import { languageFor } from '../answers/language.ts'
import { ORIGIN, SERVER } from '../description/code-samples.ts'
import { inArabic } from '../description/in-arabic.ts'
import { fullLlmsText, llmsText } from '../description/llms.ts'
import { postmanCollection } from '../description/postman.ts'
import type { Json } from '../description/schemas.ts'
import { ICON } from './mark.ts'
import { PAGE_HEADERS } from './page-headers.ts'
import { policyFor } from './policy.ts'
import { REFERENCE_PAGES } from './reference-page.ts'
import { createCompressedText, sendFile } from './static-files.ts'

interface Described {
  api: () => Json
  admin: () => Json
  publicUrl: string | undefined
}

/** In which of our languages something is asked for by its address: `?lang=ar`. */
interface InLanguage {
  Querystring: { lang?: unknown }
}

/** The pages for people: a front page, the descriptions, also for Postman and for language models, and the reference page that shows them. */
export function mountPages(app: FastifyInstance, { api, admin, publicUrl }: Described): void {
  app.get('/', async (_request, reply) => reply.headers(HEADERS).type(HTML).send(FRONT_PAGE))
  app.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(ICON))
  const addressed = (text: string) =>
    publicUrl === undefined ? text : text.replaceAll(ORIGIN, publicUrl).replaceAll(SERVER, publicUrl)
  // The same for everyone: whatever a caller names as the host, it is compressed once.
  const textOf = (write: () => string) => createCompressedText(() => addressed(write()))
  for (const [path, describe] of Object.entries({ '/openapi.json': api, '/admin/openapi.json': admin })) {
    const send = {
      en: textOf(() => JSON.stringify(describe())),
      ar: textOf(() => JSON.stringify(inArabic(describe()))),
    }
    // Programs get the same whatever the machine they run on prefers: only the address decides.
    app.get<InLanguage>(path, async (request, reply) => {
      const language = request.query.lang === 'ar' ? 'ar' : 'en'
      return send[language](request, reply.type(JSON_TYPE))
    })
  }
  const texts: [path: string, type: string, write: () => string][] = [
    ['/postman.json', JSON_TYPE, () => JSON.stringify(postmanCollection(api()))],
    ['/llms.txt', PLAIN, () => llmsText(api())],
    ['/llms-full.txt', PLAIN, () => fullLlmsText(api())],
  ]
  for (const [path, type, write] of texts) {
    const send = textOf(write)
    app.get(path, async (request, reply) => send(request, reply.type(type)))
  }
  app.get<InLanguage>('/docs', async (request, reply) => {
    const { lang } = request.query
    const language = LANGUAGES.find(each => each === lang) ?? languageFor(request, reply)
    const { html, headers } = REFERENCE_PAGES[language]
    return reply.headers(headers).header('content-language', language).type(HTML).send(html)
  })
  app.get('/docs/scalar.js', async (request, reply) =>
    // As its makers bundle it: one script, which loads nothing else.
    sendFile(request, reply.headers(HEADERS), 'scalar.js', { 'cache-control': 'public, max-age=86400' }),
  )
}

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

const HEADERS = { ...PAGE_HEADERS, 'content-security-policy': policyFor([]) }

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
