import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { usePaletteWords } from '../../console/src/palette/words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { accessibilityFaults, overflowing } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { describeConsole, NARROW } from '../support/site.ts'

const t = usePaletteWords.en
const CHOSEN = '[role="option"][aria-selected="true"]'

describeConsole('Ctrl-K', site => {
  let company: TestCompany
  let member: { token: string }

  beforeAll(async () => {
    company = await site.server.diwan.company()
    member = await site.server.diwan.person(company.id)
    const project = await site.server.diwan.project(company, { name: 'Office move' })
    const list = await newList(company, project.id, { title: 'Furniture' })
    await newTask(company, list.id, { title: 'طلبُ الأثاث' })
    const hidden = await site.server.diwan.project(company, { name: 'Merger of offices', is_public: false })
    const secret = await newList(company, hidden.id, { title: 'Furniture for the merger' })
    await newTask(company, secret.id, { title: 'Furniture for two' })
  })

  /** Opens it by the key and types: nothing else is touched. */
  const ask = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: t.field }).waitFor()
    await page.keyboard.type(text)
  }
  const options = (page: Page) => page.locator('dialog [role="option"]').allTextContents()

  it('finds a task, however its Arabic is spelled, a view, and what can be done, without the mouse', async () => {
    const { page } = await site.enter(company.ownerToken)
    await ask(page, 'طلب الاثاث')
    await page.getByRole('option', { name: 'طلبُ الأثاث' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'طلبُ الأثاث' }).waitFor()
    await ask(page, 'webhooks')
    await expect.poll(() => page.locator(CHOSEN).textContent()).toContain(useFrameWords.en.views.webhooks)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: useFrameWords.en.views.webhooks }).waitFor()
    await ask(page, 'new project')
    await page.keyboard.press('Enter')
    const line = page.getByLabel(useDoingWords.en.addProject)
    await line.waitFor()
    await expect.poll(() => line.evaluate(field => field === document.activeElement)).toBe(true)
  })

  it('offers a member no view, action or record that is not for them', async () => {
    const { page } = await site.enter(member.token)
    await ask(page, 'furniture')
    await page.getByRole('option', { name: 'Furniture', exact: false }).first().waitFor()
    await expect.poll(() => page.getByRole('status').last().textContent()).toBe('')
    await expect.poll(async () => (await options(page)).join()).not.toContain('merger')
    for (const name of ['new project', 'new api key', 'webhooks', 'audit']) {
      await page.getByRole('combobox', { name: t.field }).fill(name)
      await page.getByText(t.nothing).waitFor()
    }
  })

  it('is found in the menu, fits a phone in Arabic, and has no fault that axe-core finds', async () => {
    const { page } = await site.enter(company.ownerToken, undefined, NARROW)
    const [frame, ar] = [useFrameWords.ar, usePaletteWords.ar]
    await page.getByRole('button', { name: frame.menu, exact: true }).click()
    await page.getByRole('button', { name: frame.palette }).click()
    const field = page.getByRole('combobox', { name: ar.field })
    await field.fill('اثاث')
    await page.getByRole('option', { name: 'طلبُ الأثاث' }).waitFor()
    expect(await overflowing(page)).toEqual([])
    expect(await accessibilityFaults(page)).toEqual([])
    // Views are found by either name.
    await field.fill('webh')
    await page.locator('dialog').getByRole('option', { name: frame.views.webhooks }).click()
    await page.getByRole('heading', { level: 1, name: frame.views.webhooks }).waitFor()
  })
})
