import { apiEndpoints } from './api/endpoints.ts'
import type { Db } from './db/db.ts'
import { readerOf } from './domain/access/reader.ts'
import type { ReadRecord } from './domain/ports/record-reader.ts'
import { addressOf } from './domain/records/addresses.ts'
import { type ReadInside, readsInside } from './http/endpoints/reads-inside.ts'

/** Reads records as the API shows them, for nobody in particular. */
export function createRecordReader(db: Db): ReadRecord {
  const read = apiReads(db)
  return async (companyId, record) => {
    const shown = await read(addressOf(record), { companyId })
    return shown === undefined ? null : (shown as { data: unknown }).data
  }
}

/** The reads of the API, for whoever has access to the database and needs no key. */
export function apiReads(db: Db): ReadInside {
  return readsInside(
    db,
    ({ companyId, personId = 0 }) => readerOf(db, companyId, { id: personId, name: '' }),
    apiEndpoints,
  )
}
