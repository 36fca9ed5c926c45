import { extname } from 'node:path'
import { Compiler, type Rules, type Scanner } from '@virustotal/yara-x'
import type { Member } from '../contents/allowance.ts'

export interface RuleSource {
  file: string
  /** `diwan` for ours; each of the operator's files has its own, so that rule names may repeat. */
  namespace: string
  text: string
}

interface Match {
  identifier: string
  namespace: string
  isPrivate: boolean
  metadata: { identifier: string; value: unknown }[]
}

export interface YaraEngine {
  /** The name of what was found in the member, or null. */
  match(member: Member): string | null
  /** How often the engine was started: each start costs 15 ms and 66 kB that it never gives back. */
  scans(): number
}

/** The engine takes 0.1 ms to return each match, and a file can have half a million. */
const MAX_MATCHES_PER_PATTERN = 1_000
/** Variables that public rule sets expect. The last two are known only for files on a disk, and stay empty. */
const VARIABLES = ['filename', 'filepath', 'extension', 'filetype', 'owner']
/** A name in an archive can have a million letters; systems show fewer. */
const NAME_MAX = 1_024

export function openEngine(sources: RuleSource[]): YaraEngine {
  const scanner = scannerOf(compile(sources))
  // Each costs 10 ms to set, so only those that some rule uses are set.
  const variables = VARIABLES.filter(name => sources.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)))
  let scans = 0
  return {
    match({ name, part, bytes }) {
      const filename = fileNameOf(name)
      const known = { filename, filepath: name.slice(-NAME_MAX), extension: extname(filename).slice(1).toLowerCase() }
      for (const [key, value] of Object.entries(known)) {
        if (variables.includes(key)) scanner.setGlobal(key, value.toWellFormed())
      }
      scans += 1
      const rule = scan(scanner, bytes).find(
        match => !match.isPrivate && (match.namespace !== 'diwan' || appliesTo(notesOf(match), filename, part)),
      )
      return rule ? (notesOf(rule).finding ?? rule.identifier) : null
    },
    scans: () => scans,
  }
}

export function compile(sources: RuleSource[]): Rules {
  const compiler = new Compiler()
  for (const name of VARIABLES) compiler.defineGlobal(name, '')
  for (const { file, namespace, text } of sources) {
    compiler.newNamespace(namespace)
    try {
      compiler.addSource(text)
    } catch (error) {
      throw new Error(`${file}: ${inOneLine((error as Error).message)}`)
    }
  }
  return compiler.build()
}

/** The engine draws the position as several lines; a log needs one. */
function inOneLine(message: string): string {
  const problem = message.split('\n')[0]?.replace(/^error\[\w+\]: /, '')
  const [, line, column] = /--> line:(\d+):(\d+)/.exec(message) ?? []
  const [, hint] = /\^ (.+)/.exec(message) ?? []
  return `${problem}${line ? ` at line ${line}, column ${column}` : ''}${hint ? `: ${hint}` : ''}`
}

export function scannerOf(rules: Rules): Scanner {
  const scanner = rules.scanner()
  scanner.setMaxMatchesPerPattern(MAX_MATCHES_PER_PATTERN)
  return scanner
}

export function scan(scanner: Scanner, bytes: Buffer): Match[] {
  const { valid, errors, matches }: { valid: boolean; errors: string[]; matches: Match[] } = scanner.scan(bytes)
  if (!valid || errors.length > 0) throw new Error(`YARA-X could not scan: ${errors.join('; ')}`)
  return matches
}

/** Without its folders, and without the trailing dots and spaces that Windows drops. */
export function fileNameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  let end = name.length
  while (end > 0 && '. '.includes(name[end - 1] as string)) end--
  return name.slice(Math.max(0, end - NAME_MAX), end)
}

export interface Notes {
  finding?: string | undefined
  name?: string | undefined
  part?: string | undefined
}

/** What our rules require besides their conditions: see the head of diwan.yar. */
export function appliesTo({ name, part: onlyPart }: Notes, filename: string, part: Member['part']): boolean {
  return (!name || new RegExp(name, 'i').test(filename)) && (!onlyPart || onlyPart === part)
}

function notesOf({ metadata }: Match): Notes {
  const note = (key: string) => {
    const value = metadata.find(({ identifier }) => identifier === key)?.value
    // Text that contains an escape is returned as bytes.
    return Array.isArray(value) ? Buffer.from(value).toString() : typeof value === 'string' ? value : undefined
  }
  return { finding: note('finding'), name: note('name'), part: note('part') }
}
