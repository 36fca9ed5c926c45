import type { ChangedRecord } from '../ports/record-reader.ts'
import { RECORDS } from './records.ts'
import { kindOfRef } from './refs.ts'

/** Where the API shows a record that the feed has mentioned. */
export function addressOf({ kind, record_id, project_id, parent_id }: ChangedRecord): string {
  return RECORDS[kind].address
    .replace(':parent', () => addressOfRef(parent_id ?? ''))
    .replace(':project', project_id)
    .replace(':id', record_id)
}

/** What a comment is on is known by its ref alone. */
function addressOfRef(ref: string): string {
  const kind = kindOfRef(ref)
  return kind ? RECORDS[kind].address.replace(':id', ref) : '/unknown'
}
