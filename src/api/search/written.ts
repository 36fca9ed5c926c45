import type { Sql } from 'sql-template-tag'
import type { Viewer } from '../../domain/access/sight.ts'
import { Recent } from '../../lib/recent.ts'
import type { Step } from './plan.ts'
import type { Query } from './ranks.ts'
import type { HitType } from './sources.ts'

/** What is looked for, who looks for it, and the step that each kind takes. */
export interface Asked {
  viewer: Viewer
  steps: ReadonlyMap<HitType, Step>
  query: Query
  /** The query with the letters that were typed. */
  typed: string
  limit: number
}

/** A value in the template of a statement, known only when the statement is sent. */
export type Given<A = Asked> = (asked: A) => unknown

interface Written {
  text: string
  givens: unknown[]
}

/** The kinds and their steps can be combined in thousands of ways, and each is kilobytes long. */
const MOST_SHAPES = 500
const KEPT_FOR_MS = 24 * 3_600_000

const written = new Recent<string, Written>(MOST_SHAPES, KEPT_FOR_MS)

/**
 * A statement that is built once for each of its shapes, and then sent with other values. Each value is sent once, however
 * often the statement uses it: six kinds use the same ones.
 */
export function writtenOnce<A>(shape: string, asked: A, write: () => Sql): Sql {
  let statement = written.get(shape)
  if (!statement) {
    statement = withDistinctValues(write())
    written.set(shape, statement)
  }
  return { text: statement.text, values: statement.givens.map(given => (given as Given<A>)(asked)) } as Sql
}

function withDistinctValues({ strings, values }: Sql): Written {
  const givens = [...new Set<unknown>(values)]
  const parameters = values.map(value => `$${givens.indexOf(value) + 1}`)
  return { text: strings.map((part, n) => part + (parameters[n] ?? '')).join(''), givens }
}
