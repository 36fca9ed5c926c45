import type { Sql } from 'sql-template-tag'
import type { Query } from './ranks.ts'
import type { HitType } from './sources.ts'

/** What is looked for, in which company, and among which kinds. */
export interface Asked {
  companyId: number
  types: readonly HitType[]
  query: Query
  limit: number
}

/** A value in the template of a statement: it is known when the statement is sent. */
export type Given = (asked: Asked) => unknown

interface Written {
  text: string
  givens: Given[]
}

const written = new Map<string, Written>()

/**
 * A statement that is put together once for each of its shapes, and then sent with other values. Each value is sent once,
 * however often the statement names it: six kinds name the same ones.
 */
export function writtenOnce(shape: string, asked: Asked, write: () => Sql): Sql {
  let statement = written.get(shape)
  if (!statement) {
    statement = withDistinctValues(write())
    written.set(shape, statement)
  }
  return { text: statement.text, values: statement.givens.map(given => given(asked)) } as Sql
}

function withDistinctValues({ strings, values }: Sql): Written {
  const givens = [...new Set(values as Given[])]
  const parameters = values.map(value => `$${givens.indexOf(value as Given) + 1}`)
  return { text: strings.map((part, n) => part + (parameters[n] ?? '')).join(''), givens }
}
