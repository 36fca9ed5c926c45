import { randomBytes } from 'node:crypto'
import type { Scanner } from '@virustotal/yara-x'
import type { Member } from '../lib/allowance.ts'
import { parseYaraRules, type YaraRule } from '../lib/yara-rules.ts'
import { makeSieve } from '../lib/yara-sieve.ts'
import {
  appliesTo,
  compile,
  fileNameOf,
  MAX_MATCHES_PER_PATTERN,
  type Notes,
  type RuleSource,
  scan,
  scannerOf,
} from './scanner-yara-engine.ts'

/** Members below this are asked about together. */
export const SMALL_BYTES = 32_768
/** Letters and digits next to a word would be part of it; zeros are not. */
const GAP = Buffer.alloc(8)

export interface Sieve {
  /** The members that some rule could match: the others need not be looked at one by one. */
  sift(members: Member[]): Member[]
  scans(): number
}

interface SievedRule {
  notes: Notes
  /** Undefined when the rule must be asked of every member that its notes apply to. */
  source: string | undefined
}

/** All the rules in their weaker form. Undefined when some rule is not understood: then every member is scanned alone. */
export function openSieve(sources: RuleSource[]): Sieve | undefined {
  // A hostile file cannot know it, so nothing in a member is taken for the beginning of one.
  const mark = Buffer.from(randomBytes(12).map(byte => byte | 0x80))
  const rules = readRules(sources, mark)
  const scanner = rules && tryCompile(rules.map(({ source }) => source ?? '').join(''))
  return scanner && makeSift(rules, scanner, mark)
}

function makeSift(rules: SievedRule[], scanner: Scanner, mark: Buffer): Sieve {
  const blind = rules.filter(({ source }) => source === undefined)
  let scans = 0

  function candidates(members: Member[]): Member[] {
    const starts: number[] = []
    const pieces: Buffer[] = []
    let length = 0
    for (const { bytes } of members) {
      starts.push(length)
      pieces.push(GAP, mark, bytes, GAP)
      length += GAP.length + mark.length + bytes.length + GAP.length
    }
    scans += 1
    const hit = new Set<Member>()
    for (const { identifier, patterns } of scan(scanner, Buffer.concat(pieces))) {
      const { notes } = rules[Number(identifier.slice(1))] as SievedRule
      for (const { matches } of patterns) {
        // There are more than are told: half as many members at a time.
        if (matches.length >= MAX_MATCHES_PER_PATTERN && members.length > 1) {
          const half = members.length >> 1
          return [...candidates(members.slice(0, half)), ...candidates(members.slice(half))]
        }
        for (const { offset } of matches) {
          const member = members[lastAtOrBefore(starts, offset)] as Member
          if (appliesTo(notes, fileNameOf(member.name), member.part)) hit.add(member)
        }
      }
    }
    return members.filter(member => hit.has(member))
  }

  return {
    sift(members) {
      const isBlind = ({ name, part }: Member) => blind.some(({ notes }) => appliesTo(notes, fileNameOf(name), part))
      const seen = blind.length === 0 ? members : members.filter(member => !isBlind(member))
      const alone = members.length === seen.length ? [] : members.filter(isBlind)
      return seen.length === 0 ? alone : [...alone, ...candidates(seen)]
    },
    scans: () => scans,
  }
}

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

/** What makes no rule for the engine makes no sieve: it is only a way to be quicker. */
function tryCompile(text: string): Scanner | undefined {
  try {
    return scannerOf(compile([{ file: 'sieve', namespace: 'sieve', text }]))
  } catch {
    return undefined
  }
}

function lastAtOrBefore(starts: number[], offset: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
