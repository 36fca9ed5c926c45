import { Agent, get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const limits = ({ headers }: Answer) => [
  headers.get('x-ratelimit-limit'),
  headers.get('x-ratelimit-remaining'),
  headers.has('x-ratelimit-reset'),
]

describe('Every served answer tells the allowance', () => {
  it('of the plan, or of the company where it has its own', async () => {
    for (const [settings, limit, remaining] of [
      [{ plan: 'advanced' }, '1000', '999'],
      [{ plan: 'productive' }, '10000', '9999'],
      [{ plan: 'enterprise', daily_calls: 7 }, '7', '6'],
      [{ plan: 'enterprise' }, 'unlimited', 'unlimited'],
      [{ plan: 'advanced', daily_calls: 5 }, '1000', '999'],
    ] as const) {
      const answer = await (await app.diwan.company(settings)).api.get('/me')
      expect([settings, answer.status, limits(answer)]).toEqual([settings, 200, [limit, remaining, true]])
      expect(answer.headers.has('retry-after')).toBe(false)
    }
  })
})

describe('A plan at zero', () => {
  it('is 403 with a limit of 0, nothing left and no reset, in English and Arabic', async () => {
    for (const settings of [
      { plan: 'free' },
      { plan: 'pro', daily_calls: 50 },
      { plan: 'enterprise', daily_calls: 0 },
    ]) {
      const answer = await (await app.diwan.company(settings)).api.get('/me')
      expectRefusal(answer, 403, 'plan_upgrade_required', expect.stringMatching(/plan(.|\n)*الباقة/))
      expect([limits(answer), answer.headers.has('retry-after')]).toEqual([['0', '0', false], false])
    }
  })
})

describe('A spent allowance', () => {
  it('is 429 with all three headers and a wait until the reset, in English and Arabic, until more is given', async () => {
    const { id, api } = await app.diwan.company({ daily_calls: 2 })
    await api.get('/me')
    expect(limits(await api.get('/me'))).toEqual(['2', '0', true])
    for (let n = 0; n < 3; n++) {
      const earliest = Date.now() / 1000
      const answer = await api.post('/projects', { name: 'Late' })
      const latest = Date.now() / 1000
      expectRefusal(answer, 429, 'rate_limit_exceeded', expect.stringMatching(/Enterprise(.|\n)*المؤسسية/))
      expect(limits(answer)).toEqual(['2', '0', true])
      const waitsUntil = Number(answer.headers.get('x-ratelimit-reset')) - Number(answer.headers.get('retry-after'))
      expect(waitsUntil).toBeGreaterThanOrEqual(earliest - 1)
      expect(waitsUntil).toBeLessThanOrEqual(latest)
    }
    await app.diwan.operator.patch(`/companies/${id}`, { daily_calls: 5 })
    const answer = await api.get('/projects')
    expect(limits(answer)).toEqual(['5', '2', true])
    expect(answer.body.data).toEqual([])
  })

  it('stays spent when the allowance is lowered below what was used, and what was used stays counted', async () => {
    const { id, api } = await app.diwan.company({ daily_calls: 5 })
    for (let n = 0; n < 4; n++) await api.get('/me')
    await app.diwan.operator.patch(`/companies/${id}`, { daily_calls: 2 })
    expect(limits(await api.get('/me'))).toEqual(['2', '0', true])
    await app.diwan.operator.patch(`/companies/${id}`, { daily_calls: null })
    expect(limits(await api.get('/me'))).toEqual(['unlimited', 'unlimited', true])
    await app.diwan.operator.patch(`/companies/${id}`, { daily_calls: 9 })
    expect(limits(await api.get('/me'))).toEqual(['9', '3', true])
  })

  it('is the company’s: another key does not raise it, and another company does not share it', async () => {
    const { id, api } = await app.diwan.company({ daily_calls: 3 })
    const other = await app.diwan.company({ daily_calls: 3 })
    const second = app.diwan.api(await app.diwan.key(id))
    expect(limits(await api.get('/me'))).toEqual(['3', '2', true])
    expect(limits(await second.get('/me'))).toEqual(['3', '1', true])
    expect(limits(await api.get('/me'))).toEqual(['3', '0', true])
    expectRefusal(await second.get('/me'), 429, 'rate_limit_exceeded')
    expect(limits(await other.api.get('/me'))).toEqual(['3', '2', true])
  })

  it('is exact for 130 calls over 8 connections: 100 are served and each number left is told once', async () => {
    const { id, key } = await app.diwan.company({ daily_calls: 100 })
    const keys = [key, await app.diwan.key(id)]
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const calls = Array.from({ length: 130 }, (_, n) => {
      const headers = { authorization: `Bearer ${keys[n % 2]}` }
      return new Promise<{ status: number | undefined; remaining: number }>((resolve, reject) => {
        get(`${app.url}/api/v1/me`, { agent, headers }, response => {
          const remaining = Number(response.headers['x-ratelimit-remaining'])
          response.resume().on('end', () => resolve({ status: response.statusCode, remaining }))
        }).on('error', reject)
      })
    })
    const answers = await Promise.all(calls)
    agent.destroy()
    const served = answers.filter(({ status }) => status === 200).map(({ remaining }) => remaining)
    const refused = answers.filter(({ status }) => status === 429).map(({ remaining }) => remaining)
    expect(served.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
    expect(refused).toEqual(Array(30).fill(0))
  })
})

describe('The reset', () => {
  it('is the first instant of the next day in the company zone, also when that changes', async () => {
    const { admin, api } = await app.diwan.company()
    for (const time_zone of ['Africa/Cairo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']) {
      await admin.patch('', { time_zone })
      const before = nextDayIn(time_zone)
      const { headers } = await api.get('/me')
      expect([before, nextDayIn(time_zone)]).toContain(Number(headers.get('x-ratelimit-reset')))
    }
  })
})

/** In seconds; found by stepping through the minutes and asking Intl for the date of each. */
function nextDayIn(timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  let minute = Math.floor(Date.now() / 60_000)
  const today = format.format(minute * 60_000)
  while (format.format(minute * 60_000) === today) minute++
  return minute * 60
}
