import { createRequire } from 'node:module'
import { parseAst, transformWithEsbuild } from 'vite'

// The analyser in pure JavaScript: the other ways to run it need Java or a native program.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck')

export interface Pattern {
  source: string
  flags: string
}

export interface Patterns {
  /** Literals. */
  written: Pattern[]
  /** Built when the module is loaded. */
  builtAtLoad: string[]
  /** Built while the program runs. */
  builtLater: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Every regular expression in a source file: the literals, and the calls that build one. */
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

/** Patterns that cannot be analysed are fuzzed, deterministically: neither chance nor a busy machine affects the result. */
const ATTACK = {
  checker: 'fuzz',
  timeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  recallTimeout: null,
  randomSeed: 1,
} as const

/** Why a pattern can take more than linear time on some text; undefined if it cannot. */
export function slownessOf({ source, flags }: Pattern): string | undefined {
  const proven = checkSync(source, flags, { checker: 'automaton', timeout: null })
  const verdict = proven.status === 'unknown' ? checkSync(source, flags, ATTACK) : proven
  if (verdict.status === 'safe') return undefined
  const slowness = verdict.status === 'vulnerable' ? verdict.complexity.summary : 'not understood'
  return `/${source}/${flags} is ${slowness}`
}
