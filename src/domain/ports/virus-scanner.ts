import { type Said, say, type Words, wordsOf } from '../sentences/sentences.ts'
import type { Condition } from './condition.ts'

/** The scan state of a file: waiting for the engine, the engine's verdict, or `skipped`, because a link has no bytes. */
export const SCAN_STATES = ['pending', 'clean', 'skipped', 'infected', 'failed'] as const
export type ScanState = (typeof SCAN_STATES)[number]

/** Why something could not be examined completely. */
export type Obstacle = 'Bomb' | 'Broken' | 'Encrypted' | 'TooDeep' | 'TooLong' | 'TooMany' | 'Unsupported'

/**
 * The verdict of an engine on some bytes. `clean` is only for what it has examined completely, and `failed` for what it cannot
 * examine, which a retry would not change. When it cannot decide for another reason, it throws.
 */
export interface Verdict {
  outcome: Exclude<ScanState, 'pending' | 'skipped'>
  /** The engine and its rules, for example `YARA-X 1.20, built-in rules` or `ClamAV 1.0.7/27000`. */
  engine: string
  /** The name of what was found, or of the obstacle. */
  finding: string | null
}

export interface Scanner {
  scan(bytes: Buffer, name: string): Promise<Verdict>
  check(): Promise<Condition>
  close(): Promise<void>
}

export const NO_SCANNER: Condition = {
  state: 'off',
  message: 'This process scans nothing: the workers scan uploads with their built-in rules.',
  advice: 'Make sure that a worker runs.',
}

/** An obstacle as a finding: `Archive.Encrypted`. */
export const findingOf = (obstacle: Obstacle) => `Archive.${obstacle}`

const HEURISTICS: [RegExp, Obstacle][] = [
  [/^Heuristics\.Encrypted\./, 'Encrypted'],
  [/^Heuristics\.Limits\.Exceeded/, 'TooMany'],
  [/^Heuristics\.Broken\./, 'Broken'],
]

/** The obstacle that a finding of one of our engines names, if any. */
export function obstacleOf(finding: string | null): Obstacle | undefined {
  if (finding === null) return undefined
  const [, own] = /^Archive\.(\w+)$/.exec(finding) ?? []
  if (own !== undefined && own in REASONS) return own as Obstacle
  return HEURISTICS.find(([pattern]) => pattern.test(finding))?.[1]
}

const REASONS: Record<Obstacle, Said> = {
  Bomb: 'unpacks to far more than its size, so it could not be looked into',
  Broken: 'is damaged or cut short, so it could not be looked into',
  Encrypted: 'is locked with a password, so it could not be looked into',
  TooDeep: 'has too many archives packed inside one another to be looked into',
  TooLong: 'takes too long to be looked into',
  TooMany: 'holds too much to be looked into',
  Unsupported: 'is packed in a way that could not be looked into',
}

const NO_ANSWER = 'could not be scanned, because the virus scanner gave no answer'

const OBSTRUCTIONS: Record<Exclude<Verdict['outcome'], 'clean'>, (finding: string) => Words> = {
  infected: finding => say('is infected ({finding}), so its content was removed', { finding }),
  failed: finding => wordsOf(REASONS[obstacleOf(finding) ?? 'Unsupported']),
}

/** What follows the name of a file that cannot be downloaded. Without a finding, the engine gave no answer. */
export function obstruction(outcome: keyof typeof OBSTRUCTIONS, finding: string | null): Words {
  return finding === null ? wordsOf(NO_ANSWER) : OBSTRUCTIONS[outcome](finding)
}
