import { beforeAll, describe, expect, it } from 'vitest'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useEditingWords } from '../../console/src/views/records/editing-words.ts'
import { useWorkWords } from '../../console/src/views/records/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, executablePath, holding, type Look, overflowing } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'
import { useConsole } from '../support/site.ts'

const WIDE: Look = { language: 'en', width: 1280, appearance: 'light' }
const NARROW: Look = { language: 'ar', width: 390, appearance: 'dark' }
const LATE_MS = 60_000
const t = useEditingWords.en
const undo = useCommonWords.en.undo

describe.skipIf(!executablePath)('A project at work', () => {
  const site = useConsole()
  let company: TestCompany
  let member: { token: string }

  beforeAll(async () => {
    company = await site.server.diwan.company()
    await company.admin.patch('', { second_calendar: 'islamic-umalqura' })
    member = await site.server.diwan.person(company.id)
  })

  const enter = async (look = WIDE, token = company.ownerToken) => {
    const seen = await site.enter(token, look)
    return seen
  }
  const addressOf = (project: { id: string }) => `/companies/${company.id}/projects/${project.id}`
  const stored = async (project: { id: string }) => (await company.api.get(`/projects/${project.id}`)).body.data

  it('is renamed, described, dated in both calendars and made private in place by a leader', async () => {
    const project = await site.server.diwan.project(company, { name: 'Office move' })
    const { page, open, context } = await enter()
    await open(addressOf(project))
    await page.getByRole('button', { name: t.editProject }).click()
    const editor = page.locator('.editor')
    await editor.getByLabel(t.name).fill('The great move')
    const store = await holding(page, '**/records/projects/*')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'The great move' }).waitFor()
    store()
    await editor.getByLabel(t.description).fill('Floor by floor')
    await editor.getByLabel(t.starts).fill('2026-01-10')
    await editor.getByText('21 Raj. 1447 AH').waitFor()
    await editor.getByLabel(t.ends).fill('2026-03-10')
    await editor.getByLabel(t.seenBy).selectOption('private')
    await editor.getByRole('link', { name: t.chooseMembers }).waitFor()
    await until(async () => (await stored(project)).is_public === false, LATE_MS)
    await expect
      .poll(() => stored(project))
      .toMatchObject({
        name: 'The great move',
        description: 'Floor by floor',
        start_date: '2026-01-10',
        end_date: '2026-03-10',
      })
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: t.doneEditing }).click()
    await page.getByText('Floor by floor').waitFor()
    await page.getByRole('link', { name: useWorkWords.en.members, exact: true }).waitFor()
    await context.close()
  })

  it('shows again what was stored when a change is refused, with the reason', async () => {
    const project = await site.server.diwan.project(company, { name: 'Warehouse', start_date: '2026-05-01' })
    const { page, open, context } = await enter()
    await open(addressOf(project))
    await page.getByRole('button', { name: t.editProject }).click()
    const editor = page.locator('.editor')
    await editor.getByLabel(t.ends).fill('2026-04-01')
    await editor.getByText("end_date can't be before start_date").waitFor()
    await expect.poll(() => editor.getByLabel(t.ends).inputValue()).toBe('')
    let refuse = () => {}
    const refused = new Promise<void>(resolve => {
      refuse = resolve
    })
    await page.route('**/records/projects/*', async route => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await refused
      await route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Not this one.' } } })
    })
    await editor.getByLabel(t.name).fill('Depot')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Depot' }).waitFor()
    refuse()
    await editor.getByText('Not this one.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Warehouse' }).waitFor()
    await expect.poll(() => editor.getByLabel(t.name).inputValue()).toBe('Depot')
    await context.close()
  })

  it('is archived and brought back, each of which can be undone', async () => {
    const project = await site.server.diwan.project(company, { name: 'Old office' })
    const list = await newList(company, project.id, { title: 'Rest' })
    await newTask(company, list.id, { title: 'Lock the door' })
    const { page, open, context } = await enter()
    await open(addressOf(project))
    await page.getByRole('button', { name: t.editProject }).click()
    await page.getByRole('button', { name: t.archive, exact: true }).click()
    await page.getByRole('button', { name: t.unarchive }).waitFor()
    // It stays for as long as it is pointed at.
    await page.locator('.toast').getByRole('button', { name: undo }).hover()
    await until(async () => (await stored(project)).archived, LATE_MS)
    // Nothing is offered that would be refused.
    await expect.poll(() => page.getByRole('button', { name: t.editProject }).count()).toBe(0)
    await expect.poll(() => page.locator('[data-new-task], .task-check:enabled').count()).toBe(0)
    await page.locator('.toast').getByRole('button', { name: undo }).click()
    await page.getByRole('button', { name: t.doneEditing }).waitFor()
    await until(async () => !(await stored(project)).archived, LATE_MS)
    await context.close()
  })

  it('is deleted, and restored by undoing that', async () => {
    const project = await site.server.diwan.project(company, { name: 'By mistake' })
    const { page, open, context } = await enter()
    await open(addressOf(project))
    await page.getByRole('button', { name: t.editProject }).click()
    await page.getByRole('button', { name: t.deleteProject }).click()
    await page.waitForURL(/\/projects$/)
    const gone = page.locator('.toast', { hasText: 'By mistake' })
    await gone.getByRole('button', { name: undo }).hover()
    await expect.poll(async () => (await company.api.get(`/projects/${project.id}`)).status).toBe(404)
    await expect.poll(() => page.getByRole('main').getByText('By mistake').count()).toBe(0)
    await gone.getByRole('button', { name: undo }).click()
    await page.getByRole('heading', { level: 1, name: 'By mistake' }).waitFor()
    await expect.poll(async () => (await company.api.get(`/projects/${project.id}`)).status).toBe(200)
    await context.close()
  })

  it('has lists that are renamed and prioritised in place, and deleted by leaders who are told what goes with them', async () => {
    const project = await site.server.diwan.project(company, { name: 'Garden' })
    const list = await newList(company, project.id, { title: 'Trees' })
    await newTask(company, list.id, { title: 'Plant the lemon' })
    const { page, open, context } = await enter()
    await open(addressOf(project))
    await page.getByRole('button', { name: t.editList('Trees') }).click()
    const editor = page.locator('.card .editor')
    await editor.getByLabel(t.title).fill('Trees and shrubs')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Trees and shrubs' }).waitFor()
    await editor.getByLabel(t.priority).selectOption('high')
    const storedList = async () => (await company.api.get(`/lists/${list.id}`)).body.data
    await until(async () => (await storedList()).priority === 'high', LATE_MS)
    await expect.poll(async () => (await storedList()).title).toBe('Trees and shrubs')
    await editor.getByRole('button', { name: t.deleteList }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t.deleteListMeans(1)).waitFor()
    await dialog.getByRole('button', { name: t.deleteVerb, exact: true }).click()
    await page.getByText(t.firstList).waitFor()
    await expect.poll(async () => (await company.api.get(`/lists/${list.id}`)).status).toBe(404)
    await context.close()
  })

  it('offers members to rename its lists, and nothing that only leaders may do', async () => {
    const project = await site.server.diwan.project(company, { name: 'For everyone' })
    const list = await newList(company, project.id, { title: 'Ours' })
    const { page, open, context } = await enter(WIDE, member.token)
    await open(addressOf(project))
    await page.getByRole('button', { name: t.editList('Ours') }).click()
    await page.locator('.editor').getByLabel(t.title).fill('All of ours')
    await page.keyboard.press('Enter')
    await until(async () => (await company.api.get(`/lists/${list.id}`)).body.data.title === 'All of ours', LATE_MS)
    for (const name of [t.editProject, t.archive, t.deleteProject, t.deleteList])
      await expect
        .poll(async () => [name, await page.getByRole('button', { name, exact: true }).count()])
        .toEqual([name, 0])
    await context.close()
  })

  it('is edited in Arabic on a phone by keyboard alone, where nothing is cut off and axe-core finds no fault', async () => {
    const ar = useEditingWords.ar
    const project = await site.server.diwan.project(company, { name: 'انتقال المكتب', start_date: '2026-01-10' })
    await newList(company, project.id, { title: 'التجهيزات' })
    const { page, open, settled, complaints, context } = await enter(NARROW)
    await open(addressOf(project))
    await page.getByRole('button', { name: ar.editProject }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.editor').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('المقر الجديد')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'المقر الجديد' }).waitFor()
    await page.getByRole('button', { name: ar.editList('التجهيزات') }).focus()
    await page.keyboard.press('Enter')
    await settled()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await until(async () => (await stored(project)).name === 'المقر الجديد', LATE_MS)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('records the time spent on a task in place, where the plan has it', async () => {
    for (const plan of ['productive', 'advanced']) {
      const other = await site.server.diwan.company({ plan })
      const project = await site.server.diwan.project(other)
      const list = await newList(other, project.id)
      const task = await newTask(other, list.id, { title: 'Order the desks' })
      const { page, open, settled, context } = await enter(WIDE, other.ownerToken)
      await open(`/companies/${other.id}/projects/${project.id}`)
      await page.getByRole('button', { name: 'Order the desks', exact: true }).click()
      await page.locator('.task-panel').getByLabel(useDoingWords.en.title, { exact: true }).waitFor()
      await settled()
      const time = page.getByLabel(useWorkWords.en.timeSpent, { exact: true })
      await expect.poll(async () => [plan, await time.count()]).toEqual([plan, plan === 'productive' ? 1 : 0])
      if (plan === 'productive') {
        await time.fill('1.5')
        await page.keyboard.press('Enter')
        await expect.poll(() => time.inputValue()).toBe('1:30')
        await expect.poll(async () => (await other.api.get(`/tasks/${task.id}`)).body.data.time_spent_minutes).toBe(90)
        await time.fill('some')
        await page.keyboard.press('Enter')
        await page.getByText('must be more than zero').waitFor()
        await expect.poll(() => time.inputValue()).toBe('some')
        // What was read before is still what another field is written on top of.
        await page.locator('.task-panel').getByLabel(useDoingWords.en.title, { exact: true }).fill('Order them')
        await page.keyboard.press('Enter')
        await until(async () => (await other.api.get(`/tasks/${task.id}`)).body.data.title === 'Order them')
      }
      await context.close()
    }
  })
})
