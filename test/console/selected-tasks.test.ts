import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useSelectionWords } from '../../console/src/views/records/selection-words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, holding, overflowing } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'
import { describeConsole, NARROW } from '../support/site.ts'

const LATE_MS = 60_000
const t = useSelectionWords.en
const doing = useDoingWords.en
const undo = useCommonWords.en.undo

describeConsole('Several tasks', site => {
  let company: TestCompany
  let member: { id: number; name: string; email: string; token: string }
  let project: { id: string }
  let other: { id: string }

  beforeAll(async () => {
    company = await site.server.diwan.company()
    member = await site.server.diwan.person(company.id)
    project = await site.server.diwan.project(company, { name: 'Office move' })
    other = await newList(company, (await site.server.diwan.project(company, { name: 'Garden' })).id, {
      title: 'Trees',
    })
  })

  const enter = (token = company.ownerToken) => site.enter(token)
  /** A list of its own, with tasks of these titles. */
  const furnish = async (titles: string[]) => {
    const list = await newList(company, project.id, { title: titles[0] })
    const tasks: { id: string }[] = []
    for (const title of titles) tasks.push(await newTask(company, list.id, { title }))
    const path = `/companies/${company.id}/projects/${project.id}/lists/${list.id}`
    return { list, tasks: tasks.map(({ id }) => id), path }
  }
  const stored = async (task: string | undefined) => (await company.api.get(`/tasks/${task}`)).body.data
  const allAre = async (tasks: string[], is: (task: Record<string, unknown>) => boolean) =>
    until(async () => (await Promise.all(tasks.map(stored))).every(is), LATE_MS)
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-task]')?.dataset.task)
  const bar = (page: Page) => page.getByRole('region', { name: t.bar })

  it('are chosen by keys, a range with Shift, and completed together; that can be undone', async () => {
    const { tasks, path } = await furnish(['One', 'Two', 'Three', 'Four'])
    const { page, open } = await enter()
    await open(path)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+X')
    await bar(page).getByText(t.selected(3)).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const store = await holding(page, '**/tasks/batch')
    await bar(page).getByRole('button', { name: t.complete }).click()
    await expect.poll(() => page.locator('.task.done').count()).toBe(3)
    store()
    // It stays for as long as it is pointed at.
    await page.locator('.toast').getByRole('button', { name: undo }).hover()
    await allAre(tasks.slice(0, 3), ({ completed }) => completed === true)
    await expect.poll(async () => (await stored(tasks[3])).completed).toBe(false)
    await bar(page).waitFor({ state: 'detached' })
    // Whoever works by keys goes on from there.
    await expect.poll(() => focused(page)).toBe(tasks[0])
    await page.locator('.toast').getByRole('button', { name: undo }).click()
    await allAre(tasks, ({ completed }) => completed === false)
  })

  it('are chosen by their boxes, and assigned, dated and moved to another project together', async () => {
    const { list, tasks, path } = await furnish(['Red', 'Green', 'Blue'])
    const { page, open } = await enter()
    await open(path)
    const choose = async () => {
      await page.getByRole('button', { name: t.begin }).click()
      await page.getByLabel(t.select('Red')).click()
      await page.getByLabel(t.select('Blue')).click({ modifiers: ['Shift'] })
    }
    const dialog = page.getByRole('dialog')
    await choose()
    await bar(page).getByRole('button', { name: t.assign }).click()
    await dialog.getByLabel(doing.assignee).selectOption(member.email)
    await dialog.getByRole('button', { name: t.assign }).click()
    await allAre(tasks, ({ assignee }) => (assignee as { email: string } | null)?.email === member.email)
    await bar(page).waitFor({ state: 'detached' })
    await choose()
    await bar(page).getByRole('button', { name: t.due }).click()
    await dialog.getByLabel(doing.due).fill('2026-12-24')
    await dialog.getByRole('button', { name: useCommonWords.en.save }).click()
    await allAre(tasks, ({ due_at }) => due_at === '2026-12-24')
    await bar(page).waitFor({ state: 'detached' })
    await choose()
    await bar(page).getByRole('button', { name: t.move }).click()
    await dialog.getByLabel(t.project).selectOption({ label: '\u2068Garden\u2069' })
    await dialog.getByLabel(doing.list, { exact: true }).selectOption({ label: '\u2068Trees\u2069' })
    await dialog.getByRole('button', { name: t.move }).click()
    await allAre(tasks, ({ task_list_id }) => task_list_id === other.id)
    const moved = page.locator('.toast', { hasText: t.moved(3) })
    await moved.getByRole('button', { name: undo }).click()
    await allAre(tasks, ({ task_list_id }) => task_list_id === list.id)
    await page.locator('[data-task]').nth(2).waitFor()
  })

  it('stay as they were when one of them is refused, which is named with the reason', async () => {
    const { tasks, path } = await furnish(['Stays', 'Goes'])
    const { page, open } = await enter()
    await open(path)
    await page.getByRole('button', { name: t.begin }).click()
    for (const title of ['Stays', 'Goes']) await page.getByLabel(t.select(title)).click()
    // Deleted while the batch is on its way: before that, the page would hear of it and leave the task out.
    await page.route('**/tasks/batch', async route => {
      await company.api.delete(`/tasks/${tasks[1]}`)
      await route.continue()
    })
    await bar(page).getByRole('button', { name: t.complete }).click()
    await bar(page).getByText(t.refused('Goes')).waitFor()
    await bar(page).getByText('was not found').waitFor()
    await expect.poll(() => page.locator('.task.done').count()).toBe(0)
    await expect.poll(async () => (await stored(tasks[0])).completed).toBe(false)
    await expect.poll(() => page.locator('[data-task]', { hasText: 'Stays' }).getByRole('alert').count()).toBe(0)
  })

  it('are sent in pieces of a hundred', async () => {
    const list = await newList(company, project.id, { title: 'Many' })
    for (const size of [100, 20])
      await created(
        company.api.post(`/lists/${list.id}/tasks/batch`, {
          tasks: Array.from({ length: size }, (_, n) => ({ title: `Task ${n}` })),
        }),
      )
    const { page, open } = await enter()
    const pieces: number[] = []
    page.on('request', request => {
      if (request.url().endsWith('/tasks/batch')) pieces.push(request.postDataJSON().changes.length)
    })
    await open(`/companies/${company.id}/projects/${project.id}/lists/${list.id}`)
    await page.getByRole('button', { name: useCommonWords.en.more }).click()
    await expect.poll(() => page.locator('[data-task]').count(), { timeout: LATE_MS }).toBe(120)
    await page.locator('.task-check').first().focus()
    await page.keyboard.press('x')
    await page.locator('.task-check').last().focus()
    await page.keyboard.press('Shift+X')
    await bar(page).getByText(t.selected(120)).waitFor()
    await bar(page).getByRole('button', { name: t.complete }).click()
    await page.locator('.toast', { hasText: t.completed(120) }).waitFor()
    expect(pieces).toEqual([100, 20])
    await expect.poll(async () => (await company.api.get(`/lists/${list.id}`)).body.data.completed).toBe(true)
  })

  it('are reached, opened and completed by keys, which do nothing while somebody writes or holds another key', async () => {
    const { tasks, path } = await furnish(['First', 'Second', 'Third'])
    const { page, open } = await enter()
    await open(path)
    await page.keyboard.press('j')
    await expect.poll(() => focused(page)).toBe(tasks[0])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect.poll(() => focused(page)).toBe(tasks[2])
    await page.keyboard.press('k')
    await expect.poll(() => focused(page)).toBe(tasks[1])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe(tasks[1])
    for (const held of ['Control+c', 'Alt+c', 'Meta+c', 'Control+x', 'Control+e']) await page.keyboard.press(held)
    await expect.poll(() => page.locator('.task.done, .task.selected, .task-panel').count()).toBe(0)
    await page.keyboard.press('c')
    await allAre([tasks[1] as string], ({ completed }) => completed === true)
    await expect.poll(() => focused(page)).toBe(tasks[1])
    await page.keyboard.press('Space')
    await allAre([tasks[1] as string], ({ completed }) => completed === false)
    await page.keyboard.press('e')
    const panel = page.locator('.task-panel')
    await panel.getByLabel(doing.title, { exact: true }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' xjkec')
    await expect.poll(() => panel.getByLabel(doing.title, { exact: true }).inputValue()).toBe('Second xjkec')
    await expect.poll(() => page.locator('.task.done, .task.selected').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(tasks[1])
    await page.keyboard.press('n')
    await expect.poll(() => page.locator('[data-new-task]:focus').count()).toBe(1)
  })

  it('are chosen from what is theirs to do, in Arabic on a phone, where nothing is cut off and axe-core finds no fault', async () => {
    const ar = useSelectionWords.ar
    const list = await newList(company, project.id, { title: 'التجهيزات' })
    const mine: string[] = []
    for (const title of ['استلام المفاتيح', 'طلب الأثاث'])
      mine.push((await newTask(company, list.id, { title, assignee_email: member.email })).id)
    const { page, settled } = await site.enter(member.token, undefined, NARROW)
    for (const title of ['استلام المفاتيح', 'طلب الأثاث']) {
      const row = page.locator('[data-task]', { hasText: title })
      await row.locator('.task-check').focus()
      // What the key x types on an Arabic keyboard.
      await page.evaluate(() =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ء', bubbles: true })),
      )
    }
    const selected = page.getByRole('region', { name: ar.bar })
    await selected.getByText(ar.selected(2)).waitFor()
    await settled()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await selected.getByRole('button', { name: ar.move }).click()
    await settled()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await page.keyboard.press('Escape')
    await selected.getByRole('button', { name: ar.complete }).click()
    await allAre(mine, ({ completed }) => completed === true)
  })
})
