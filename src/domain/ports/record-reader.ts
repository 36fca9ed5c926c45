import type { ChangeEntry } from '../feed.ts'

/** What it takes to find a record that the feed has told of. */
export type ChangedRecord = Pick<ChangeEntry, 'kind' | 'record_id' | 'project_id' | 'parent_id'>

/** The record as the API shows it now; null when it is gone. */
export type ReadRecord = (companyId: number, record: ChangedRecord) => Promise<unknown>
