import { isMetadataKey, LONGEST_VALUE, MOST_KEYS } from '../../../src/domain/records/metadata.ts'
import { UsageError } from '../frame/command.ts'
import { harmless } from '../frame/output.ts'
import { trimmed } from './names.ts'

/** Columns of this name hold metadata: the rest of the name is the key. */
const PREFIX = 'metadata.'

/** A key of the metadata, and the number of the column with its values. */
export type MetadataColumn = [key: string, column: number]

/** The columns for metadata. A key that the server would refuse in every row is refused once, here. */
export function findMetadata(names: string[]): MetadataColumn[] {
  const found = new Map<string, number>()
  for (const [column, name] of names.map(trimmed).entries()) {
    if (!name.startsWith(PREFIX)) continue
    const key = name.slice(PREFIX.length)
    const shown = harmless(JSON.stringify(name.slice(0, 60)))
    if (!isMetadataKey(key))
      throw new UsageError(`FILE has a column ${shown}: a key has 1 to 40 letters, digits, _ . or -`)
    if (found.has(key)) throw new UsageError(`FILE has two columns ${shown}`)
    found.set(key, column)
  }
  if (found.size > MOST_KEYS) throw new UsageError(`FILE has more than ${MOST_KEYS} columns for metadata`)
  return [...found]
}

/** The metadata of a row; or the column with a value that cannot be stored, and why. Empty cells are left out. */
export function readMetadata(
  cells: string[],
  columns: MetadataColumn[],
): { metadata: Record<string, string> } | { field: string; reason: string } {
  const entries = columns.map(([key, column]) => [key, trimmed(cells[column] ?? '')] as const)
  const long = entries.find(([, value]) => [...value].length > LONGEST_VALUE)
  if (long) return { field: PREFIX + long[0], reason: `has more than ${LONGEST_VALUE} characters` }
  return { metadata: Object.fromEntries(entries.filter(([, value]) => value !== '')) }
}
