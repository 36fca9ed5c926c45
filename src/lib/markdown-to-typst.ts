import { markedWords } from './arabic-marks.ts'
import type { Direction } from './base-direction.ts'
import { firstDirection, type Node, parseMarkdown, plainText } from './markdown-tree.ts'
import { inlineToTypst } from './typst-inline.ts'
import { TYPST_TEMPLATE } from './typst-template.ts'
import { breakable, typstString } from './typst-text.ts'

/** Lists and quotes inside each other deeper than this are flattened: Typst refuses to set them much deeper. */
const DEEPEST_BLOCK = 8
/** A table with more columns than fit on a page is set row by row. */
const MOST_COLUMNS = 20
const LONGEST_TITLE = 300
const MOST_MARKED_WORDS = 500

interface Place {
  depth: number
  /** Of what surrounds this, for text without a strong character. */
  direction: Direction
  inFootnote: boolean
  /** How many bullet lists surround this. */
  bullets: number
}

/** Markdown as the source of a Typst document. Whatever comes from the markdown stands in string literals. */
export function markdownToTypst(markdown: string): string {
  const { blocks, footnotes } = parseMarkdown(markdown)
  const numbers = new Map<number, number>()
  const placed = new Set<number>()
  const direction = firstDirection(blocks) ?? 'ltr'
  const body = blocksToTypst(blocks, { depth: 0, direction, inFootnote: false, bullets: 0 })
  const title = plainText(blocks.find(block => block.type === 'heading')?.children ?? []).slice(0, LONGEST_TITLE)
  const { bare, marks } = markedWords(markdown, MOST_MARKED_WORDS)
  return `${TYPST_TEMPLATE}
#show: document-of.with(
  ${title === '' ? 'none' : typstString(title)},
  ${direction},
  ${typstString(bare.join(' '))},
  (${marks.map(mark => `${typstString(mark)},`).join('')}),
)
#${body}
#${leftOver()}
`

  function blocksToTypst(nodes: Node[], place: Place): string {
    return `{${nodes.map(node => `${blockToTypst(node, place)}\n`).join('')}[]}`
  }

  function blockToTypst(node: Node, place: Place): string {
    const { type, token, children } = node
    const direction = node.direction ?? place.direction
    const inside = { ...place, direction, depth: place.depth + 1 }
    switch (type) {
      case 'paragraph':
        return `${place.depth === 0 ? 'paragraph' : 'line-of'}(${direction}, ${inline(children, place)})`
      case 'heading':
        return `titled(${token.tag.slice(1)}, ${direction}, ${inline(children, place)})`
      case 'fence':
      case 'code_block':
        return `code-block(${typstString(breakable(token.content.replace(/\n$/, '')))})`
      case 'hr':
        return 'ruler'
    }
    if (place.depth >= DEEPEST_BLOCK) return blocksToTypst(children, place)
    switch (type) {
      case 'blockquote':
        return `quoted(${direction}, ${blocksToTypst(children, inside)})`
      case 'bullet_list':
      case 'ordered_list':
        return listToTypst(node, { ...inside, bullets: place.bullets + (type === 'bullet_list' ? 1 : 0) })
      case 'table':
        return tableToTypst(node, inside)
      default:
        return blocksToTypst(children, place)
    }
  }

  function listToTypst({ type, token, children }: Node, place: Place): string {
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

  function tableToTypst(table: Node, place: Place): string {
    const rows = table.children.flatMap(part => part.children)
    const columns = rows[0]?.children ?? []
    if (columns.length > MOST_COLUMNS) return rows.map(row => rowToTypst(row, place)).join('\n')
    const aligns = columns.map(cell => /text-align:(\w+)/.exec(String(cell.token.attrGet('style')))?.[1] ?? 'auto')
    const longestRun = Math.max(8, Math.floor(60 / columns.length))
    const cells = rows.flatMap(row =>
      columns.map((_, index) => {
        const cell = row.children[index]
        if (!cell) return '[]'
        return `line-of(${cell.direction ?? place.direction}, ${inline(cell.children, place, longestRun)})`
      }),
    )
    return `tabulated(${place.direction}, (${aligns.join(',')},), ${cells.join(',\n')})`
  }

  function rowToTypst(row: Node, place: Place): string {
    const cells = row.children.map(cell => inline(cell.children, place))
    return `paragraph(${row.direction ?? place.direction}, {${cells.join(';" | ";')}})`
  }

  /** The inline content of a paragraph, heading or cell. */
  function inline(nodes: Node[], place: Place, longestRun?: number): string {
    const pieces = nodes.filter(node => node.type === 'inline').flatMap(node => node.children)
    return inlineToTypst(pieces, { footnote: id => footnoteToTypst(id, place), longestRun })
  }

  function footnoteToTypst(id: number, place: Place): string {
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    const note = footnotes.get(id)
    if (!note || placed.has(id) || place.inFootnote) return `super("${number}")`
    placed.add(id)
    return `note("${number}", ${note.direction ?? place.direction}, ${noteBody(note, place.direction)})`
  }

  function noteBody(note: Node, outer: Direction): string {
    const direction = note.direction ?? outer
    return blocksToTypst(note.children, { depth: 1, direction, inFootnote: true, bullets: 0 })
  }

  /** Notes that only other notes refer to stand at the end: Typst does not converge on notes inside notes. */
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
