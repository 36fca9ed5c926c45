import { randomBytes } from 'node:crypto'
import type { Scanner } from '@virustotal/yara-x'
import type { Member } from '../contents/allowance.ts'
import { appliesTo, compile, fileNameOf, type Notes, type RuleSource, scan, scannerOf } from './engine.ts'
import { parseYaraRules, type YaraRule } from './parse-rules.ts'
import { makeSieve } from './weaker-rule.ts'

/** Members smaller than this are scanned together. */
export const SMALL_BYTES = 32_768
/** Letters and digits next to a word would be part of it; zeros are not. */
const GAP = Buffer.alloc(8)
const FEW = 2

export interface Sieve {
  /** The members that some rule could match: the others need not be scanned one by one. */
  sift(members: Member[]): Member[]
  scans(): number
}

interface SievedRule {
  notes: Notes
  /** Undefined when the rule must be tried on every member that its notes apply to. */
  source: string | undefined
}

/** All the rules in their weaker form. Undefined when some rule is not understood: then every member is scanned alone. */
export function openSieve(sources: RuleSource[]): Sieve | undefined {
  // A hostile file cannot know the mark, so nothing in a member is mistaken for the beginning of one.
  const mark = Buffer.from(randomBytes(12).map(byte => byte | 0x80))
  const rules = readRules(sources, mark)
  const scanner = rules && tryCompile(rules.map(({ source }) => source ?? '').join(''))
  return scanner && makeSift(rules, scanner, mark)
}

function makeSift(rules: SievedRule[], scanner: Scanner, mark: Buffer): Sieve {
  const blind = rules.filter(({ source }) => source === undefined)
  // Only whether a pattern occurs matters, not how often.
  scanner.setMaxMatchesPerPattern(1)
  let scans = 0

  /** Half as many at a time, until so few are left that scanning each is no more work. */
  function narrow(members: Member[]): Member[] {
    if (members.length <= FEW) return members
    scans += 1
    const pieces = members.flatMap(({ bytes }) => [GAP, mark, bytes, GAP])
    const fired = scan(scanner, Buffer.concat(pieces)).map(({ identifier }) => rules[Number(identifier.slice(1))])
    const left = members.filter(member => fired.some(rule => rule && concerns(rule, member)))
    const half = left.length >> 1
    return left.length === 0 ? [] : [...narrow(left.slice(0, half)), ...narrow(left.slice(half))]
  }

  return {
    sift(members) {
      const isBlind = (member: Member) => blind.some(rule => concerns(rule, member))
      return [...members.filter(isBlind), ...narrow(members.filter(member => !isBlind(member)))]
    },
    scans: () => scans,
  }
}

const concerns = ({ notes }: SievedRule, { name, part }: Member) => appliesTo(notes, fileNameOf(name), part)

function readRules(sources: RuleSource[], mark: Buffer): SievedRule[] | undefined {
  try {
    const rules = sources.flatMap(({ text, namespace }) =>
      parseYaraRules(text)
        .filter(({ isPrivate }) => !isPrivate)
        .map(rule => ({ rule, notes: namespace === 'diwan' ? notesOf(rule) : {} })),
    )
    return rules.map(({ rule, notes }, index) => ({
      notes,
      source: makeSieve(rule, `r${index}`, mark, SMALL_BYTES),
    }))
  } catch {
    return undefined
  }
}

/** Text in quotes, with escapes as in JSON. */
function notesOf({ meta: { name, part } }: YaraRule): Notes {
  return { name: name && JSON.parse(name), part: part && JSON.parse(part) }
}

/** If the engine rejects it, there is no sieve: it is only an optimization. */
function tryCompile(text: string): Scanner | undefined {
  try {
    return scannerOf(compile([{ file: 'sieve', namespace: 'sieve', text }]))
  } catch {
    return undefined
  }
}
