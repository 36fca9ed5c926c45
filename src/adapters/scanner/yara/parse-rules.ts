/** A rule as parsed from its text. */
export interface YaraRule {
  name: string
  isPrivate: boolean
  meta: Record<string, string>
  /** By `$name`: what follows the equals sign, modifiers included. */
  patterns: Map<string, string[]>
  condition: string[]
}

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|("(?:\\.|[^"\\\n])*"|\/(?:\\.|[^\\/\n])+\/[a-z]*|[$#@!][A-Za-z_]\w*\*?|[$#@]\*?|\w+(?:\.\d+)?\*?|\.\.|[=!<>]=|<<|>>|[^\s])/gy

/** Parses the text of rules. It throws on what it does not understand: then nothing may be concluded from it. */
export function parseYaraRules(text: string): YaraRule[] {
  const tokens = new Tokens(tokenize(text))
  const rules: YaraRule[] = []
  while (!tokens.isAtEnd()) {
    if (tokens.peek() === 'import') tokens.skip(2)
    else rules.push(readRule(tokens))
  }
  return rules
}

class Tokens {
  private at = 0
  constructor(private readonly list: string[]) {}

  isAtEnd = () => this.at >= this.list.length
  peek = (ahead = 0) => this.list[this.at + ahead]
  skip(count: number): void {
    this.at += count
  }
  next(expected?: RegExp): string {
    const token = this.list[this.at++]
    if (token === undefined || (expected && !expected.test(token))) throw new Error(`Not understood: ${token}`)
    return token
  }
  isSection = (name: string) => this.peek() === name && this.peek(1) === ':'
}

/** A hexadecimal pattern is one token, because its syntax is different. */
function tokenize(text: string): string[] {
  const tokens: string[] = []
  let at = 0
  while (at < text.length) {
    const end = text[at] === '{' && tokens.at(-1) === '=' ? text.indexOf('}', at) + 1 : 0
    if (end > 0) {
      tokens.push(text.slice(at, end))
      at = end
      continue
    }
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (!found) throw new Error(`Not understood: ${text.slice(at, at + 20)}`)
    if (found[1] !== undefined) tokens.push(found[1])
    at = TOKEN.lastIndex
  }
  return tokens
}

function readRule(tokens: Tokens): YaraRule {
  const modifiers: string[] = []
  while (tokens.peek() !== 'rule') modifiers.push(tokens.next(/^(global|private)$/))
  tokens.skip(1)
  const name = tokens.next(/^\w+$/)
  while (tokens.peek() !== '{') tokens.next(/^(:|\w+)$/)
  tokens.skip(1)
  const meta = tokens.isSection('meta') ? readMeta(tokens) : {}
  const patterns = tokens.isSection('strings') ? readPatterns(tokens) : new Map<string, string[]>()
  tokens.next(/^condition$/)
  tokens.next(/^:$/)
  const condition: string[] = []
  while (tokens.peek() !== '}') condition.push(tokens.next(/^[^{]/))
  tokens.skip(1)
  return { name, isPrivate: modifiers.includes('private'), meta, patterns, condition }
}

function readMeta(tokens: Tokens): Record<string, string> {
  const meta: Record<string, string> = {}
  tokens.skip(2)
  while (!tokens.isSection('strings') && !tokens.isSection('condition')) {
    const key = tokens.next(/^\w+$/)
    tokens.next(/^=$/)
    if (tokens.peek() === '-') tokens.skip(1)
    meta[key] = tokens.next()
  }
  return meta
}

function readPatterns(tokens: Tokens): Map<string, string[]> {
  const patterns = new Map<string, string[]>()
  tokens.skip(2)
  while (!tokens.isSection('condition')) {
    const given = tokens.next(/^\$/)
    // Patterns without a name can only be referred to together, as `them`.
    const name = given === '$' ? `$_${patterns.size}` : given
    tokens.next(/^=$/)
    const pattern = [tokens.next(/^["/{]/)]
    while (!tokens.isSection('condition') && !tokens.peek()?.startsWith('$')) pattern.push(tokens.next())
    patterns.set(name, pattern)
  }
  return patterns
}
