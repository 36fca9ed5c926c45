import MarkdownIt, { type StateCore, type Token } from 'markdown-it'
// @ts-expect-error: it comes without types.
import footnotes from 'markdown-it-footnote'
import {
  countWords,
  type Direction,
  directionOf,
  isTie,
  markedDirection,
  NO_WORDS,
  sum,
  type WordCount,
} from '../../lib/base-direction.ts'

/** A token of markdown-it with everything between its opening and its closing. */
export interface Node {
  type: string
  token: Token
  children: Node[]
  words: WordCount
  /** Undefined when it has no words. */
  direction: Direction | undefined
}

export interface MarkdownTree {
  blocks: Node[]
  footnotes: Map<number, Node>
}

// Raw HTML is text. Links are checked where they are written out, so that a refused one keeps its label.
const parser = new MarkdownIt({ html: false, linkify: true }).use(footnotes)
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
parser.validateLink = () => true
parser.core.ruler.after('inline', 'tasks', markTasks)

export function parseMarkdown(markdown: string): MarkdownTree {
  const nodes = nest(parser.parse(markdown, {}))
  if (directionOfAll(nodes) === 'rtl') for (const node of nodes) settleTies(node, false)
  const notes = nodes.filter(node => node.type === 'footnote_block').flatMap(node => node.children)
  return {
    blocks: nodes.filter(node => node.type !== 'footnote_block'),
    footnotes: new Map(notes.map(note => [note.token.meta?.id as number, note])),
  }
}

/** Removes `[ ]` and `[x]` from the front of list items; `meta.done` of the item says which it was. */
function markTasks(state: StateCore): void {
  for (const [index, token] of state.tokens.entries()) {
    if (token.type !== 'list_item_open') continue
    const first = state.tokens[index + 2]?.children?.[0]
    const box = first?.type === 'text' && /^\[([ xX])\](?:\s+|$)/.exec(first.content)
    if (!first || !box) continue
    token.meta = { done: box[1] !== ' ' }
    first.content = first.content.slice(box[0].length)
  }
}

function nest(tokens: Token[]): Node[] {
  const roots: Node[] = []
  const open: Node[] = []
  for (const token of tokens) {
    if (token.nesting === -1) {
      const closed = open.pop()
      if (closed) Object.assign(closed, directed(closed))
      continue
    }
    const node = leaf(token)
    const siblings = open.at(-1)?.children ?? roots
    siblings.push(node)
    if (token.nesting === 1) open.push(node)
  }
  return roots
}

function leaf(token: Token): Node {
  const type = token.type.replace(/_open$/, '')
  const children = token.type === 'inline' ? nest(token.children ?? []) : []
  const isText = type === 'text' || type === 'code_inline' || type === 'image'
  const words = isText ? countWords(token.content) : NO_WORDS
  const node = { type, token, children, words, direction: directionOf(words) }
  return type === 'inline' ? { ...node, ...directed(node) } : node
}

/** The direction of a node, derived from its contents. Code blocks do not count: they are always left-to-right. */
function directed({ type, token, children }: Node): Pick<Node, 'words' | 'direction'> {
  const words = type === 'inline' ? countProse(children) : countBlocks(children)
  const marked = type === 'inline' ? markedDirection(token.content) : undefined
  const [only, ...others] = children
  const decisive = type === 'table' || others.length === 0 ? only : undefined
  return { words, direction: marked ?? decisive?.direction ?? directionOf(words) }
}

/** In a document from right to left, lists and tables run so too where nothing speaks against it. */
function settleTies(node: Node, isInside: boolean): void {
  const isWithin = isInside || node.type.endsWith('_list') || node.type === 'table'
  for (const child of node.children) settleTies(child, isWithin)
  // The header tells the language of a table.
  const deciding = node.type === 'table' ? node.children[0] : node
  const isMarked = markedDirection(node.token.content) !== undefined
  if (isWithin && deciding && isTie(deciding.words) && !isMarked) node.direction = 'rtl'
}

/** What somebody else has said counts only if there is nothing else. */
function countBlocks(children: Node[]): WordCount {
  const own = sum(children.filter(({ type }) => type !== 'blockquote').map(({ words }) => words))
  return own.first ? own : sum(children.map(({ words }) => words))
}

/** Code inside a sentence counts only if there is nothing else. */
function countProse(children: Node[]): WordCount {
  const prose = sum(children.filter(({ type }) => type !== 'code_inline').map(({ words }) => words))
  return prose.first ? prose : sum(children.map(({ words }) => words))
}

export function directionOfAll(nodes: Node[]): Direction | undefined {
  return directionOf(sum(nodes.map(({ words }) => words)))
}

/** The readable text of inline content, without its marks. */
export function plainText(nodes: Node[]): string {
  return nodes.map(plainTextOf).join('')
}

function plainTextOf({ type, token, children }: Node): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' '
  if (type === 'text' || type === 'code_inline') return token.content
  if (type === 'image') return plainText(nest(token.children ?? []))
  return plainText(children)
}
