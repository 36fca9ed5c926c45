import { hash } from 'node:crypto'
import { type Said, wordsOf } from '../domain/sentences/sentences.ts'
import { PAGE_HEADERS } from '../http/pages/page-headers.ts'
import type { Reply } from '../http/requests/request.ts'

const STYLE = `
  :root { color-scheme: light dark; font-family: system-ui, "Noto Sans Arabic", sans-serif; line-height: 1.6 }
  body { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 1.5rem }
  section { margin: 0 0 2rem }
`
const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

/** A page for the person whom an app has sent here wrongly. It repeats nothing of what was sent, and leads nowhere. */
export function errorPage(reply: Reply, said: Said): Reply {
  const { en, ar } = wordsOf(said)
  const title = wordsOf('The app could not be connected')
  return reply
    .code(400)
    .headers(HEADERS)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Diwan</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<section><h1>${title.en}</h1><p>${en}</p></section>
<section lang="ar" dir="rtl"><h2>${title.ar}</h2><p>${ar}</p></section>
</main>
</body>
</html>
`)
}
