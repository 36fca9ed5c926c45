import { describe, expect, it } from 'vitest'
import { useCompaniesWords } from '../../console/src/views/companies/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { executablePath, type Look } from '../support/browser.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { useConsole } from '../support/site.ts'

const NAME = 'شركة نجد <b>Trading</b>'

/** Each language once, and each width once. */
const LOOKS: Look[] = [
  { language: 'en', width: 1280, appearance: 'light' },
  { language: 'ar', width: 390, appearance: 'dark' },
]

describe.skipIf(!executablePath)('The operator in the console', () => {
  const site = useConsole()

  const enter = async (look: Look) => {
    const seen = await site.enter(OPERATOR_TOKEN, look)
    const button = (name: string) => seen.page.getByRole('button', { name, exact: true })
    return { ...seen, button, t: useCompaniesWords[look.language], common: useCommonWords[look.language] }
  }

  it.each(LOOKS)('makes a company and is shown the token of its owner, once ($language, $width wide)', async look => {
    const { page, open, settled, button, t, common, context } = await enter(look)
    await open('/companies')
    await button(t.create).click()
    await page.getByLabel(common.name, { exact: true }).fill(NAME)
    await page.getByLabel(t.zone, { exact: true }).fill('Asia/Riyadh')
    await page.getByLabel(t.ownerName).fill('Layla Haddad')
    await page.getByLabel(t.ownerEmail).fill('nobody')
    await button(t.createVerb).click()
    const refusal = {
      en: 'owner.email must be an e-mail address',
      ar: '\u2068owner.email\u2069 يجب أن يكون عنوان بريد إلكتروني',
    }
    await page.getByText(refusal[look.language]).first().waitFor()
    await page.getByLabel(t.ownerEmail).fill(`layla.${look.language}@example.com`)
    await button(t.createVerb).click()
    const token = (await page.getByRole('group', { name: t.ownerToken }).textContent())?.trim() ?? ''
    await expect.poll(async () => (await site.server.diwan.operator.get('/companies')).body.data.at(-1).name).toBe(NAME)
    await button(common.copy).click()
    await button(common.close).click()
    await settled()
    expect(await page.content()).not.toContain(token)
    const owner = await site.enter(token, look)
    await owner.page.locator('nav.menu .whose').getByText(NAME).waitFor({ state: 'attached' })
    await Promise.all([context.close(), owner.context.close()])
  })

  it.each(LOOKS)('changes the terms of a company, and takes the change back ($language, $width wide)', async look => {
    const { page, open, button, t, common, context } = await enter(look)
    const company = await site.server.diwan.company({ plan: 'pro' })
    const plan = async () => (await site.server.diwan.operator.get(`/companies/${company.id}`)).body.data.plan
    await open(`/companies/${company.id}/terms`)
    await page.getByLabel(t.plan, { exact: true }).selectOption('enterprise')
    await page.getByLabel(t.dailyCalls).fill('500')
    await button(common.save).click()
    // It does not go from under the mouse.
    await button(common.undo).hover()
    await expect.poll(plan).toBe('enterprise')
    await button(common.undo).click()
    await expect.poll(plan).toBe('pro')
    await context.close()
  })

  it.each(LOOKS)('closes a company with its name typed, and reopens it ($language, $width wide)', async look => {
    const { page, open, button, t, common, context } = await enter(look)
    const company = await site.server.diwan.company({ name: NAME })
    const account = async () => (await company.api.get('/me')).status
    await open(`/companies/${company.id}/terms`)
    await button(t.closeVerb).click()
    await page.getByLabel(common.name, { exact: true }).fill('another')
    await expect.poll(() => button(t.closeVerb).last().isDisabled()).toBe(true)
    await page.getByLabel(common.name, { exact: true }).fill(NAME)
    await button(t.closeVerb).last().click()
    await page.getByText(t.closedLead).waitFor()
    await expect.poll(account).toBe(404)
    // Every view says so, and offers nothing that would be refused.
    const isClosed = page.locator('.above-view .note.bad')
    for (const view of ['', '/keys', '/people', '/settings']) {
      await open(`/companies/${company.id}${view}`)
      await expect.poll(async () => [view, await isClosed.count()]).toEqual([view, 1])
      await expect.poll(async () => [view, await page.locator('main button.main').count()]).toEqual([view, 0])
    }
    await isClosed.getByRole('link').click()
    await button(t.reopen).click()
    await isClosed.waitFor({ state: 'detached' })
    await button(t.closeVerb).waitFor()
    await expect.poll(account).toBe(200)
    await context.close()
  })
})
