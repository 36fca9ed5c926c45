import { describe, expect, it } from 'vitest'
import { deedOf } from '../../console/src/views/audit/deed.ts'
import { type Deed, useDeedWords } from '../../console/src/words/deeds.ts'

describe('The sentence of a deed', () => {
  const target = (type: string) => ({ type, id: 1, name: 'X' }) as Parameters<typeof deedOf>[0]['target']
  const entry = { method: 'POST', path: '/admin/v1/x', changes: {}, reason: 'Permitted.' } as const

  it.each([
    ['created key', { operation: 'keys:write', target: target('key'), changes: { name: null, created_by: null } }],
    ['revoked key', { operation: 'keys:destructive', method: 'DELETE', target: target('key') }],
    [
      'rotated key',
      { operation: 'keys:write', path: '/x/rotate', target: target('key'), changes: { expires_at: null } },
    ],
    ['updated user', { operation: 'users:write', method: 'PATCH', target: target('user'), changes: { role: null } }],
    ['invited user', { operation: 'invitations:write', target: target('user'), changes: { invitation: null } }],
    ['signedOut', { operation: 'sessions:destructive', path: '/admin/v1/sessions/current', target: target('session') }],
    [
      'rotatedSecret',
      { operation: 'webhooks:write', path: '/x/rotate', target: target('webhook'), changes: { secret: null } },
    ],
    ['restored project', { operation: 'trash:write', target: target('project'), changes: { deleted_at: null } }],
    ['deleted task', { operation: 'tasks:destructive', method: 'DELETE', target: target('task') }],
    ['closed company', { operation: 'companies:destructive', target: target('company'), changes: { closed_at: null } }],
    ['didSomething', { operation: 'tasks:write', target: null }],
  ] as const)('is that of “%s”', (deed, given) => {
    expect(deedOf({ ...entry, ...given } as Parameters<typeof deedOf>[0])).toBe(deed)
  })

  it('tells what Diwan did by itself as its own doing, in whichever language the reason is', () => {
    const off = { ...entry, operation: 'webhooks:write', target: target('webhook'), changes: { active: null } } as const
    const failing = [
      'Switched off by Diwan: every delivery failed for 5 days.',
      'أوقفه ديوان: فشلت كل عمليات التسليم طوال 5 أيام.',
    ]
    for (const reason of failing) expect(deedOf({ ...off, reason })).toBe('switchedOffFailing')
    expect(deedOf({ ...off, reason: 'Switched off by Diwan: the receiver answered 410.' })).toBe('switchedOffGone')
    expect(useDeedWords.en.sentence('switchedOffFailing')).toBe(
      'Diwan switched the webhook {what} off after 5 days of failures',
    )
  })

  it('has an Arabic verb of the gender of the thing', () => {
    const { sentence } = useDeedWords.ar
    const told = (deed: Deed) => sentence(deed).replace(' {what} {who}', '')
    expect([told('completed task'), told('created key'), told('deleted task_list'), told('deleted folder')]).toEqual([
      'أُكملت المهمة',
      'أُنشئ المفتاح',
      'حُذفت قائمة المهام',
      'حُذف المجلد',
    ])
  })
})
