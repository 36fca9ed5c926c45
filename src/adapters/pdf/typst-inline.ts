import { type Node, plainText } from './markdown-tree.ts'
import { type TextOptions, typstString, typstText } from './typst-text.ts'

/** Marks nested deeper than this are dropped, but their contents stay. */
const DEEPEST_MARK = 8
/** What Typst and PDF readers accept as a URL. */
const LONGEST_ADDRESS = 2000
const CLICKABLE = /^(?:https?:\/\/|mailto:)/i

export interface InlineOptions extends TextOptions {
  /** Typst source for a reference to a footnote. */
  footnote(id: number): string
}

/** Inline content as one Typst expression. */
export function inlineToTypst(nodes: Node[], options: InlineOptions, depth = 0): string {
  const [only, ...others] = nodes
  if (only?.type === 'text' && others.length === 0) return pieceToTypst(only, options, depth)
  return `{${nodes.map(node => `${pieceToTypst(node, options, depth)};`).join('')}[]}`
}

function pieceToTypst(node: Node, options: InlineOptions, depth: number): string {
  const { type, token } = node
  const quoted = (text: string) => typstText(text, options)
  switch (type) {
    case 'text':
      return quoted(token.content)
    case 'code_inline':
      return `inline-code(${typstText(token.content, { ...options, base: 'mono' })})`
    case 'image':
      return quoted(plainText([node]))
    case 'softbreak':
      return '" "'
    case 'hardbreak':
      return 'linebreak()'
    case 'footnote_ref':
      return footnoteToTypst(options.footnote(token.meta?.id as number), options)
  }
  const mark = depth < DEEPEST_MARK ? markOf(node) : undefined
  const content = inlineToTypst(node.children, options, depth + 1)
  return mark ? `${mark}${content})` : content
}

/** In Arabic a note stands to the left of a number that it belongs to. Without a mark between them the two would be one number. */
function footnoteToTypst(note: string, { base }: InlineOptions): string {
  return base === 'arabic' ? `{"\u200f";${note}}` : note
}

/** The call that applies a mark to content, up to the content. */
function markOf({ type, token }: Node): string | undefined {
  switch (type) {
    case 'strong':
      return 'strong('
    case 'em':
      return 'emph('
    case 's':
      return 'strike('
    case 'link': {
      const address = String(token.attrGet('href') ?? '')
      const isClickable = CLICKABLE.test(address) && address.length <= LONGEST_ADDRESS
      return isClickable ? `hyperlink(${typstString(address)},` : undefined
    }
    default:
      return undefined
  }
}
