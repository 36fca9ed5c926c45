import type { Language } from '../../domain/languages.ts'
import { ownDirection } from '../../lib/base-direction.ts'
import { escapeHtml, type Phrase, tamed, theirHtml, toHtml } from '../../lib/isolation.ts'
import { DIRECTIONS, type Paragraph } from './paragraphs.ts'

// Mail programs drop style sheets, so each element has its own style. What is long and has no spaces breaks on a narrow screen.
const FRAME =
  'max-width: 40em; margin: 0 auto; padding: 8px 16px; font-family: system-ui, sans-serif; line-height: 1.7; overflow-wrap: anywhere'
const CODE =
  'padding: 12px 16px; border: 1px solid #c8c8c8; border-radius: 6px; font-family: ui-monospace, monospace; text-align: left; word-break: break-all'
const BUTTON =
  'display: inline-block; padding: 10px 20px; border-radius: 6px; background: #1d5c4d; color: #fff; font-weight: 600; text-decoration: none'
const FOOTER = 'margin-top: 2em; padding-top: 1em; border-top: 1px solid #ddd; color: #666; font-size: 0.9em'

/** A mail as HTML. The direction is set twice: some mail programs drop everything outside the body, and the body's own attributes. */
export function asHtml(language: Language, paragraphs: Paragraph[], footer: Phrase): string {
  const direction = `lang="${language}" dir="${DIRECTIONS[language]}"`
  return `<!doctype html>
<html ${direction}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body>
<div ${direction} style="${FRAME}">
${paragraphs.map(paragraphHtml).join('\n')}
<p style="${FOOTER}">${toHtml(footer)}</p>
</div>
</body>
</html>
`
}

function paragraphHtml(paragraph: Paragraph): string {
  if ('code' in paragraph) return `<p dir="ltr" style="${CODE}">${escapeHtml(paragraph.code)}</p>`
  if ('button' in paragraph)
    return `<p><a href="${escapeHtml(paragraph.url)}" style="${BUTTON}">${toHtml(paragraph.button)}</a></p>`
  if (!('quotation' in paragraph)) return `<p>${paragraph.map(toHtml).join('<br>\n')}</p>`
  // A block determines its own direction, which isolates it; a <bdi> inside would hide the text from it.
  const quoted = paragraph.quotation.map(
    line => `<div dir="${ownDirection(tamed(line))}">${theirHtml(line) || '<br>'}</div>`,
  )
  return `<p>${toHtml(paragraph.heading)}</p>\n<blockquote style="margin: 0 1.5em">\n${quoted.join('\n')}\n</blockquote>`
}
