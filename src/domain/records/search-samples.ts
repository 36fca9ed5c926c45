import type { KindWith } from './records.ts'

/** Some names of a kind of record in a company, by which a search decides where to look. */
export interface SampledNames {
  /** Whether there were so few records that `newest` has all of their names. */
  is_small: boolean
  newest: string[]
  /** If there are many records, names from the oldest to the newest. */
  spread: string[]
  /** All of the names in one text. */
  all: string
}

export type SampledKinds = Map<KindWith<{ isSearched: true }>, SampledNames>
