import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
// The tree of which the server makes the PDF: what is a heading, and which way each paragraph runs, is decided once.
import { type MarkdownTree, type Node, parseMarkdown, plainText } from '../../../../src/adapters/pdf/markdown-tree.ts'
import { useFilesWords } from './words.ts'

const PAUSE_MS = 150

/** What the PDF will say. It is made of elements, never of markup: raw HTML is text, and an image its alternative text. */
export function MarkdownPreview({ text }: { text: string }) {
  const shown = useLater(text)
  const tree = useMemo(() => parseMarkdown(shown), [shown])
  return <div class="markdown">{blocksOf(tree.blocks, tree)}</div>
}

/** The text as it was when its writer last paused. */
function useLater(text: string): string {
  const [shown, setShown] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setShown(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return shown
}

const blocksOf = (nodes: Node[], tree: MarkdownTree) =>
  nodes.map((node, index) => <Block key={index} node={node} tree={tree} />)

function Block({ node, tree }: { node: Node; tree: MarkdownTree }) {
  const { type, token, children, direction: dir } = node
  const inside = () => blocksOf(children, tree)
  switch (type) {
    case 'heading':
      // Below the headings of the view.
      return (
        <p class={`heading ${token.tag}`} dir={dir}>
          {inlineOf(children, tree)}
        </p>
      )
    case 'paragraph':
      return <p dir={dir}>{inlineOf(children, tree)}</p>
    case 'fence':
    case 'code_block':
      return <pre dir="ltr">{token.content}</pre>
    case 'hr':
      return <hr />
    case 'blockquote':
      return <blockquote dir={dir}>{inside()}</blockquote>
    case 'bullet_list':
      return <ul dir={dir}>{inside()}</ul>
    case 'ordered_list':
      return (
        <ol dir={dir} start={Number(token.attrGet('start') ?? 1)}>
          {inside()}
        </ol>
      )
    case 'list_item':
      return <Item node={node} tree={tree} />
    case 'table':
      return <PreviewTable node={node} tree={tree} />
    default:
      return <>{inside()}</>
  }
}

function Item({ node: { token, children }, tree }: { node: Node; tree: MarkdownTree }) {
  const t = useFilesWords()
  const done = token.meta?.done as boolean | undefined
  return (
    <li class={done === undefined ? undefined : 'box'}>
      {done !== undefined && (
        <span role="img" aria-label={done ? t.done : t.open}>
          {done ? '☑' : '☐'}
        </span>
      )}
      <div>{blocksOf(children, tree)}</div>
    </li>
  )
}

function PreviewTable({ node, tree }: { node: Node; tree: MarkdownTree }) {
  const [head, ...rows] = node.children.flatMap(part => part.children)
  return (
    <table dir={node.direction}>
      <thead>
        <tr>
          {head?.children.map((cell, index) => (
            <th key={index} scope="col" dir={cell.direction}>
              {inlineOf(cell.children, tree)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.children.map((cell, place) => (
              <td key={place} dir={cell.direction}>
                {inlineOf(cell.children, tree)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const inlineOf = (nodes: Node[], tree: MarkdownTree): ComponentChildren =>
  nodes.map((node, index) => <Inline key={index} node={node} tree={tree} />)

const CLICKABLE = /^(?:https?:\/\/|mailto:)/i

function Inline({ node, tree }: { node: Node; tree: MarkdownTree }) {
  const { type, token, children } = node
  const inside = () => inlineOf(children, tree)
  switch (type) {
    case 'text':
      return <>{withoutOverrides(token.content)}</>
    case 'code_inline':
      return <code dir="ltr">{token.content}</code>
    case 'image':
      return <>{withoutOverrides(plainText([node]))}</>
    case 'softbreak':
      return <> </>
    case 'hardbreak':
      return <br />
    case 'strong':
      return <strong>{inside()}</strong>
    case 'em':
      return <em>{inside()}</em>
    case 's':
      return <s>{inside()}</s>
    case 'link': {
      const address = String(token.attrGet('href') ?? '')
      if (!CLICKABLE.test(address)) return <>{inside()}</>
      return (
        <a href={address} target="_blank" rel="noopener noreferrer">
          {inside()}
        </a>
      )
    }
    case 'footnote_ref':
      return <Footnote id={token.meta?.id as number} tree={tree} />
    default:
      return <>{inside()}</>
  }
}

/** The PDF has it at the foot of the page; here it stands in brackets. */
function Footnote({ id, tree }: { id: number; tree: MarkdownTree }) {
  const note = tree.footnotes.get(id)
  const text = note ? plainText(note.children) : ''
  return <small class="quiet">{` (${withoutOverrides(text).trim()})`}</small>
}

const withoutOverrides = (text: string) => text.replace(/[\u202a-\u202e]/g, '')
