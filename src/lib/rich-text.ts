import { Tokenizer } from 'htmlparser2'

/** The plain text of rich text, and the names of the files embedded in it. */
export interface PlainRendering {
  text: string
  attachments: string[]
}

/** What stands for a character in rich text. */
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

const MARKS = Object.entries(ENTITIES).map(([character, entity]) => ({ unit: character.charCodeAt(0), entity }))
const [AMPERSAND, LESS_THAN] = [0x26, 0x3c]

/**
 * Rich text without any markup but line breaks, as plain text; undefined for any other. A text may be nothing but ampersands, and a page
 * a hundred of such texts: a tokenizer takes ten times as long, and replacing them one by one leaves as much garbage.
 */
function unmarked(html: string): string | undefined {
  if (!/[<&]/.test(html)) return html
  const units = new Uint16Array(html.length)
  let length = 0
  for (let at = 0; at < html.length; at++) {
    let unit = html.charCodeAt(at)
    if (unit === AMPERSAND || unit === LESS_THAN) {
      const mark = MARKS.find(({ entity }) => html.startsWith(entity, at))
      if (!mark) return undefined
      unit = mark.unit
      at += mark.entity.length - 1
    }
    units[length++] = unit
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le')
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
/** Elements that are not blocks here, but cannot stand in a paragraph: one that is still open ends before them. */
const ENDS_PARAGRAPH = new Set(
  'address article aside details dl fieldset figcaption figure footer form header hr main nav section'.split(' '),
)
const HIDDEN = new Set(['script', 'style', 'template', 'figcaption'])

/**
 * Rich text as plain text. A block begins on a new line. An embedded file is an element `attachment` with its `filename`: it
 * goes to the list of attachments and leaves nothing in the text.
 *
 * Reads the tags one by one: the parser of `htmlparser2` takes quadratic time for elements that are nested deeply.
 */
export function fromRichText(html: string): PlainRendering {
  const plain = unmarked(html)
  if (plain !== undefined) return { text: plain, attachments: [] }
  const attachments: string[] = []
  const elements = new OpenElements()
  let text = ''
  // The end of a block starts a new line only if something follows it.
  let lineIsDue = false
  const write = (words: string) => {
    if (lineIsDue && text !== '' && !text.endsWith('\n')) text += '\n'
    lineIsDue = false
    text += words
  }
  const writeVisible = (words: string) => {
    if (elements.hidden === 0) write(words)
  }
  const close = (name: string) => {
    const closed = elements.close(name)
    if (closed.some(each => BLOCKS.has(each)) || (name === 'p' && closed.length === 0)) lineIsDue = true
    if (name === 'br') write('\n')
  }
  let name = ''
  let attribute = { name: '', value: '' }
  let filename: string | undefined
  const open = () => {
    if (name === 'br') return write('\n')
    if (name === 'attachment') attachments.push(filename ?? '')
    if (elements.innermost === 'p' && (BLOCKS.has(name) || ENDS_PARAGRAPH.has(name))) close('p')
    if (BLOCKS.has(name)) lineIsDue = true
    elements.open(name)
  }
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase()
        filename = undefined
      },
      onattribname(start, end) {
        attribute = { name: html.slice(start, end).toLowerCase(), value: '' }
      },
      onattribdata(start, end) {
        attribute.value += html.slice(start, end)
      },
      onattribentity(codePoint) {
        attribute.value += String.fromCodePoint(codePoint)
      },
      onattribend() {
        if (attribute.name === 'filename') filename ??= attribute.value
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => close(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => writeVisible(html.slice(start, end)),
      ontextentity: codePoint => writeVisible(String.fromCodePoint(codePoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return { text, attachments }
}

/** The elements that are open at a place in the text. */
class OpenElements {
  /** How many of them hide what is in them. */
  hidden = 0
  readonly #names: string[] = []
  readonly #counts = new Map<string, number>()

  get innermost(): string | undefined {
    return this.#names.at(-1)
  }

  open(name: string): void {
    this.#names.push(name)
    this.#count(name, 1)
  }

  /** Closes an element and those that are open in it; none if there is no such element. Returns their names. */
  close(name: string): string[] {
    const closed: string[] = []
    if (!this.#counts.get(name)) return closed
    while (closed.at(-1) !== name) {
      const last = this.#names.pop() as string
      this.#count(last, -1)
      closed.push(last)
    }
    return closed
  }

  #count(name: string, more: 1 | -1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + more)
    if (name === 'attachment' || HIDDEN.has(name)) this.hidden += more
  }
}

export function plainText(html: string | null): string | null {
  return html === null ? null : fromRichText(html).text
}
