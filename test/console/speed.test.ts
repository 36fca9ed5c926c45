import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, executablePath, type Look } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList } from '../support/factories.ts'
import { useConsole } from '../support/site.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }
const TASKS = 1_000
const PAGE = 100
const t = useDoingWords.en
/** What takes no longer than this is not worth comparing. */
const LEAST_MS = 20

describe.skipIf(!executablePath)('A list of a thousand tasks', () => {
  const site = useConsole()
  let company: TestCompany
  let path: string

  beforeAll(async () => {
    company = await site.server.diwan.company()
    const project = await site.server.diwan.project(company, { name: 'Office move' })
    const list = await newList(company, project.id, { title: 'Furniture' })
    for (let n = 0; n < TASKS; n += 100) {
      const tasks = Array.from({ length: 100 }, (_, i) => ({ title: `Chair ${n + i}`, due_at: '2027-01-05' }))
      await created(company.api.post(`/lists/${list.id}/tasks/batch`, { tasks }))
    }
    path = `/companies/${company.id}/projects/${project.id}/lists/${list.id}`
  })

  const enter = async (tasks = TASKS) => {
    const seen = await site.enter(company.ownerToken, LOOK)
    await seen.open(path)
    const { page } = seen
    const more = page.getByRole('button', { name: useCommonWords.en.more })
    for (let shown = PAGE; shown < tasks; shown += PAGE) {
      await more.click()
      await expect.poll(() => page.locator('li.task').count()).toBe(shown + PAGE)
    }
    return seen
  }
  const check = (page: Page, title: string) => page.getByLabel(t.complete(`\u2068${title}\u2069`))

  /** How much the page has computed so far, in ms. Other than time, it does not depend on what else the machine does. */
  const computing = async (page: Page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
    }
  }

  it('is in the page as a whole, can be scrolled to its end, and has no fault that axe-core finds', async () => {
    const { page, context } = await enter()
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 900)
    await page.getByRole('button', { name: `Chair ${TASKS - 1}`, exact: true }).scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(5_000)
    expect(await accessibilityFaults(page)).toEqual([])
    await context.close()
  })

  /** What the page computes when tasks in the middle of those shown are opened, renamed, added and completed. */
  const computedWith = async (tasks: number, middle = tasks / 2): Promise<Record<string, number>> => {
    const { page, settled, context } = await enter(tasks)
    const computed = await computing(page)
    const took: Record<string, number> = {}
    const measure = async (name: string, act: () => Promise<unknown>, isShown: Locator) => {
      await settled()
      const before = await computed()
      await act()
      await isShown.first().waitFor()
      took[name] = Math.round((await computed()) - before)
    }
    const [one, other, renamed] = [`Chair ${middle + 1}`, `Chair ${middle}`, `A chair near ${middle}`]
    await page.getByRole('button', { name: one, exact: true }).focus()
    await measure('opened', () => page.keyboard.press('Enter'), page.locator('.task-panel'))
    await page.locator('.task-panel').getByLabel(t.title, { exact: true }).fill(renamed)
    await measure('renamed', () => page.keyboard.press('Enter'), page.locator(`[aria-label*="${renamed}"]`))
    await page.getByRole('button', { name: t.closeTask }).click()
    await page.getByLabel(t.addTaskTo('\u2068Furniture\u2069')).fill('One more')
    // The line is shown only until it is stored, which may be over before anybody looks. The field stays empty, without its button.
    const emptied = page.locator('.add-line:has([data-new-task]):not(:has(button))')
    await measure('added', () => page.keyboard.press('Enter'), emptied)
    await check(page, other).focus()
    await measure('completed', () => page.keyboard.press('Space'), page.locator('li.task.done', { hasText: other }))
    await context.close()
    return took
  }

  it('costs the page less than ten times what a list of a hundred does', { tags: ['long'] }, async () => {
    const few = await computedWith(PAGE)
    const [one, other] = [await computedWith(TASKS), await computedWith(TASKS, TASKS / 2 + 10)]
    // A busy machine adds to what is computed, and never takes away from it.
    const many = Object.keys(few).map(name => [name, Math.min(one[name] ?? 0, other[name] ?? 0)] as const)
    const grown = many.filter(([name, ms]) => ms >= 10 * Math.max(few[name] ?? 0, LEAST_MS))
    expect([grown, few, many]).toEqual([[], few, many])
  })
})
