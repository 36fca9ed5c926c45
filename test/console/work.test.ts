import { beforeAll, expect, it } from 'vitest'
import { useWorkWords } from '../../console/src/views/records/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { describeConsole } from '../support/site.ts'

const t = useWorkWords.en

describeConsole('The window on the work', site => {
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

  const enter = () => site.enter(company.ownerToken)

  it('leads from a search hit to the task, however its Arabic is spelled, and on to its list and project', async () => {
    const { page, open } = await enter()
    await open(`${root}/search?q=${encodeURIComponent('طلب الاثاث')}`)
    await page.getByRole('link', { name: 'طلبُ الأثاث' }).click()
    await page.getByRole('heading', { level: 1, name: 'طلبُ الأثاث' }).waitFor()
    await page.getByText('The oak is best.').waitFor()
    await page.getByRole('link', { name: 'Furniture' }).click()
    await page.getByRole('heading', { level: 1, name: 'Furniture' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Office move' }).click()
    await page.getByRole('heading', { level: 1, name: 'Office move' }).waitFor()
  })

  it('keeps the filters of tasks in the address: a reload shows the same', async () => {
    const { page, open, settled } = await enter()
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
  })
})
