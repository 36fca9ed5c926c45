import type { Language } from '../../domain/languages.ts'
import { ORIGIN, SERVER } from '../description/code-samples.ts'
import { PAGE_HEADERS } from './page-headers.ts'
import { policyFor } from './policy.ts'
import { ARABIC_STYLE, LABELS_SCRIPT, MIRROR_SCRIPT } from './reference-in-arabic.ts'

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

interface Words {
  title: string
  /** Of the part of the page that leads to the other language. */
  label: string
  api: string
  administration: string
  /** Of the description of this language. */
  query: string
  other: { language: Language; name: string }
}

const WORDS: Record<Language, Words> = {
  en: {
    title: 'Diwan API reference',
    label: 'Language',
    api: 'API',
    administration: 'Administration',
    query: '',
    other: { language: 'ar', name: 'العربية' },
  },
  ar: {
    title: 'مرجع API ديوان',
    label: 'اللغة',
    api: 'API',
    administration: 'الإدارة',
    query: '?lang=ar',
    other: { language: 'en', name: 'English' },
  },
}

/** The script of the page: what it shows, and the way to the other language. */
const scriptOf = ({ api, administration, query, other }: Words) => `
const reference = ${JSON.stringify(REFERENCE)}
const sources = ${JSON.stringify([
  // Offers only the languages for which we provide samples.
  { title: api, slug: 'api', url: `/openapi.json${query}`, default: true, hiddenClients: true },
  { title: administration, slug: 'administration', url: `/admin/openapi.json${query}` },
])}
// Inserts the URL of this page, so that samples can be run as they are.
async function load({ url, ...source }) {
  const answer = await fetch(url)
  if (!answer.ok) return { ...reference, ...source, url }
  const text = (await answer.text()).replaceAll('${ORIGIN}', location.origin).replaceAll('${SERVER}', location.origin)
  return { ...reference, ...source, content: JSON.parse(text) }
}
Promise.all(sources.map(load)).then(shown => Scalar.createApiReference('#reference', shown))
// The same place in the other language.
document.querySelector('.language a').addEventListener('click', event => {
  const there = new URL(location.href)
  there.searchParams.set('lang', '${other.language}')
  event.currentTarget.href = there.href
})
`

/** Above what Scalar shows there is a bar with the way to the other language. */
const STYLE = `
:root { --scalar-custom-header-height: 36px }
.language {
  position: sticky; top: 0; z-index: 1000; box-sizing: border-box; height: 36px; padding: 0 1rem;
  display: flex; align-items: center; font: 14px system-ui, sans-serif;
  background: var(--scalar-background-1, Canvas); border-bottom: 1px solid var(--scalar-border-color, GrayText);
}
.language a { color: var(--scalar-color-1, LinkText) }
@media (min-width: 640px) {
  html .scalar-app .markdown table { table-layout: auto }
  html .scalar-app .markdown :is(th, td) { padding: 8px; overflow-wrap: normal; word-break: normal }
  html .scalar-app .markdown td code { white-space: nowrap }
}
`

const pageOf = (language: Language): Page => {
  const words = WORDS[language]
  const { title, label, other } = words
  const isArabic = language === 'ar'
  const scripts = [...(isArabic ? [LABELS_SCRIPT, MIRROR_SCRIPT] : []), scriptOf(words)]
  const html = `<!doctype html>
<html lang="${language}" dir="${isArabic ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="alternate" hreflang="${other.language}" href="/docs?lang=${other.language}">
<style>${STYLE}${isArabic ? ARABIC_STYLE : ''}</style>
</head>
<body>
<div class="language" role="region" aria-label="${label}"><a href="/docs?lang=${other.language}" lang="${other.language}" hreflang="${other.language}">${other.name}</a></div>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
${scripts.map(script => `<script>${script}</script>`).join('\n')}
</body>
</html>
`
  return { html, headers: { ...PAGE_HEADERS, 'content-security-policy': policyFor(scripts) } }
}

interface Page {
  html: string
  headers: Record<string, string>
}

/** The reference page, in each language. */
export const REFERENCE_PAGES: Record<Language, Page> = { en: pageOf('en'), ar: pageOf('ar') }
