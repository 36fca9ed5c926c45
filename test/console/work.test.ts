import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useWorkWords } from '../../console/src/views/records/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { executablePath, type Look } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { useConsole } from '../support/site.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }
const t = useWorkWords.en

describe.skipIf(!executablePath)('The window on the work', () => {
  const site = useConsole()
  let company: TestCompany
  let root: string
  let project: { id: string }

  beforeAll(async () => {
    company = await site.server.diwan.company()
    root = `/companies/${company.id}`
    project = await site.server.diwan.project(company, { name: 'Office move' })
    const list = await newList(company, project.id, { title: 'Furniture' })
    const task = await newTask(company, list.id, { title: 'طلبُ الأثاث', due_at: '2026-01-05' })
    await newTask(company, list.id, { title: 'Measure the rooms', due_at: '2099-01-05' })
    await newComment(company, `/tasks/${task.id}`, { content: 'The oak is best.' })
    const discussion = await newDiscussion(company, project.id, { title: 'Which weekend?' })
    await newComment(company, `/discussions/${discussion.id}`, { content: 'The first one.' })
  })

  const enter = async (token = company.ownerToken) => {
    const seen = await site.enter(token, LOOK)
    return seen
  }

  it('leads from a search hit to the task, however its Arabic is spelled, and on to its list and project', async () => {
    const { page, open, context } = await enter()
    await open(`${root}/search?q=${encodeURIComponent('طلب الاثاث')}`)
    await page.getByRole('link', { name: 'طلبُ الأثاث' }).click()
    await page.getByRole('heading', { level: 1, name: 'طلبُ الأثاث' }).waitFor()
    await page.getByText('The oak is best.').waitFor()
    await page.getByRole('link', { name: 'Furniture' }).click()
    await page.getByRole('heading', { level: 1, name: 'Furniture' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Office move' }).click()
    await page.getByRole('heading', { level: 1, name: 'Office move' }).waitFor()
    await context.close()
  })

  it('says which key made a change, and opens what a comment is about', async () => {
    const { page, open, context } = await enter()
    await open(`${root}/changes?kind=comment`)
    const rows = page.locator('.day-log li').filter({ hasText: company.owner.name })
    await expect.poll(() => rows.count()).toBe(2)
    await expect.poll(() => rows.first().textContent()).toContain('Test')
    await page.getByRole('link', { name: 'Which weekend?' }).click()
    await page.getByText('The first one.').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'طلبُ الأثاث' }).click()
    await page.getByText('The oak is best.').waitFor()
    await context.close()
  })

  it('keeps the filters of tasks in the address: a reload shows the same', async () => {
    const { page, open, settled, context } = await enter()
    const tasks = () => page.locator('tbody tr').count()
    await open(`${root}/tasks`)
    await expect.poll(tasks).toBe(2)
    await page.getByLabel(useCommonWords.en.state, { exact: true }).selectOption('overdue')
    await expect.poll(tasks).toBe(1)
    // Only what is offered by then is taken as chosen.
    await page.locator(`datalist option[value="${project.id}"]`).waitFor({ state: 'attached' })
    await page.getByLabel(t.projectsChosen, { exact: true }).fill(project.id)
    await page.waitForURL(({ searchParams }) => searchParams.get('project') === project.id)
    expect(page.url()).toContain('overdue=true')
    await page.reload()
    await settled()
    await page.getByText(t.tasksFound(1), { exact: true }).waitFor()
    await page.locator('.chosen').getByText('Office move').waitFor()
    await page.getByRole('button', { name: useCommonWords.en.clearFilters }).click()
    await expect.poll(tasks).toBe(2)
    await context.close()
  })

  it('lets a leader begin with a project, a list and a task, and take the task away again', async () => {
    const doing = useDoingWords.en
    const { page, open, context } = await enter()
    await open(`${root}/projects`)
    await page.getByLabel(doing.addProject).fill('Garden')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor()
    await page.getByLabel(doing.addList).fill('Trees')
    await page.keyboard.press('Enter')
    await page.getByLabel(doing.addTaskTo('\u2068Trees\u2069')).fill('Plant the lemon')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Plant the lemon' }).click()
    await page.getByRole('button', { name: doing.deleteTask }).click()
    await page.getByRole('dialog').getByRole('button', { name: doing.deleteVerb }).click()
    await page.getByText(doing.noOpenTasks).waitFor()
    await page.waitForURL(({ searchParams }) => !searchParams.has('task'))
    await context.close()
  })

  it('shows members what is open to them, and nothing of the rest', async () => {
    const { token } = await site.server.diwan.person(company.id)
    const hidden = await site.server.diwan.project(company, { name: 'Secret merger', is_public: false })
    const { page, open, context } = await enter(token)
    await page.getByRole('link', { name: useFrameWords.en.views.projects, exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'Office move' }).waitFor()
    await expect.poll(() => page.getByText('Secret merger').count()).toBe(0)
    await open(`${root}/projects/${hidden.id}`)
    await page.getByText(useCommonWords.en.notFound).waitFor()
    await open(`${root}/projects/${project.id}`)
    await expect.poll(() => page.getByRole('main').getByRole('link', { name: t.changesHere }).count()).toBe(0)
    await context.close()
  })
})
