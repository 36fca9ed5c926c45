import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useHomeWords } from '../../console/src/views/home/words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { accessibilityFaults, overflowing } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newDiscussion, newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'
import { describeConsole } from '../support/site.ts'

const LATE_MS = 60_000
const t = useDoingWords.en

describeConsole('A member', site => {
  let company: TestCompany
  let project: { id: string }
  let list: { id: string }
  let member: { name: string; email: string; token: string }

  beforeAll(async () => {
    company = await site.server.diwan.company()
    member = await site.server.diwan.person(company.id)
    project = await site.server.diwan.project(company, { name: 'Office move' })
    list = await newList(company, project.id, { title: 'Furniture' })
    await newList(company, project.id, { title: 'Permits' })
  })

  const enter = () => site.enter(member.token)
  const inProject = () => `/companies/${company.id}/projects/${project.id}`
  const stored = async (task: string) => (await company.api.get(`/tasks/${task}`)).body.data
  const add = (title: string) => newTask(company, list.id, { title, assignee_email: member.email })
  const check = (page: Page, title: string, words = t) => page.getByLabel(words.complete(`\u2068${title}\u2069`))
  const titles = async () =>
    ((await company.api.get(`/lists/${list.id}/tasks?limit=100`)).body.data as { title: string }[]).map(
      ({ title }) => title,
    )

  it('begins with what is theirs to do, completes it in place and takes that back', async () => {
    const late = await newTask(company, list.id, {
      title: 'Order the desks',
      due_at: '2026-01-05',
      assignee_email: member.email,
    })
    await newTask(company, list.id, { title: 'Of somebody else' })
    const { page } = await enter()
    await page.waitForURL(/\/home$/)
    const overdue = page.locator('section.overdue')
    await overdue.getByText('Order the desks').waitFor()
    await expect.poll(() => page.getByText('Of somebody else').count()).toBe(0)
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    // What is done stays until the page is left, even when the server has nothing more to do.
    const readAgain = page.waitForResponse(async answer => {
      return /\/me\/tasks\?/.test(answer.url()) && (await answer.json()).data.length === 0
    })
    await check(page, 'Order the desks').check()
    await until(async () => (await stored(late.id)).completed, LATE_MS)
    await readAgain
    await overdue.getByRole('button', { name: t.undoComplete('\u2068Order the desks\u2069') }).click()
    await until(async () => !(await stored(late.id)).completed, LATE_MS)
    await expect.poll(() => check(page, 'Order the desks').isChecked()).toBe(false)
  })

  it('adds tasks line by line, and loses no line that could not be stored', async () => {
    const { page, open } = await enter()
    await open(inProject())
    const field = page.getByLabel(t.addTaskTo('\u2068Furniture\u2069'))
    await field.fill('First')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Second')
    await page.keyboard.press('Enter')
    await until(async () => (await titles()).includes('Second'), LATE_MS)
    await expect.poll(async () => (await titles()).slice(-2)).toEqual(['First', 'Second'])

    const writes = `${site.server.url}/admin/v1/companies/*/records/lists/*/tasks`
    await page.route(writes, route =>
      route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Try again soon.' } } }),
    )
    await field.fill('Third')
    await page.keyboard.press('Enter')
    await page.getByText('Try again soon.').waitFor()
    await page.getByText('Third', { exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: t.tryAgain }).click()
    await until(async () => (await titles()).at(-1) === 'Third', LATE_MS)

    await page.getByLabel(t.addList, { exact: true }).fill('Keys and doors')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys and doors' }).waitFor()
  })

  it('sees a change undone, with the reason, when the server refuses it, and still has what was typed', async () => {
    await add('Too late')
    const { page, open } = await enter()
    await open(inProject())
    await page.route('**/complete', route =>
      route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'The project is archived.' } } }),
    )
    await check(page, 'Too late').click()
    await page.getByText('The project is archived.').waitFor()
    await expect.poll(() => check(page, 'Too late').isChecked()).toBe(false)

    await page.getByRole('button', { name: 'Too late' }).click()
    const title = page.locator('.task-panel').getByLabel(t.title, { exact: true })
    let refuse = () => {}
    const refused = new Promise<void>(resolve => {
      refuse = resolve
    })
    await page.route('**/records/tasks/*', async route => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await refused
      await route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Not this one.' } } })
    })
    await title.fill('Just in time')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Just in time' }).waitFor()
    await page.keyboard.press('Tab')
    refuse()
    await page.getByText('Not this one.').waitFor()
    await page.getByRole('button', { name: 'Too late' }).waitFor()
    await expect.poll(() => title.inputValue()).toBe('Just in time')
  })

  it('edits a task where it stands, moves it, comments on it, and is not offered to delete what others made', async () => {
    const task = await newTask(company, list.id, { title: 'Measure the rooms' })
    const { page, open } = await enter()
    await open(inProject())
    await page.getByRole('button', { name: 'Measure the rooms' }).click()
    const panel = page.locator('.task-panel')
    await panel.getByLabel(t.title, { exact: true }).fill('Measure all rooms')
    await page.keyboard.press('Enter')
    await panel.getByLabel(t.assignee).selectOption(member.email)
    await panel.getByLabel(t.due).fill('2026-12-24')
    await panel.getByLabel(t.notes).fill('With the new laser.')
    await page.keyboard.press('Tab')
    await panel.getByLabel(t.list, { exact: true }).selectOption({ label: '\u2068Permits\u2069' })
    await until(async () => (await stored(task.id)).task_list_slug === 'permits', LATE_MS)
    await expect
      .poll(() => stored(task.id))
      .toMatchObject({
        title: 'Measure all rooms',
        assignee: { email: member.email },
        due_at: '2026-12-24',
        notes: 'With the new laser.',
      })
    await panel.getByLabel(t.comment).fill('The oak is best.')
    await panel.getByRole('button', { name: t.sendComment }).click()
    await panel.locator('.comments').getByText('The oak is best.').waitFor()
    await expect.poll(() => panel.getByRole('button', { name: t.deleteTask }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  it('keeps what others changed elsewhere, and chooses where both changed the same', async () => {
    const task = await add('Paint the walls')
    const { page, open, settled } = await enter()
    await open(`${inProject()}?task=${task.id}`)
    const title = page.locator('.task-panel').getByLabel(t.title, { exact: true })
    await company.api.patch(`/tasks/${task.id}`, { notes: 'White.' })
    await title.fill('Paint every wall')
    await page.keyboard.press('Enter')
    await until(async () => (await stored(task.id)).title === 'Paint every wall', LATE_MS)
    await expect.poll(async () => (await stored(task.id)).notes).toBe('White.')

    // In this order: a title that had arrived by itself before the typing began would be no conflict.
    await title.fill('Paint the ceiling')
    await company.api.patch(`/tasks/${task.id}`, { title: 'Paper the walls' })
    await page.keyboard.press('Enter')
    const choice = page.getByRole('alert').filter({ hasText: t.changedMeanwhile })
    await choice.getByText('Paper the walls').waitFor()
    await choice.getByText('Paint the ceiling').waitFor()
    // Whoever only goes elsewhere has not chosen.
    await page.locator('h1').click()
    await page.getByLabel(t.addList, { exact: true }).click()
    await settled()
    await expect.poll(async () => (await stored(task.id)).title).toBe('Paper the walls')
    await choice.getByRole('button', { name: t.keepMine }).click()
    await until(async () => (await stored(task.id)).title === 'Paint the ceiling', LATE_MS)
  })

  it('reads what is new for them, and has nothing new afterwards', async () => {
    const unread = async () =>
      (await site.server.diwan.client('/admin/v1', member.token).get('/me')).body.data.unread_notifications as number
    await newDiscussion(company, project.id, { title: 'Where do the plants go?' })
    await until(async () => (await unread()) > 0, LATE_MS)
    const { page } = await enter()
    const home = useHomeWords.en
    const told = page.locator('.card', { has: page.getByRole('heading', { name: home.notifications }) })
    await told.getByRole('link', { name: 'Where do the plants go?' }).waitFor()
    await told.getByRole('button', { name: home.markRead }).click()
    await told.getByText(home.noNotifications).waitFor()
    await until(async () => (await unread()) === 0, LATE_MS)
    await page.reload()
    await told.getByText(home.noNotifications).waitFor()
  })

  it('reaches a new task, the search and the list of keys by single keys, unless they are switched off', async () => {
    const { page, open } = await enter()
    await open(inProject())
    await page.keyboard.press('n')
    await page.keyboard.type('n/?')
    await expect.poll(() => page.locator('[data-new-task]').first().inputValue()).toBe('n/?')
    await page.locator('h1').click()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog')
    expect(await accessibilityFaults(page)).toEqual([])
    await keys.getByText('Escape').waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.waitForURL(/\/search$/)
    await page.locator('input[type="search"]:focus').waitFor()

    await page.getByRole('button', { name: useFrameWords.en.keyboard }).click()
    await keys.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await open(inProject())
    await page.keyboard.press('n')
    await expect.poll(() => page.locator('[data-new-task]:focus').count()).toBe(0)
  })
})
