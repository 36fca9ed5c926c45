import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import { createCallCounts } from '../../src/domain/access/call-counts.ts'

const CALL = { company_id: 1, key_id: 2, operation: 'tasks:read', status: 200, date: '2027-01-01', hour: 9, calls: 1 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Counts on a database that keeps what each write adds: for each kind of call its status and its number. */
function countsWith(failures = 0) {
  const writes: [status: number, calls: number][][] = []
  const errors: unknown[] = []
  const db = {
    async run({ values }: { values: unknown[][] }) {
      if (failures-- > 0) throw new Error('The database is gone.')
      const [, , , , , statuses = [], calls = []] = values as number[][]
      writes.push(statuses.map((status, n) => [status, calls[n] as number]))
    },
  } as unknown as Db
  return { counts: createCallCounts(db, error => errors.push(error)), writes, errors }
}

describe('Calls are counted', () => {
  it('by their kind, and written every few seconds', async () => {
    const { counts, writes } = countsWith()
    for (let n = 0; n < 3; n++) counts.count({ ...CALL, calls: 2 })
    counts.count({ ...CALL, status: 404 })
    expect(writes).toEqual([])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(writes).toEqual([
      [
        [200, 6],
        [404, 1],
      ],
    ])
    await vi.advanceTimersByTimeAsync(9_000)
    expect(writes).toHaveLength(1)
    await counts.close()
  })

  it('to the last one when the server stops, and no longer', async () => {
    const { counts, writes } = countsWith()
    counts.count({ ...CALL })
    await counts.close()
    expect(writes).toEqual([[[200, 1]]])
    counts.count({ ...CALL })
    await vi.advanceTimersByTimeAsync(9_000)
    expect(writes).toHaveLength(1)
  })

  it('up to a number of kinds, in pieces', async () => {
    const { counts, writes } = countsWith()
    for (let key_id = 0; key_id < 50_001; key_id++) counts.count({ ...CALL, key_id })
    await counts.close()
    expect(writes.map(({ length }) => length)).toEqual(Array(10).fill(5_000))
  })

  it('again after a write has failed, which is told and not repeated', async () => {
    const { counts, writes, errors } = countsWith(1)
    counts.count({ ...CALL })
    await vi.advanceTimersByTimeAsync(3_000)
    expect([writes.length, errors.length]).toEqual([0, 1])
    counts.count({ ...CALL, status: 201 })
    await counts.close()
    expect(writes).toEqual([[[201, 1]]])
  })
})
