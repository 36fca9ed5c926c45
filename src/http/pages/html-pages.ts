import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES, type Language } from '../../domain/languages.ts'
import { languageFor } from '../answers/language.ts'
import { ORIGIN, SERVER } from '../description/code-samples.ts'
import { inArabic } from '../description/in-arabic.ts'
import { fullLlmsText, llmsText } from '../description/llms.ts'
import { postmanCollection } from '../description/postman.ts'
import type { Json } from '../description/schemas.ts'
import { FRONT_PAGES } from './front-page.ts'
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
  app.get<InLanguage>('/', async (request, reply) => {
    const language = languageOf(request, reply)
    return reply.headers(HEADERS).header('content-language', language).type(HTML).send(FRONT_PAGES[language])
  })
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
    const language = languageOf(request, reply)
    const { html, headers } = REFERENCE_PAGES[language]
    return reply.headers(headers).header('content-language', language).type(HTML).send(html)
  })
  app.get('/docs/scalar.js', async (request, reply) =>
    // As its makers bundle it: one script, which loads nothing else.
    sendFile(request, reply.headers(HEADERS), 'scalar.js', { 'cache-control': 'public, max-age=86400' }),
  )
}

/** The language that the address asks for, or else the one that the reader prefers. */
function languageOf(request: FastifyRequest<InLanguage>, reply: FastifyReply): Language {
  return LANGUAGES.find(each => each === request.query.lang) ?? languageFor(request, reply)
}

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

const HEADERS = { ...PAGE_HEADERS, 'content-security-policy': policyFor([]) }
