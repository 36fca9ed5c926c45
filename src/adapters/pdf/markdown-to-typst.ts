import type { Direction } from '../../lib/base-direction.ts'
import type { BaseFont, FontChooser } from './font-runs.ts'
import { directionOfAll, type Node, parseMarkdown, plainText } from './markdown-tree.ts'
import { inlineToTypst } from './typst-inline.ts'
import { TYPST_TEMPLATE } from './typst-template.ts'
import { typstString, typstText, withoutOverrides } from './typst-text.ts'

/** Lists and quotes nested deeper than this are flattened: Typst refuses to set them much deeper. */
const DEEPEST_BLOCK = 8
/** A table with more columns than fit on a page is set row by row. */
const MOST_COLUMNS = 20
/** Code this short stays on one page. */
const LINES_TOGETHER = 25
const LINES_AT_ONCE = 200
const LONGEST_TITLE = 300
const TAB = '    '

export interface DocumentOptions {
  fonts: FontChooser
  /** For a document without a heading. */
  title: string
}

interface BlockPlace {
  depth: number
  /** The direction of the surroundings, for text without a strong character. */
  direction: Direction
  inFootnote: boolean
  /** In lists and tables all text is aligned like the whole; elsewhere each paragraph has its own side. */
  setsSide: boolean
  /** The nesting depth of bullet lists. */
  bullets: number
}

