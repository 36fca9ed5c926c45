import { Compiler } from '@virustotal/yara-x'

export interface RuleSource {
  file: string
  text: string
}

export interface Match {
  identifier: string
  isPrivate: boolean
  metadata: { identifier: string; value: unknown }[]
}

export interface Engine {
  /** The rules that match, without private ones. */
  scan(bytes: Buffer): Match[]
  setVariable(name: string, value: string): void
}

/** The engine takes 0.1 ms to return each match, and a file can have half a million. */
export const MAX_MATCHES_PER_PATTERN = 1_000

let scans = 0
/** How often an engine has scanned in this thread: each time costs 10 ms and 66 kB that are never given back. */
export const scansSoFar = () => scans

/** Compiles the rules. Each file has a namespace of its own, so that names may repeat. */
export function compile(sources: RuleSource[], variables: string[] = []): Engine {
  const compiler = new Compiler()
  for (const name of variables) compiler.defineGlobal(name, '')
  for (const { file, text } of sources) {
    compiler.newNamespace(file)
    try {
      compiler.addSource(text)
    } catch (error) {
      throw new Error(`${file}: ${inOneLine((error as Error).message)}`)
    }
  }
  const scanner = compiler.build().scanner()
  scanner.setMaxMatchesPerPattern(MAX_MATCHES_PER_PATTERN)
  return {
    scan(bytes) {
      scans += 1
      const { valid, errors, matches }: { valid: boolean; errors: string[]; matches: Match[] } = scanner.scan(bytes)
      if (!valid || errors.length > 0) throw new Error(`YARA-X could not scan: ${errors.join('; ')}`)
      return matches.filter(({ isPrivate }) => !isPrivate)
    },
    setVariable: (name, value) => scanner.setGlobal(name, value.toWellFormed()),
  }
}

/** The engine draws the position as several lines; a log needs one. */
function inOneLine(message: string): string {
  const problem = message.split('\n')[0]?.replace(/^error\[\w+\]: /, '')
  const [, line, column] = /--> line:(\d+):(\d+)/.exec(message) ?? []
  const [, hint] = /\^ (.+)/.exec(message) ?? []
  return `${problem}${line ? ` at line ${line}, column ${column}` : ''}${hint ? `: ${hint}` : ''}`
}

/** A value from the `meta` of a rule. */
export function noteOf({ metadata }: Match, key: string): string | undefined {
  const value = metadata.find(({ identifier }) => identifier === key)?.value
  // Text that contains an escape is returned as bytes.
  return Array.isArray(value) ? Buffer.from(value).toString() : typeof value === 'string' ? value : undefined
}

export const findingOf = (match: Match) => noteOf(match, 'finding') ?? match.identifier

/** A name in an archive can have a million letters; systems show fewer. */
export const NAME_MAX = 1_024

/** Without its folders, and without the trailing dots and spaces that Windows drops. */
export function fileNameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  let end = name.length
  while (end > 0 && '. '.includes(name[end - 1] as string)) end--
  return name.slice(Math.max(0, end - NAME_MAX), end)
}
