import type { YaraRule } from './parse-rules.ts'

/** How far after the mark the bytes of a pattern may be. */
const LONGEST_JUMP = 1_024

/** What must be true of bytes that the rule could match; `true` when nothing is known, `false` when it never matches. */
type Need = boolean | string

/**
 * Rules are written for one file, and the engine takes 15 ms for each file, however small. This turns each rule into a weaker
 * one that can be tried on many small members at once: what a condition says of patterns stays, what it says of the first bytes
 * becomes a pattern after the mark that precedes each member, and everything else is taken to be true. So it may match
 * unnecessarily, but never fails to match. Undefined when nothing is known: the rule must be tried on every member.
 */
export function makeSieve(rule: YaraRule, name: string, mark: Buffer, memberMaxBytes: number): string | undefined {
  const used = new Map<string, string>()
  const need = relax(rule.condition, { rule, used, mark, memberMaxBytes })
  if (need === true) return undefined
  // Patterns of conditions that were dropped are left out.
  const asked = new Set(String(need).match(/\$\w+/g))
  const patterns = [...used].filter(([id]) => asked.has(id)).map(([id, pattern]) => `    ${id} = ${pattern}\n`)
  const strings = patterns.length > 0 ? `  strings:\n${patterns.join('')}` : ''
  return `rule ${name} {\n${strings}  condition:\n    ${need}\n}\n`
}

interface Context {
  rule: YaraRule
  used: Map<string, string>
  mark: Buffer
  memberMaxBytes: number
}

function relax(tokens: string[], context: Context): Need {
  const choices = split(tokens, 'or')
  if (choices.length > 1) return either(choices.map(choice => relax(choice, context)))
  const parts = split(tokens, 'and')
  if (parts.length > 1) return both(parts.map(part => relax(part, context)))
  if (isBracketed(tokens)) return relax(tokens.slice(1, -1), context)
  return relaxTerm(tokens, context)
}

function either(needs: Need[]): Need {
  if (needs.includes(true)) return true
  const left = needs.filter(need => need !== false)
  return left.length === 0 ? false : `(${left.join(' or ')})`
}

function both(needs: Need[]): Need {
  if (needs.includes(false)) return false
  const left = needs.filter(need => need !== true)
  return left.length === 0 ? true : `(${left.join(' and ')})`
}

function split(tokens: string[], word: string): string[][] {
  const parts: string[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if ('([{'.includes(token)) depth++
    if (')]}'.includes(token)) depth--
    if (depth === 0 && token === word) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function isBracketed(tokens: string[]): boolean {
  if (tokens[0] !== '(' || tokens.at(-1) !== ')') return false
  let depth = 0
  return tokens.every((token, index) => {
    if (token === '(') depth++
    if (token === ')') depth--
    return depth > 0 || index === tokens.length - 1
  })
}

function relaxTerm(tokens: string[], context: Context): Need {
  const [first = '', second] = tokens
  if (first === 'false' && tokens.length === 1) return false
  if (first.startsWith('$') && (second === undefined || second === 'at' || second === 'in'))
    return usePattern(first, context)
  if (second === 'of' || (second === '%' && tokens[2] === 'of')) return relaxSome(tokens, context)
  if (first.startsWith('#') && isAtLeastOne(tokens)) return usePattern(`$${first.slice(1)}`, context)
  return relaxNumber(tokens.join(' '), context)
}

const isAtLeastOne = ([, operator, number, ...more]: string[]) =>
  more.length === 0 &&
  ((operator === '>' && /^\d+$/.test(number ?? '')) ||
    (/^(>=|==)$/.test(operator ?? '') && /^[1-9]\d*$/.test(number ?? '')))

/** `any of them`, `2 of ($a*, $b)`, `30% of them`, each optionally followed by a position. */
function relaxSome(tokens: string[], context: Context): Need {
  const of = tokens.indexOf('of')
  const amount = tokens.slice(0, of).join('')
  if (!/^(any|all|[1-9]\d*%?)$/.test(amount)) return true
  const names = namesIn(tokens.slice(of + 1), [...context.rule.patterns.keys()])
  if (!names || names.length === 0) return true
  const needs = names.map(name => usePattern(name, context))
  return needs.includes(true) ? true : `${amount} of (${names.join(', ')})`
}

/** Undefined when they are not patterns but rules, or something else. */
function namesIn(tokens: string[], all: string[]): string[] | undefined {
  if (tokens[0] === 'them') return all
  if (tokens[0] !== '(') return undefined
  const wanted = tokens.slice(1, tokens.indexOf(')')).filter(token => token !== ',')
  if (!wanted.every(token => token.startsWith('$'))) return undefined
  return all.filter(name =>
    wanted.some(token => (token.endsWith('*') ? name.startsWith(token.slice(0, -1)) : name === token)),
  )
}

function usePattern(name: string, { rule, used }: Context): Need {
  const pattern = rule.patterns.get(name)
  if (!pattern || isAnchored(pattern[0] ?? '')) return true
  used.set(name, pattern.join(' '))
  return name
}

/** An expression that refers to the beginning or the end of a file. */
function isAnchored(pattern: string): boolean {
  if (!pattern.startsWith('/')) return false
  return /[\^$]/.test(pattern.replace(/\\./g, '').replace(/\[\^?\]?[^\]]{0,200}\]/g, ''))
}

function relaxNumber(term: string, { used, mark, memberMaxBytes }: Context): Need {
  const [, bits, be, at, value] = /^u?int(8|16|32)(be)? \( (0x[\da-f]+|\d+) \) == (0x[\da-f]+|\d+)$/i.exec(term) ?? []
  if (at === undefined) return true
  const [offset, size, number] = [Number(at), Number(bits) / 8, Number(value)]
  // Every member is shorter.
  if (offset + size > memberMaxBytes) return false
  if (offset > LONGEST_JUMP || number >= 256 ** size) return true
  const bytes = Buffer.alloc(size)
  if (be) bytes.writeUIntBE(number, 0, size)
  else bytes.writeUIntLE(number, 0, size)
  const hex = (part: Buffer) => part.toString('hex').replace(/../g, '$& ')
  const pattern = `{ ${hex(mark)}${offset > 0 ? `[${offset}] ` : ''}${hex(bytes)}}`
  const known = [...used].find(([, other]) => other === pattern)?.[0]
  const name = known ?? `$__mark_${used.size}`
  used.set(name, pattern)
  return name
}
