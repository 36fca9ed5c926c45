import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useLeaderWords } from '../../console/src/views/home/leader-words.ts'
import { useOverviewWords } from '../../console/src/views/overview/words.ts'
import { usePeopleWords } from '../../console/src/views/people/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, type Look, overflowing } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { describeConsole, NARROW, WIDE } from '../support/site.ts'

const t = useFrameWords.en
const LONG_NAME = `Acme ${'W'.repeat(120)} للتجارة والمقاولات العامة ${'ط'.repeat(100)}`

describeConsole('The frame of the console', site => {
  let company: TestCompany

  beforeAll(async () => {
    company = await site.server.diwan.company({ name: LONG_NAME })
  })

  const enter = (path: string, look?: Look) => site.enter(company.ownerToken, `/companies/${company.id}${path}`, look)

  const isInSight = (page: Page, selector: string) =>
    page.locator(selector).evaluate(element => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })

  it.each([WIDE, NARROW])('keeps the account in sight at every height ($language, $width wide)', async look => {
    const { page } = await enter('/home', look)
    for (const height of [900, 480, 360]) {
      await page.setViewportSize({ width: look.width, height })
      const opener = page.locator('.bar button')
      if ((await opener.isVisible()) && (await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
      await expect.poll(async () => [height, await isInSight(page, '.account')]).toEqual([height, true])
      const { signOut } = useFrameWords[look.language]
      await expect.poll(() => page.locator('.account').getByRole('button', { name: signOut }).isVisible()).toBe(true)
      expect([height, await overflowing(page)]).toEqual([height, []])
    }
    // However long the name of the company is, the name of the product stays on its line.
    const bar = page.locator(look.width === 390 ? '.bar .wordmark' : 'nav.menu .wordmark')
    await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(48)
    await expect.poll(() => page.locator('.account').textContent()).toContain(company.owner.name)
    await expect.poll(() => page.locator('.account').textContent()).toContain(useFrameWords[look.language].roles.owner)
    await expect.poll(() => page.locator('.account select').count()).toBe(look.language === 'ar' ? 3 : 2)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('has groups that fold, by keyboard too, and stay folded', async () => {
    const { page } = await enter('/audit')
    const head = (group: string) => page.locator('nav.menu').getByRole('button', { name: group, exact: true })
    const entry = (name: string) => page.locator('nav.menu section').getByRole('link', { name, exact: true })
    await head(t.groups.integrations).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => head(t.groups.integrations).getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => entry(t.views.keys).count()).toBe(0)
    await page.reload()
    await head(t.groups.integrations).waitFor()
    await expect.poll(() => entry(t.views.keys).count()).toBe(0)
    // Where the reader is stays visible.
    await head(t.groups.records).click()
    await expect
      .poll(async () => [await entry(t.views.audit).count(), await entry(t.views.timeline).count()])
      .toEqual([1, 0])
    await head(t.groups.integrations).click()
    await expect.poll(() => entry(t.views.keys).count()).toBe(1)
  })

  it('closes the menu of a narrow window with Escape, and gives the focus back to its button', async () => {
    const { page, settled } = await enter('/home', { ...WIDE, width: 390 })
    await page.locator('.bar button').click()
    await settled()
    await page.locator('nav.menu .entry').first().focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('nav.menu').isVisible()).toBe(false)
    await expect
      .poll(() => page.locator('.bar button').evaluate(button => button === document.activeElement))
      .toBe(true)
  })

  it('keeps the place and the filters on the way back and after a reload', async () => {
    for (let n = 0; n < 40; n++) await created(company.admin.post('/keys', { name: `Key ${n}`, access: 'read' }))
    const { page, settled } = await enter('/audit')
    await page.getByLabel('Operation').selectOption('keys:write')
    await settled()
    const scrolled = () => page.evaluate(() => Math.round(scrollY))
    await page.evaluate(() => scrollTo(0, 1_200))
    await page.locator('.deed').getByRole('link', { name: 'Key 20', exact: true }).click()
    await page.waitForURL('**/keys/*')
    await settled()
    const left = 1_200
    await page.goBack()
    await settled()
    await expect.poll(async () => Math.abs((await scrolled()) - left) < 700 && (await scrolled()) > 400).toBe(true)
    await expect.poll(() => page.getByLabel('Operation').inputValue()).toBe('keys:write')
    const before = await scrolled()
    await page.reload()
    await settled()
    await expect.poll(scrolled).toBe(before)
    await expect.poll(() => page.getByLabel('Operation').inputValue()).toBe('keys:write')
  })

  it('keeps what was typed into a filter, however soon somebody goes on', async () => {
    const { page } = await enter('/people')
    await page.getByLabel(usePeopleWords.en.find).fill('layla')
    await page.locator('nav.menu .wordmark').click()
    await page.waitForURL('**/home')
    await page.goBack()
    await expect.poll(() => page.getByLabel(usePeopleWords.en.find).inputValue()).toBe('layla')
  })

  it('gives the focus back to the button that opened a dialog', async () => {
    const { page } = await enter('/people')
    const add = page.locator('.page-actions').getByRole('button', { name: usePeopleWords.en.add })
    await add.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => add.evaluate(button => button === document.activeElement)).toBe(true)
    await add.click()
    await page.getByRole('dialog').getByRole('button', { name: useCommonWords.en.cancel }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => add.evaluate(button => button === document.activeElement)).toBe(true)
  })

  describe('shows at home to those who lead', () => {
    const enter = (company: TestCompany, token = company.ownerToken) =>
      site.enter(token, `/companies/${company.id}/home`)

    it('first steps, ticked by what was really done, until they hide them', async () => {
      const words = useLeaderWords.en
      const company = await site.server.diwan.company()
      const { page, open } = await enter(company)
      const steps = page.locator('.first-steps li')
      await steps.first().waitFor()
      const done = () => page.locator('.first-steps .done').allInnerTexts()
      // The company of the tests has a key from the beginning.
      await expect
        .poll(async () => (await done()).map(text => text.trim()))
        .toEqual([expect.stringContaining(words.steps.key)])
      expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
      await company.api.get('/projects')
      await site.server.diwan.person(company.id)
      await open(`/companies/${company.id}/home`)
      await expect.poll(async () => (await done()).length).toBe(3)
      await steps.getByRole('link', { name: words.steps.webhook }).click()
      await page.waitForURL('**/webhooks/new')
      await page.goBack()
      await page.getByRole('button', { name: words.dismiss }).click()
      await page.reload()
      await page.locator('.home').waitFor()
      await expect.poll(() => steps.count()).toBe(0)
    })

    it('what needs a decision with its count and one link, and nothing else', async () => {
      const company = await site.server.diwan.company()
      const heading = (page: Page) => page.getByRole('heading', { name: useLeaderWords.en.needsDecision })
      const quiet = await enter(company)
      await expect.poll(() => heading(quiet.page).count()).toBe(0)
      await quiet.context.close()

      const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
      const { key } = (await created(company.admin.post('/keys', { name: 'Zapier', access: 'read', expires_at: soon })))
        .data
      for (let n = 0; n < 2; n++) await site.server.diwan.api(key).post('/projects', { name: 'Denied' })
      const { page } = await enter(company)
      await heading(page).waitFor()
      const { denials, expiringKeys } = useOverviewWords.en
      await expect.poll(() => page.locator('.decisions a').allInnerTexts()).toEqual([denials(2), expiringKeys(1)])
      await page.getByRole('link', { name: denials(2) }).click()
      await page.locator('.day-log').getByText('may not create or change projects').first().waitFor()

      const member = await site.server.diwan.person(company.id)
      const other = await enter(company, member.token)
      await expect.poll(() => heading(other.page).count()).toBe(0)
      await other.context.close()
    })
  })
})
