import { createRequire } from 'node:module'
import { parseAst, transformWithEsbuild } from 'vite'

// The analyser in plain JavaScript: the other ways to run it need Java or a program of its own.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck')

export interface Pattern {
  source: string
  flags: string
}

export interface Patterns {
  /** Written as they are. */
  written: Pattern[]
  /** Put together when the module is loaded. */
  builtAtLoad: string[]
  /** Put together while the program runs. */
  builtLater: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Every regular expression in a source: the literals, and the calls that build one. */
export async function patternsIn(file: string, typescript: string): Promise<Patterns> {
  const { code } = await transformWithEsbuild(typescript, file, { target: 'esnext' })
  const found: Patterns = { written: [], builtAtLoad: [], builtLater: [] }
  visit(parseAst(code) as unknown as Node, false)
  return found

  function visit(node: Node, isInFunction: boolean): void {
    if (node.type === 'Literal' && node.regex) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      found.written.push({ source: pattern, flags })
    }
    if (isConstruction(node)) {
      const [source, flags] = (node.arguments as Node[]).map(({ value }) => value)
      if (typeof source === 'string') found.written.push({ source, flags: typeof flags === 'string' ? flags : '' })
      else found[isInFunction ? 'builtLater' : 'builtAtLoad'].push(code.slice(node.start, node.end))
    }
    const below = isInFunction || /Function/.test(node.type)
    for (const child of Object.values(node).flat()) {
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, below)
    }
  }
}

function isConstruction({ type, callee }: Node): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && (callee as { name?: string }).name === 'RegExp'
}

/** What the theory does not cover is attacked, in the same way every time: neither chance nor a busy machine decides. */
const ATTACK = {
  checker: 'fuzz',
  timeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  recallTimeout: null,
  randomSeed: 1,
} as const

/** What makes a pattern take more than linear time on some text; undefined when nothing does. */
export function slownessOf({ source, flags }: Pattern): string | undefined {
  const proven = checkSync(source, flags, { checker: 'automaton', timeout: null })
  const verdict = proven.status === 'unknown' ? checkSync(source, flags, ATTACK) : proven
  if (verdict.status === 'safe') return undefined
  const slowness = verdict.status === 'vulnerable' ? verdict.complexity.summary : 'not understood'
  return `/${source}/${flags} is ${slowness}`
}
