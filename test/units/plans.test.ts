import { expect, it } from 'vitest'
import {
  allowanceSpent,
  allowanceTooSmall,
  hasTimeTracking,
  isServed,
  noApiAccess,
  noTimeTracking,
  PLANS,
  planTerms,
} from '../../src/domain/access/plans.ts'

it('Each plan has its terms', () => {
  const terms = PLANS.map(plan => {
    const { api, daily_calls, time_tracking } = planTerms(plan)
    return [plan, api, daily_calls, time_tracking]
  })
  expect(terms).toEqual([
    ['free', false, 0, false],
    ['pro', false, 0, false],
    ['advanced', true, 1_000, false],
    ['productive', true, 10_000, true],
    ['enterprise', true, null, true],
  ])
  expect(PLANS.filter(hasTimeTracking)).toEqual(['productive', 'enterprise'])
})

it('A company is served if the API is on and it has calls', () => {
  const company = { rest_api: true, plan: 'enterprise', daily_calls: null } as const
  expect(isServed(company)).toBe(true)
  expect(isServed({ ...company, daily_calls: 0 })).toBe(false)
  expect(isServed({ ...company, plan: 'pro', daily_calls: 5 })).toBe(false)
  expect(isServed({ ...company, rest_api: false })).toBe(false)
})

it('A refusal names what would help', () => {
  expect(noApiAccess('pro')).toContain('The Pro plan has no API access. Upgrade to Advanced, Productive or Enterprise.')
  expect(noApiAccess('pro')).toContain('يُرجى الترقية إلى المتقدمة أو الإنتاجية أو المؤسسية.')
  expect(noApiAccess('enterprise')).toContain('Enterprise plan includes no API calls. Ask for an allowance.')
  expect(noTimeTracking('advanced')).toContain('Upgrade to Productive or Enterprise.')
  expect(allowanceTooSmall('advanced', 20, 3)).toContain(
    'needs 20 more API calls, but the Advanced plan has only 3 left',
  )
  expect(allowanceTooSmall('advanced', 1, 0)).toContain('needs 1 more API call, but')
  for (const [limit, english, arabic] of [
    [1, "plan's one API call for today is spent.", 'وهي استدعاء واحد.'],
    [2, '2 API calls for today are', 'وهي استدعاءان.'],
    [5, '5 API calls', 'وهي 5 استدعاءات.'],
    [50, '50 API calls', 'وهي 50 استدعاءً.'],
    [200, '200 API calls', 'وهي 200 استدعاء.'],
  ] as const)
    for (const words of [english, arabic]) expect(allowanceSpent('enterprise', limit)).toContain(words)
})
