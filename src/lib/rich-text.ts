import { Parser } from 'htmlparser2'

/** The plain text of rich text, and the names of the files embedded in it. */
export interface PlainRendering {
  text: string
  attachments: string[]
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '<br>',
  '\r': '&#13;',
}

/** Plain text as rich text that renders to exactly the same plain text, followed by the embedded files. */
export function toRichText(plain: string, attachments: string[] = []): string {
  const entity = (character: string) => ENTITIES[character] as string
  const embedded = attachments.map(name => `<attachment filename="${name.replace(/[&<>"]/g, entity)}"></attachment>`)
  return plain.replace(/[&<>\n\r]/g, entity) + embedded.join('')
}

const BLOCKS = new Set([
  'p',
  'div',
  'li',
  'ul',
  'ol',
  'blockquote',
  'pre',
  'table',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
])
const HIDDEN = new Set(['script', 'style', 'template', 'figcaption'])

/**
 * Rich text as plain text. A block begins on a new line. An embedded file is an element `attachment` with its `filename`: it
 * goes to the list of attachments and leaves nothing in the text.
 */
export function fromRichText(html: string): PlainRendering {
  if (!/[<&]/.test(html)) return { text: html, attachments: [] }
  const attachments: string[] = []
  let text = ''
  let hidden = 0
  // The end of a block starts a new line only if something follows it.
  let lineIsDue = false
  const write = (words: string) => {
    if (lineIsDue && text !== '' && !text.endsWith('\n')) text += '\n'
    lineIsDue = false
    text += words
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'attachment') attachments.push(attributes.filename ?? '')
        if (name === 'attachment' || HIDDEN.has(name)) hidden++
        else if (name === 'br') write('\n')
        else if (BLOCKS.has(name)) lineIsDue = true
      },
      ontext(words) {
        if (hidden === 0) write(words)
      },
      onclosetag(name) {
        if (name === 'attachment' || HIDDEN.has(name)) hidden--
        else if (BLOCKS.has(name)) lineIsDue = true
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return { text, attachments }
}

export function plainText(html: string | null): string | null {
  return html === null ? null : fromRichText(html).text
}
