import { beforeAll, expect, it } from 'vitest'
import { useEditingWords } from '../../console/src/views/records/editing-words.ts'
import { useWorkWords } from '../../console/src/views/records/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, holding } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'
import { describeConsole } from '../support/site.ts'

const LATE_MS = 60_000
const t = useEditingWords.en
const undo = useCommonWords.en.undo

describeConsole('A project at work', site => {
  let company: TestCompany

  beforeAll(async () => {
    company = await site.server.diwan.company()
    await company.admin.patch('', { second_calendar: 'islamic-umalqura' })
  })

  const enter = (token = company.ownerToken) => site.enter(token)
  const addressOf = (project: { id: string }) => `/companies/${company.id}/projects/${project.id}`
  const stored = async (project: { id: string }) => (await company.api.get(`/projects/${project.id}`)).body.data

  it('is renamed, described, dated in both calendars and made private in place by a leader', async () => {
    const project = await site.server.diwan.project(company, { name: 'Office move' })
    const { page, open } = await enter()
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
  })

  it('shows again what was stored when a change is refused, with the reason', async () => {
    const project = await site.server.diwan.project(company, { name: 'Warehouse', start_date: '2026-05-01' })
    const { page, open } = await enter()
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
  })

  it('is archived and brought back, each of which can be undone', async () => {
    const project = await site.server.diwan.project(company, { name: 'Old office' })
    const list = await newList(company, project.id, { title: 'Rest' })
    await newTask(company, list.id, { title: 'Lock the door' })
    const { page, open } = await enter()
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
  })

  it('has lists that are renamed and prioritised in place, and deleted by leaders who are told what goes with them', async () => {
    const project = await site.server.diwan.project(company, { name: 'Garden' })
    const list = await newList(company, project.id, { title: 'Trees' })
    await newTask(company, list.id, { title: 'Plant the lemon' })
    const { page, open } = await enter()
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
  })
})
