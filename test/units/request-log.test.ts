import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import { createRequestLog, type LoggedRequest } from '../../src/domain/access/request-log.ts'

const REQUEST: LoggedRequest = {
  company_id: 1,
  key_id: 2,
  request_id: 'x',
  trace_id: null,
  at: 0,
  method: 'GET',
  path: '/api/v1/projects/prj-0000000000',
  operation: 'projects:read',
  status: 404,
  code: 'not_found',
  message: 'The record was not found.',
  ms: 1,
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A log on a database that keeps the companies of each insert. */
function logWith(answer: () => Promise<void> = async () => {}) {
  const inserts: number[][] = []
  const errors: unknown[] = []
  const db = {
    async run({ text, values }: { text: string; values: unknown[] }) {
      if (!text.includes('insert')) return 0
      await answer()
      inserts.push(values[0] as number[])
      return 0
    },
  } as unknown as Db
  return { log: createRequestLog(db, error => errors.push(error)), inserts, errors }
}

describe('The log of requests', () => {
  it('writes every second what was collected, and the rest at the end', async () => {
    const { log, inserts } = logWith()
    log.add(REQUEST)
    log.add({ ...REQUEST, company_id: 3 })
    expect(inserts).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(inserts).toEqual([[1, 3]])
    await vi.advanceTimersByTimeAsync(5_000)
    log.add(REQUEST)
    await log.close()
    expect(inserts).toEqual([[1, 3], [1]])
  })

  it('has a bound while the database hangs, and loses nothing of a company with few entries', async () => {
    let answer = () => {}
    const { log, inserts } = logWith(() => new Promise(resolve => (answer = resolve)))
    log.add(REQUEST)
    await vi.advanceTimersByTimeAsync(1_000)
    for (let n = 0; n < 10; n++) log.add({ ...REQUEST, company_id: 7 })
    for (let second = 0; second < 20; second++) {
      for (let n = 0; n < 10_000; n++) log.add(REQUEST)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    const kept = 200_011 - log.dropped()
    expect(kept).toBeLessThan(15_000)
    for (let n = 0; n < 20; n++) {
      answer()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    const written = inserts.flat()
    expect(written).toHaveLength(kept)
    expect(written.filter(company => company === 7)).toHaveLength(10)
  })

  it('keeps its entries while the database is out of reach', async () => {
    let isDown = true
    const { log, inserts, errors } = logWith(async () => {
      if (isDown) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    })
    log.add(REQUEST)
    await vi.advanceTimersByTimeAsync(3_000)
    expect([inserts, errors.length]).toEqual([[], 3])
    isDown = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(inserts).toEqual([[1]])
  })

  it('drops what the database will never take', async () => {
    const { log, errors } = logWith(async () => {
      throw Object.assign(new Error('invalid'), { code: '22021' })
    })
    log.add(REQUEST)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(errors).toHaveLength(1)
  })
})
