import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'

const PERSON_PER_MINUTE = 600

const app = useOwnApp({ burstPerMinute: 4 })
const AT_ONCE = 20

// The clock stands still: however slow the machine is, all calls of a test are of one minute.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function statuses(count: number, call: () => Promise<Answer>): Promise<Set<number>> {
  const seen = new Set<number>()
  for (let n = 0; n < count; n += AT_ONCE)
    for (const { status } of await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, call)))
      seen.add(status)
  return seen
}

describe('Somebody who is signed in to the administration', () => {
  it('is throttled after 600 calls in a minute, with every token and session together, and nobody else is', async () => {
    const company = await app.diwan.company()
    const [person, other] = [await app.diwan.person(company.id), await app.diwan.person(company.id)]
    const signIn = await app.diwan.client('/admin/v1').post('/sessions', { token: person.token })
    const cookie = (signIn.headers.get('set-cookie') ?? '').split(';')[0] as string
    const withSession = () => app.diwan.client('/admin/v1').get('/me', { cookie })
    const withToken = () => person.admin.get('/notifications')

    expect(await statuses(PERSON_PER_MINUTE / 2, withSession)).toEqual(new Set([200]))
    expect(await statuses(PERSON_PER_MINUTE / 2, withToken)).toEqual(new Set([200]))
    for (const call of [withSession, withToken, () => person.admin.post('/keys', {})]) {
      const { status, body, headers } = await call()
      expect([status, body]).toEqual([429, { error: expect.any(String) }])
      expect(headers.get('retry-after')).toBe('60')
    }
    expect((await other.admin.get('/notifications')).status).toBe(200)

    vi.advanceTimersByTime(60_000)
    expect((await withToken()).status).toBe(200)
  })

  it('is not throttled as the operator', async () => {
    const calls = await statuses(PERSON_PER_MINUTE + AT_ONCE, () => app.diwan.operator.get('/me'))
    expect(calls).toEqual(new Set([200]))
  })
})