/** Markdown as the source of a Typst document. Everything that comes from the markdown is in string literals. */
export function markdownToTypst(markdown: string, { fonts, title: fallbackTitle }: DocumentOptions): string {
  const { blocks, footnotes } = parseMarkdown(markdown)
  const numbers = new Map<number, number>()
  const placed = new Set<number>()
  const direction = directionOfAll(blocks) ?? 'ltr'
  const body = blocksToTypst(blocks, { depth: 0, direction, inFootnote: false, setsSide: false, bullets: 0 })
  const heading = plainText(blocks.find(block => block.type === 'heading')?.children ?? [])
  const title = withoutOverrides(heading.trim() || fallbackTitle).slice(0, LONGEST_TITLE)
  return `${TYPST_TEMPLATE}
#show: document-of.with(
  ${title === '' ? 'none' : typstString(title)},
  ${direction},
)
#${body}
#${leftOver()}
`

  function blocksToTypst(nodes: Node[], place: BlockPlace): string {
    return `{${nodes.map(node => `${blockToTypst(node, place)}\n`).join('')}[]}`
  }

  function blockToTypst(node: Node, place: BlockPlace): string {
    const { type, token, children } = node
    const direction = node.direction ?? place.direction
    const inside = { ...place, direction, depth: place.depth + 1 }
    switch (type) {
      case 'paragraph':
        return paragraphToTypst(node, place)
      case 'heading':
        return `titled(${token.tag.slice(1)}, ${direction}, ${inline(children, direction, place)})`
      case 'fence':
      case 'code_block':
        return codeToTypst(token.content, fonts)
      case 'hr':
        return 'ruler'
    }
    if (place.depth >= DEEPEST_BLOCK) return blocksToTypst(children, place)
    switch (type) {
      case 'blockquote':
        return `quoted(${direction}, ${blocksToTypst(children, { ...inside, setsSide: false })})`
      case 'bullet_list':
      case 'ordered_list':
        // A list in a list stays on its side.
        return listToTypst(node, { ...inside, direction: place.setsSide ? place.direction : direction, setsSide: true })
      case 'table':
        return tableToTypst(node, inside)
      default:
        return blocksToTypst(children, place)
    }
  }

  function paragraphToTypst({ token, children, ...node }: Node, place: BlockPlace): string {
    const direction = node.direction ?? place.direction
    const content = inline(children, direction, place)
    // The bulk of a long list. Typst takes four times as long for a paragraph as for its bare text.
    const isBare = token.hidden && direction === place.direction && place.depth < DEEPEST_BLOCK
    if (isBare) return content
    return `${place.setsSide ? 'line-of' : 'paragraph'}(${direction}, ${content})`
  }

  function listToTypst({ type, token, children }: Node, outer: BlockPlace): string {
    const place = { ...outer, bullets: outer.bullets + (type === 'bullet_list' ? 1 : 0) }
    const isTight = !children.some(item =>
      item.children.some(child => child.type === 'paragraph' && !child.token.hidden),
    )
    const start = Number(token.attrGet('start') ?? 1)
    const items = children.map((item, index) => {
      const marker =
        type === 'ordered_list' ? typstString(`${start + index}${item.token.markup}`) : `bullet(${place.bullets})`
      const done = item.token.meta?.done
      const box = done === undefined ? undefined : `checkbox(${done})`
      return `${box ?? marker}, ${blocksToTypst(item.children, place)},\n`
    })
    return `listed(${place.direction}, ${isTight}, ${items.join('')})`
  }

  function tableToTypst(table: Node, place: BlockPlace): string {
    const rows = table.children.flatMap(part => part.children)
    const columns = rows[0]?.children ?? []
    if (columns.length > MOST_COLUMNS) return rows.map(row => rowToTypst(row, place)).join('\n')
    const aligns = columns.map(
      cell => /text-align:(left|center|right)/.exec(String(cell.token.attrGet('style')))?.[1] ?? 'auto',
    )
    const longestRun = Math.max(8, Math.floor(60 / columns.length))
    const cells = rows.flatMap(row => columns.map((_, index) => cellToTypst(row.children[index], place, longestRun)))
    return `tabulated(${place.direction}, (${aligns.join(',')},), ${cells.join(',\n')})`
  }

  function cellToTypst(cell: Node | undefined, place: BlockPlace, longestRun: number): string {
    const direction = cell?.direction ?? place.direction
    const content = inline(cell?.children ?? [], direction, place, longestRun)
    return direction === place.direction ? content : `line-of(${direction}, ${content})`
  }

  /** Without marks: there may be thousands of cells. */
  function rowToTypst(row: Node, place: BlockPlace): string {
    const text = row.children.map(cell => plainText(cell.children)).join(' | ')
    const direction = row.direction ?? place.direction
    return `paragraph(${direction}, ${typstText(text, { fonts, base: baseFont(direction) })})`
  }

  /** The inline content of a paragraph, heading or cell. */
  function inline(nodes: Node[], direction: Direction, place: BlockPlace, longestRun?: number): string {
    const pieces = nodes.filter(node => node.type === 'inline').flatMap(node => node.children)
    const footnote = (id: number) => footnoteToTypst(id, place)
    return inlineToTypst(pieces, { fonts, base: baseFont(direction), footnote, longestRun })
  }

  function footnoteToTypst(id: number, place: BlockPlace): string {
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    const note = footnotes.get(id)
    if (!note || placed.has(id) || place.inFootnote) return `super("${number}")`
    placed.add(id)
    return `note("${number}", ${note.direction ?? place.direction}, ${noteBody(note, place.direction)})`
  }

  function noteBody(note: Node, outer: Direction): string {
    const direction = note.direction ?? outer
    return blocksToTypst(note.children, { depth: 1, direction, inFootnote: true, setsSide: true, bullets: 0 })
  }

  /** Notes that only other notes refer to go to the end: at the foot of a page they could nest endlessly. */
  function leftOver(): string {
    let source = ''
    for (const [id, number] of numbers) {
      const note = footnotes.get(id)
      if (!note || placed.has(id)) continue
      const direction = note.direction ?? 'ltr'
      source += `endnote("${number}", ${direction}, ${noteBody(note, direction)})\n`
    }
    return `{${source}}`
  }
}

function baseFont(direction: Direction): BaseFont {
  return direction === 'rtl' ? 'arabic' : 'latin'
}

/** In pieces, because the time Typst takes for one grows with the square of its lines. */
function codeToTypst(code: string, fonts: FontChooser): string {
  const lines = code.replace(/\n$/, '').replaceAll('\t', TAB).split('\n')
  const pieces = Array.from({ length: Math.ceil(lines.length / LINES_AT_ONCE) }, (_, index) =>
    lines.slice(index * LINES_AT_ONCE, (index + 1) * LINES_AT_ONCE).join('\n'),
  )
  const set = pieces.map(piece => typstText(piece, { fonts, base: 'mono' }))
  return `code-block(${lines.length <= LINES_TOGETHER}, ${set.join(', ')})`
}
