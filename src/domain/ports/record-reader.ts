import type { ChangeEntry } from '../feed/entry.ts'

/** What is needed to find a record that the feed has mentioned. */
export type ChangedRecord = Pick<ChangeEntry, 'kind' | 'record_id' | 'project_id' | 'parent_id'>

/** The record as the API shows it now; null when it no longer exists. */
export type ReadRecord = (companyId: number, record: ChangedRecord) => Promise<unknown>
