import { beforeAll, describe, expect, it } from 'vitest'
import { deedOf } from '../../console/src/views/audit/deed.ts'
import { useOperationWords } from '../../console/src/views/audit/operation-words.ts'
import { useAuditWords } from '../../console/src/views/audit/words.ts'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { type Deed, useDeedWords } from '../../console/src/words/deeds.ts'
import { accessibilityFaults, executablePath, type Look } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newDiscussion, newList, newTask } from '../support/factories.ts'
import { useConsole } from '../support/site.ts'

const ENGLISH: Look = { language: 'en', width: 1280, appearance: 'light' }
const ARABIC: Look = { language: 'ar', width: 390, appearance: 'dark' }

/** What the eye sees of a sentence: without the marks that keep names apart. */
const plain = (text: string | null) =>
  (text ?? '')
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

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

describe.skipIf(!executablePath)('The audit and the changes of a company', () => {
  const site = useConsole()
  let company: TestCompany

  beforeAll(async () => {
    company = await site.server.diwan.company()
  })

  const enter = async (look: Look, path: string, token = company.ownerToken) => {
    const seen = await site.enter(token, look)
    await seen.open(`/companies/${company.id}${path}`)
    return seen
  }

  it('are told as sentences under their day, with links to what they are about', async () => {
    const key = (await created(company.admin.post('/keys', { name: 'Zapier', access: 'write' }))).data
    const project = await site.server.diwan.project(company)
    const list = await newList(company, project.id)
    const task = await newTask(company, list.id, { title: 'Order desks' })
    await site.server.diwan.api(key.key).post(`/tasks/${task.id}/complete`)

    const { page, follow, context, complaints } = await enter(ENGLISH, '/audit')
    const sentence = page.locator('.deed', { hasText: 'created the key' }).filter({ hasText: 'Zapier' })
    await expect
      .poll(async () => plain(await sentence.textContent()))
      .toBe(`${company.owner.name} created the key Zapier`)
    await expect.poll(() => page.locator('main').textContent()).not.toContain(' · Write')
    await expect.poll(() => page.getByRole('heading', { level: 2, name: 'Today' }).count()).toBe(1)
    await sentence.getByRole('link', { name: 'Zapier' }).click()
    await page.waitForURL(`**/keys/${key.id}`)

    await follow(`/companies/${company.id}/changes`)
    const done = page.locator('.day-log li', { hasText: 'completed' })
    await expect
      .poll(async () => plain(await done.locator('p').first().textContent()))
      .toBe('The key Zapier completed the task Order desks')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('read as well in Arabic, where no verb guesses whether somebody is a woman', async () => {
    await created(company.admin.post('/keys', { name: 'Nightly', access: 'read' }))
    const { page, follow, context } = await enter(ARABIC, '/audit')
    const sentence = page.locator('.deed', { hasText: 'Nightly' })
    await expect
      .poll(async () => plain(await sentence.textContent()))
      .toBe(`أُنشئ المفتاح Nightly بواسطة ${company.owner.name}`)
    expect(await accessibilityFaults(page)).toEqual([])
    await follow(`/companies/${company.id}/changes`)
    await expect
      .poll(async () => plain(await page.locator('.day-log li p', { hasText: 'أُكملت' }).textContent()))
      .toBe('أُكملت المهمة Order desks بالمفتاح Zapier')
    await context.close()
  })

  it('say who may not do what, and offer to allow it on the key, however many keys there are', async () => {
    const denied = (await created(company.admin.post('/keys', { name: 'Old robot', access: 'read' }))).data
    for (let n = 0; n < 101; n++) await created(company.admin.post('/keys', { name: `Key ${n}`, access: 'read' }))
    await site.server.diwan.api(denied.key).delete('/tasks/tsk-0000000000')
    const { page, settled, context } = await enter(ENGLISH, '/audit?outcome=denied')
    const entry = page.locator('.day-log li', { hasText: 'Old robot' })
    await expect
      .poll(async () => plain(await entry.locator('.deed').textContent()))
      .toBe(
        `The key Old robot may not ${useOperationWords.en['tasks:destructive']} ${useAuditWords.en.outcomes.denied}`,
      )
    const allow = entry.getByRole('button', { name: useKeysWords.en.allow('tasks:destructive') })
    await allow.click()
    await page.getByRole('dialog').getByRole('button', { name: useKeysWords.en.allowVerb, exact: true }).click()
    await settled()
    await allow.waitFor({ state: 'detached' })
    const { operations } = (await company.admin.get(`/keys/${denied.id}`)).body.data
    expect(operations).toContain('tasks:destructive')
    await context.close()
  })

  it('tell in the timeline who started a discussion in which project', async () => {
    const project = await site.server.diwan.project(company, { name: 'Move' })
    await newDiscussion(company, project.id, { title: 'Which weekend?' })
    const { page, context } = await enter(ENGLISH, '/timeline')
    const entry = page.locator('.day-log li', { hasText: 'Which weekend?' })
    await expect
      .poll(async () => plain(await entry.locator('div').textContent()))
      .toBe(`${company.owner.name} started the discussion Which weekend? in Move`)
    await context.close()
  })

  it('name the zone beside a time that the reader’s own clock did not show', async () => {
    const { page, context } = await enter(ENGLISH, '/audit')
    // The browser of the tests is in the zone of the machine.
    const own = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    const away = own === 'Asia/Tokyo' ? 'America/Lima' : 'Asia/Tokyo'
    await company.admin.patch('', { time_zone: away })
    await page.reload()
    await page.locator('.day-log .zone').first().waitFor()
    await company.admin.patch('', { time_zone: own })
    await page.reload()
    await page.locator('.day-log li').first().waitFor()
    await expect.poll(() => page.locator('.zone').count()).toBe(0)
    await context.close()
  })

  it('say of a refusal what was refused, and not that it may not be seen', async () => {
    const manager = await site.server.diwan.person(company.id, { role: 'manager', name: 'Yusuf' })
    const refused = await site.server.diwan
      .client(`/admin/v1/companies/${company.id}`, manager.token)
      .patch(`/users/${company.owner.id}`, { name: 'Somebody else' })
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'Only an owner or the operator can change the account of an owner.',
    ])
    const { page, context } = await enter(ENGLISH, '/audit?outcome=denied')
    const entry = page.locator('.day-log li', { hasText: 'Yusuf' })
    await expect
      .poll(async () => plain(await entry.locator('.deed').textContent()))
      .toContain('Yusuf may not add or change people')
    await entry.getByText('can change the account of an owner').waitFor()
    await context.close()
  })
})
