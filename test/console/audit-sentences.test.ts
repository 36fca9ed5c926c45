import { beforeAll, expect, it } from 'vitest'
import { useOperationWords } from '../../console/src/views/audit/operation-words.ts'
import { useAuditWords } from '../../console/src/views/audit/words.ts'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { accessibilityFaults, type Look } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { describeConsole, NARROW } from '../support/site.ts'

/** What the eye sees of a sentence: without the marks that keep names apart. */
const plain = (text: string | null) =>
  (text ?? '')
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

describeConsole('The audit and the changes of a company', site => {
  let company: TestCompany

  beforeAll(async () => {
    company = await site.server.diwan.company()
  })

  const enter = (path: string, look?: Look) => site.enter(company.ownerToken, `/companies/${company.id}${path}`, look)

  it('are told as sentences under their day, with links to what they are about', async () => {
    const key = (await created(company.admin.post('/keys', { name: 'Zapier', access: 'write' }))).data
    const project = await site.server.diwan.project(company)
    const list = await newList(company, project.id)
    const task = await newTask(company, list.id, { title: 'Order desks' })
    await site.server.diwan.api(key.key).post(`/tasks/${task.id}/complete`)

    const { page, follow } = await enter('/audit')
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
  })

  it('read as well in Arabic, where no verb guesses whether somebody is a woman', async () => {
    await created(company.admin.post('/keys', { name: 'Nightly', access: 'read' }))
    const { page, follow } = await enter('/audit', NARROW)
    const sentence = page.locator('.deed', { hasText: 'Nightly' })
    await expect
      .poll(async () => plain(await sentence.textContent()))
      .toBe(`أُنشئ المفتاح Nightly بواسطة ${company.owner.name}`)
    expect(await accessibilityFaults(page)).toEqual([])
    await follow(`/companies/${company.id}/changes`)
    await expect
      .poll(async () => plain(await page.locator('.day-log li p', { hasText: 'أُكملت' }).textContent()))
      .toBe('أُكملت المهمة Order desks بالمفتاح Zapier')
  })

  it('say who may not do what, and offer to allow it on the key, however many keys there are', async () => {
    const denied = (await created(company.admin.post('/keys', { name: 'Old robot', access: 'read' }))).data
    for (let n = 0; n < 101; n++) await created(company.admin.post('/keys', { name: `Key ${n}`, access: 'read' }))
    await site.server.diwan.api(denied.key).delete('/tasks/tsk-0000000000')
    const { page, settled } = await enter('/audit?outcome=denied')
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
  })

  it('name the zone beside a time that the reader’s own clock did not show', async () => {
    const { page } = await enter('/audit')
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
  })
})
