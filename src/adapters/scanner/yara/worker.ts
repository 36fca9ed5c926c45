import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { initSync } from '@virustotal/yara-x'
import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import { Allowance, type Member } from '../contents/allowance.ts'
import { unfold } from '../contents/unfold.ts'
import { attempt } from '../contents/unreadable.ts'
import { type Find, openBuiltInRules } from './built-in-rules.ts'
import { MAX_MATCHES_PER_PATTERN, type RuleSource, scansSoFar } from './engine.ts'
import { openOwnRules } from './own-rules.ts'

export interface RuleSets {
  builtIn: RuleSource[]
  /** The operator's. */
  own: RuleSource[]
}

export interface ScanQuestion {
  bytes: Uint8Array
  name: string
  timeLimitMs: number
}

export type ScanAnswer =
  | { ready: true }
  | { problem: string }
  | {
      finding: string | null
      obstacle: Obstacle | null
      /** How often the engine has been started in this thread. */
      engineScans: number
    }

const BATCH_BYTES = 1024 * 1024
/** So that the beginning of every member counts. */
const BATCH_MEMBERS = MAX_MATCHES_PER_PATTERN

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread')
initSync({ module: readFileSync(new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))) })
const answer = (message: ScanAnswer) => port.postMessage(message)

try {
  const { builtIn, own } = workerData as RuleSets
  const finders = [openBuiltInRules(builtIn), ...(own.length > 0 ? [openOwnRules(own)] : [])]
  // An exception in here ends the worker: after a fault inside the engine its memory cannot be trusted.
  port.on('message', ({ bytes, name, timeLimitMs }: ScanQuestion) => {
    const upload: Member = { name, part: 'file', bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
    answer({ ...examine(upload, finders, performance.now() + timeLimitMs), engineScans: scansSoFar() })
  })
  answer({ ready: true })
} catch (error) {
  answer({ problem: (error as Error).message })
}

/** A finding counts for more than an obstacle. */
function examine(upload: Member, finders: Find[], deadline: number) {
  const obstacles: Obstacle[] = []
  const allowance = new Allowance(upload.bytes.length)
  const checkTime = () => {
    if (performance.now() > deadline) throw allowance.exceeded('TooLong')
  }
  const finding = attempt(obstacles, () => {
    for (const batch of inBatches(unfold(upload, allowance, obstacle => obstacles.push(obstacle)))) {
      for (const find of finders) {
        const found = find(batch, checkTime)
        if (found) return found
      }
    }
    return null
  })
  return { finding: finding ?? null, obstacle: finding ? null : (obstacles[0] ?? null) }
}

function* inBatches(members: Iterable<Member>): Generator<Member[]> {
  let batch: Member[] = []
  let bytes = 0
  for (const member of members) {
    batch.push(member)
    bytes += member.bytes.length
    if (batch.length < BATCH_MEMBERS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
