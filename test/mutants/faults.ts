import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

/** One small fault in a source file: these characters are replaced by that text. */
export interface Fault {
  /** Different for all faults, and the same in every run. */
  name: string
  start: number
  end: number
  text: string
  /** The expression or the statement that has the fault. */
  whole: Place
}

interface Place {
  start: number
  end: number
}

interface Node extends Place {
  type: string
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
    for (const { whole = node, ...fault } of replacementsOf(node))
      found.push({ ...fault, name: nameOf(fault), whole: placeOf(whole) })
    for (const child of Object.values(node).flat())
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node)
  }

  function replacementsOf(node: Node): (Place & { text: string; whole?: Place })[] {
    const [left, right, test] = [node.left, node.right, node.test] as (Node | undefined)[]
    if (left && right && /^(Binary|Logical)Expression$/.test(node.type)) {
      const [start, end] = [left.end, right.start]
      const [operator, swapped] = [String(node.operator), SWAPPED[String(node.operator)]]
      const isText =
        operator === '+' &&
        [left, right].some(({ type, value }) => type.startsWith('Template') || typeof value === 'string')
      if (swapped && !isText) return [{ start, end, text: source.slice(start, end).replace(operator, swapped) }]
    }
    if (test && /^(If|Conditional)/.test(node.type))
      return ['true', 'false'].map(text => ({ ...placeOf(test), text, whole: test }))
    if (node.type === 'UnaryExpression' && node.operator === '!')
      return [{ ...placeOf(node), text: source.slice(node.start + 1, node.end) }]
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      return [{ ...placeOf(node), text: String(!node.value) }]
    if (node.type === 'ExpressionStatement' && /^(Call|Await)/.test((node.expression as Node).type))
      return [{ ...placeOf(node), text: ';' }]
    return []
  }

  /** The line with the fault, before and after. */
  function nameOf({ start, end, text }: Place & { text: string }): string {
    const lines = source.slice(0, start).split('\n')
    const was = source.slice(start, end).trim().replaceAll(/\s+/g, ' ')
    return `${file}:${lines.length}:${(lines.at(-1) as string).length + 1}  ${was}  =>  ${text.trim()}`
  }
}

const placeOf = ({ start, end }: Place): Place => ({ start, end })

/** The source with all of its faults, each asleep until `globalThis.isAwake` says otherwise. */
export function withFaults(file: string): string {
  const source = readFileSync(file, 'utf8')
  const faults = faultsIn(file)
  return rendered({ start: 0, end: source.length }, faults)

  function rendered({ start, end }: Place, inside: Fault[]): string {
    let [text, at] = ['', start]
    for (const { whole } of outermost(inside)) {
      text += source.slice(at, whole.start) + switched(whole, inside.filter(isWithin(whole)))
      at = whole.end
    }
    return text + source.slice(at, end)
  }

  function switched(whole: Place, faults: Fault[]): string {
    const isOfWhole = (fault: Fault) => fault.whole.start === whole.start && fault.whole.end === whole.end
    const sound = rendered(
      whole,
      faults.filter(fault => !isOfWhole(fault)),
    )
    return faults.filter(isOfWhole).reduce((otherwise, { name, start, end, text }) => {
      const isAwake = `globalThis.isAwake?.(${JSON.stringify(name)})`
      if (text === ';') return `if (${isAwake}) {} else {${otherwise}}`
      return `(${isAwake} ? ${source.slice(whole.start, start)}${text}${source.slice(end, whole.end)} : ${otherwise})`
    }, sound)
  }
}

const isWithin =
  ({ start, end }: Place) =>
  ({ whole }: Fault) =>
    whole.start >= start && whole.end <= end

/** Those that are in no other, one for each place, in their order. */
function outermost(faults: Fault[]): Fault[] {
  const places = faults.toSorted((a, b) => a.whole.start - b.whole.start || b.whole.end - a.whole.end)
  let end = -1
  return places.filter(({ whole }) => {
    if (whole.start < end) return false
    end = whole.end
    return true
  })
}
