import { invalid } from './error.ts'

export interface Versioned {
  /**
   * The record as it was read, or its ETag: the call is refused with `precondition_failed` when the record has changed since.
   * Records that were listed have no ETag of their own: get the record first.
   */
  ifMatch?: object | string | undefined
}

/** The ETags of the records that were read, for as long as the record is referenced. */
const versions = new WeakMap<object, string>()

/** The ETag that a record came with; undefined for one that was listed. */
export function etagOf(record: object): string | undefined {
  return versions.get(record)
}

export function keepVersion<T>(record: T, { headers }: Response): T {
  const etag = headers.get('etag')
  if (etag && typeof record === 'object' && record !== null) versions.set(record, etag)
  return record
}

export function versionOf(match: object | string): string {
  const etag = typeof match === 'string' ? match : etagOf(match)
  if (etag === undefined)
    throw invalid('ifMatch must be an ETag, or a record as get, create, update or an action gave it')
  return etag
}
