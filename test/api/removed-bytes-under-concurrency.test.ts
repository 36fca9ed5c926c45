import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StorageUnavailable } from '../../src/domain/ports/blob-store.ts'
import { keepBytes, removeUnneeded } from '../../src/domain/records/unneeded-blobs.ts'
import { startBucket } from '../support/answering-bucket.ts'
import { useOwnApp } from '../support/app.ts'

const bytes = Buffer.from('0123456789')
const digest = createHash('sha256').update(bytes).digest('hex')
/** PostgreSQL ends a session that is idle in a transaction for longer, and gives its locks to others. */
const LOCKED_FOR_MS = 8_000

describe('The lock of bytes in a bucket', () => {
  const app = useOwnApp()

  it('outlives a removal that the bucket does not answer', async () => {
    const { blobs, asked, close } = await startBucket(line => line.startsWith('DELETE'))
    onTestFinished(close)
    const since = performance.now()
    await expect(removeUnneeded(app.database.db, blobs, 1, digest)).rejects.toBeInstanceOf(StorageUnavailable)
    expect(performance.now() - since).toBeLessThan(LOCKED_FOR_MS)
    expect(asked.filter(line => line.startsWith('DELETE'))).toHaveLength(1)
  })

  it('outlives the question whether bytes are still there, which an upload asks under it', async () => {
    const { blobs, close } = await startBucket(line => line.startsWith('HEAD'))
    onTestFinished(close)
    const since = performance.now()
    const keeping = app.database.db.transaction(tx => keepBytes(tx, blobs, 1, digest, bytes))
    await expect(keeping).rejects.toBeInstanceOf(StorageUnavailable)
    expect(performance.now() - since).toBeLessThan(LOCKED_FOR_MS)
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')('is still held when bytes are removed, or they stay', async () => {
    const { db } = app.database
    const endSession = () =>
      db.raw(
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
        [],
      )
    const { blobs, asked, close } = await startBucket(async line => {
      if (line.includes('list-type')) await endSession()
      return false
    })
    onTestFinished(close)
    await expect(removeUnneeded(db, blobs, 1, digest)).rejects.toThrow(/connection/i)
    expect(asked).toEqual([expect.stringMatching('list-type')])
  })
})
