import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { initSync } from '@virustotal/yara-x'
import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import { Allowance, type Member } from '../contents/allowance.ts'
import { unfold } from '../contents/unfold.ts'
import { openEngine, type RuleSource, type YaraEngine } from './engine.ts'
import { openSieve, type Sieve, SMALL_BYTES } from './sieve.ts'

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
const BATCH_MEMBERS = 2_000

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread')
initSync({ module: readFileSync(new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))) })
const answer = (message: ScanAnswer) => port.postMessage(message)

try {
  const sources = workerData as RuleSource[]
  const engine = openEngine(sources)
  const sieve = openSieve(sources)
  // An exception in here ends the worker: after a fault inside the engine its memory cannot be trusted.
  port.on('message', ({ bytes, name, timeLimitMs }: ScanQuestion) => {
    const upload: Member = { name, part: 'file', bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
    const said = examine(upload, engine, sieve, performance.now() + timeLimitMs)
    answer({ ...said, engineScans: engine.scans() + (sieve?.scans() ?? 0) })
  })
  answer({ ready: true })
} catch (error) {
  answer({ problem: (error as Error).message })
}

/** A finding counts for more than an obstacle. */
function examine(upload: Member, engine: YaraEngine, sieve: Sieve | undefined, deadline: number) {
  const obstacles: Obstacle[] = []
  const allowance = new Allowance(upload.bytes.length)
  let small: Member[] = []
  let smallBytes = 0
  const flush = (): string | null => {
    // A single member is not worth scanning twice.
    const members = sieve && small.length > 1 ? sieve.sift(small) : small
    ;[small, smallBytes] = [[], 0]
    return findIn(members)
  }
  const findIn = (members: Member[]): string | null => {
    for (const member of members) {
      if (performance.now() > deadline) {
        obstacles.push(allowance.exceeded('TooLong').obstacle)
        return null
      }
      const found = engine.match(member)
      if (found) return found
    }
    return null
  }
  for (const member of unfold(upload, allowance, obstacle => obstacles.push(obstacle))) {
    const isSmall = member.bytes.length < SMALL_BYTES
    if (isSmall) {
      small.push(member)
      smallBytes += member.bytes.length
    }
    const isFull = smallBytes > BATCH_BYTES || small.length >= BATCH_MEMBERS
    const finding = isSmall ? (isFull ? flush() : null) : findIn([member])
    if (finding) return { finding, obstacle: null }
    if (performance.now() > deadline) obstacles.push(allowance.exceeded('TooLong').obstacle)
    if (allowance.isSpent) break
  }
  const finding = flush()
  return { finding, obstacle: finding ? null : (obstacles[0] ?? null) }
}
