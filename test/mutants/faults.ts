import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

/** One small fault in a source file: these characters are replaced by that text. */
export interface Fault {
  file: string
  start: number
  end: number
  text: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const SWAPPED: Record<string, string> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '&&': '||', '||': '&&' },
}
/** What is left of TypeScript when it runs; everything else of it is types. */
const RUNS = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']

/** Swapped operators, conditions that always or never hold, flipped booleans, calls that are left out. SQL is not touched. */
export function faultsIn(file: string): Fault[] {
  const source = readFileSync(file, 'utf8')
  const found: Fault[] = []
  visit(parseSync(file, source).program as unknown as Node)
  return found

  function visit(node: Node): void {
    if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !RUNS.includes(node.type))) return
    for (const text of replacementsOf(node)) found.push({ file, ...text })
    for (const child of Object.values(node).flat())
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node)
  }

  function replacementsOf(node: Node): Omit<Fault, 'file'>[] {
    const [left, right, test] = [node.left, node.right, node.test] as (Node | undefined)[]
    if (left && right && /^(Binary|Logical)Expression$/.test(node.type)) {
      const [start, end] = [left.end, right.start]
      const [operator, swapped] = [String(node.operator), SWAPPED[String(node.operator)]]
      const isText =
        operator === '+' &&
        [left, right].some(({ type, value }) => type.startsWith('Template') || typeof value === 'string')
      if (swapped && !isText) return [{ start, end, text: source.slice(start, end).replace(operator, swapped) }]
    }
    if (test && /^(If|Conditional)/.test(node.type)) return ['true', 'false'].map(text => ({ ...placeOf(test), text }))
    if (node.type === 'UnaryExpression' && node.operator === '!')
      return [{ ...placeOf(node), text: source.slice(node.start + 1, node.end) }]
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      return [{ ...placeOf(node), text: String(!node.value) }]
    if (node.type === 'ExpressionStatement' && /^(Call|Await)/.test((node.expression as Node).type))
      return [{ ...placeOf(node), text: ';' }]
    return []
  }
}

const placeOf = ({ start, end }: Node) => ({ start, end })

/** The line with the fault, before and after. */
export function describeFault({ file, start, end, text }: Fault): string {
  const source = readFileSync(file, 'utf8')
  const line = source.slice(0, start).split('\n').length
  return `${file}:${line}  ${source.slice(start, end).trim().replaceAll(/\s+/g, ' ')}  =>  ${text.trim()}`
}
