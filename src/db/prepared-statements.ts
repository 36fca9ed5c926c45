import type { PoolClient } from 'pg'
import { beforeBind, beforeParse, closeStatement } from './pg-internals.ts'

// Every connection keeps what it has prepared until it is told to forget it, in the memory of the database. So only texts that
// come back are prepared, and each connection keeps the ones used last.

/** How much prepared statements may take on one connection, by the estimate below: more than the whole API needs. */
const MOST_BYTES = 24 * 1024 * 1024
/** Measured on PostgreSQL 15 for the statements of every endpoint, text, query tree and plan together: 180 on average. */
const BYTES_PER_CHARACTER = 180
/** The texts that are remembered as seen. */
const MOST_TEXTS = 2_000

/** The name of each text that was seen lately, the least recently seen first; empty while it was seen once. */
const names = new Map<string, string>()
let lastName = 0

/**
 * The name under which a connection prepares a text, from its second use on. Filters can be combined in so many ways that many
 * texts never come back: those are planned once either way, and without a name nothing of them is kept.
 */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  const name = known === undefined ? '' : known || `diwan_${++lastName}`
  names.delete(text)
  names.set(text, name)
  if (names.size > MOST_TEXTS) names.delete(names.keys().next().value as string)
  return name || undefined
}

/** What a connection has prepared: the estimated bytes of each statement, the least recently used first. */
type Kept = Map<string, number>

const kept = new Set<Kept>()
let evicted = 0

/** What all connections of this process have prepared, and how many statements they had to forget. */
export function preparedStatements(): { count: number; bytes: number; evicted: number } {
  const all = [...kept]
  return { count: sum(all.map(({ size }) => size)), bytes: sum(all.map(bytesOf)), evicted }
}

/**
 * Keeps what a client prepares within the bound. Before a statement is parsed that does not fit, those that were not used for
 * the longest time are closed, behind everything that was sent before. To close one is a message of the protocol and no
 * statement: it succeeds in a transaction that has failed, and through a pooler that follows prepared statements.
 */
export function boundPreparedStatements(client: PoolClient): void {
  const own: Kept = new Map()
  kept.add(own)
  client.once('end', () => kept.delete(own))

  beforeParse(client, (name, text) => {
    own.delete(name)
    const bytes = text.length * BYTES_PER_CHARACTER
    makeRoom(MOST_BYTES - bytes)
    own.set(name, bytes)
  })
  beforeBind(client, name => {
    const bytes = own.get(name)
    if (bytes === undefined) return
    own.delete(name)
    own.set(name, bytes)
  })

  function makeRoom(room: number): void {
    let bytes = bytesOf(own)
    for (const [name, size] of own) {
      if (bytes <= room) return
      if (!closeStatement(client, name)) continue
      own.delete(name)
      bytes -= size
      evicted++
    }
  }
}

function bytesOf(statements: Kept): number {
  return sum([...statements.values()])
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
