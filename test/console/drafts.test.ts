import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useLiveWords } from '../../console/src/live/words.ts'
import { useUnsentWords } from '../../console/src/parts/unsent-words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { accessibilityFaults, executablePath, type Look, signIn, visit } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newDiscussion, newList, newTask } from '../support/factories.ts'
import { startPlannedProxy } from '../support/planned-proxy.ts'
import { useConsole } from '../support/site.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }
const t = useDoingWords.en
const unsent = useUnsentWords.en

describe.skipIf(!executablePath)('What was written and not sent', () => {
  const site = useConsole()
  let company: TestCompany
  let member: { id: number; token: string }
  let project: { id: string }
  let list: { id: string }

  beforeAll(async () => {
    company = await site.server.diwan.company()
    member = await site.server.diwan.person(company.id)
    project = await site.server.diwan.project(company, { name: 'Office move' })
    list = await newList(company, project.id, { title: 'Furniture' })
  })

  const enter = async (token = member.token, url = site.server.url) => {
    const seen = await visit(site.browser, url, LOOK)
    await signIn(seen, token)
    return seen
  }
  const at = (path = '') => `/companies/${company.id}/projects/${project.id}${path}`
  const line = (page: Page) => page.getByLabel(t.addTaskTo('\u2068Furniture\u2069'))
  const panel = (page: Page) => page.locator('.task-panel')
  const title = (page: Page) => panel(page).getByLabel(t.title, { exact: true })
  const comment = (page: Page) => panel(page).getByLabel(t.comment)
  const titles = async () =>
    ((await company.api.get(`/lists/${list.id}/tasks?limit=100`)).body.data as { title: string }[]).map(
      ({ title }) => title,
    )
  const comments = async (task: string) =>
    ((await company.api.get(`/tasks/${task}/comments`)).body.data as { content: string }[]).map(
      ({ content }) => content,
    )
  const kept = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter(name => name.startsWith('unsent:')).length)
  const again = async ({ page, token = member.token }: { page: Page; token?: string }) => {
    await page.getByLabel(useFrameWords.en.token).fill(token)
    await page.keyboard.press('Enter')
    await page.locator('main#content').waitFor()
  }
  const endSessions = async () => {
    const sessions = (await company.admin.get(`/users/${member.id}/sessions`)).body.data as { id: number }[]
    for (const { id } of sessions) await company.admin.delete(`/users/${member.id}/sessions/${id}`)
  }

  it('is there after a reload, said to be unsent, and forgotten once it is stored or emptied', async () => {
    const task = await newTask(company, list.id, { title: 'Order the desks' })
    const { page, open, settled, context } = await enter()
    await open(`${at()}?task=${task.id}`)
    await line(page).fill('Half a line')
    await comment(page).fill('Half a comment')
    await title(page).fill('Order the des')
    await page.reload()
    await settled()
    await expect.poll(() => line(page).inputValue()).toBe('Half a line')
    await expect.poll(() => comment(page).inputValue()).toBe('Half a comment')
    await expect.poll(() => title(page).inputValue()).toBe('Order the des')
    await panel(page).getByText(unsent.unsaved).waitFor()
    await panel(page).getByText(unsent.unsent).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await expect.poll(async () => (await company.api.get(`/tasks/${task.id}`)).body.data.title).toBe('Order the desks')
    await panel(page).getByRole('button', { name: unsent.save, exact: true }).click()
    await expect.poll(async () => (await company.api.get(`/tasks/${task.id}`)).body.data.title).toBe('Order the des')
    await panel(page).getByRole('button', { name: t.sendComment, exact: true }).click()
    await expect.poll(() => comments(task.id)).toEqual(['Half a comment'])
    await line(page).fill('')
    await expect.poll(() => kept(page)).toBe(0)

    await open(at('/discussions'))
    await page.getByRole('button', { name: t.newDiscussion }).click()
    await page.getByLabel(t.discussionTitle).fill('Which weekend?')
    await page.getByLabel(t.discussionBody).fill('The lift')
    await page.reload()
    await settled()
    await expect.poll(() => page.getByLabel(t.discussionTitle).inputValue()).toBe('Which weekend?')
    await expect.poll(() => page.getByLabel(t.discussionBody).inputValue()).toBe('The lift')
    await page.getByRole('button', { name: t.startDiscussion }).click()
    await page.getByRole('heading', { level: 1, name: 'Which weekend?' }).waitFor()
    await expect.poll(() => kept(page)).toBe(0)
    await context.close()
  })

  it('is there after the session has ended, at the same place, and nobody else sees it', async () => {
    const task = await newTask(company, list.id, { title: 'Measure the rooms' })
    const seen = await enter()
    const { page, open, settled, context } = seen
    await open(`${at()}?task=${task.id}`)
    await comment(page).fill('Three by four')
    await endSessions()
    await page.keyboard.press('Control+Enter')
    await page.getByText(useFrameWords.en.ended).waitFor()
    // The same is said after a reload.
    await page.reload()
    await page.getByText(useFrameWords.en.ended).waitFor()
    await again({ page, token: company.ownerToken })
    await comment(page).waitFor()
    await expect.poll(() => comment(page).inputValue()).toBe('')
    await page.getByRole('button', { name: useFrameWords.en.signOut }).click()
    await page.getByRole('heading', { name: useFrameWords.en.signIn }).waitFor()
    await again({ page })
    await comment(page).waitFor()
    await expect.poll(() => comment(page).inputValue()).toBe('Three by four')
    expect(page.url()).toContain(task.id)
    await panel(page).getByRole('button', { name: t.sendComment, exact: true }).click()
    await expect.poll(() => comments(task.id)).toEqual(['Three by four'])
    await settled()

    // Whoever signs out on purpose leaves nothing behind.
    await comment(page).fill('Nothing for strangers')
    await page.getByRole('button', { name: useFrameWords.en.signOut }).click()
    await page.getByRole('heading', { name: useFrameWords.en.signIn }).waitFor()
    await expect.poll(() => kept(page)).toBe(0)
    await context.close()
  })

  it('is sent by itself when the connection is back, and stored once', async () => {
    const { page, open, context } = await enter()
    await open(at())
    await context.setOffline(true)
    await line(page).fill('Written in a tunnel')
    await page.keyboard.press('Enter')
    await page.getByText('Written in a tunnel', { exact: true }).waitFor()
    await page.getByText(useLiveWords.en.lost).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await context.setOffline(false)
    await expect.poll(async () => (await titles()).filter(title => title === 'Written in a tunnel').length).toBe(1)
    await expect.poll(() => page.getByText(useLiveWords.en.lost).count()).toBe(0)
    await expect.poll(() => kept(page)).toBe(0)
    await context.close()
  })

  it('is stored once, even if only the answer was lost and the page was reloaded in between', async () => {
    const proxy = await startPlannedProxy(site.server.url)
    const discussion = await newDiscussion(company, project.id, { title: 'Moving day' })
    const { page, open, settled, context } = await enter(member.token, proxy.url)
    await open(at())
    proxy.byRequest = ({ method, url }) => (method === 'POST' && url.includes('/records/') ? 'cut after' : undefined)
    await line(page).fill('Arrived unheard')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: t.tryAgain }).waitFor()
    await page.goto(`${proxy.url}/console${at(`/discussions/${discussion.id}`)}`)
    await page.getByLabel(t.reply).fill('On Friday')
    await page.getByRole('button', { name: t.sendReply }).click()
    await page.getByRole('alert').waitFor()
    proxy.byRequest = () => undefined
    await page.reload()
    await settled()
    await page.getByRole('button', { name: t.sendReply }).click()
    await expect.poll(() => kept(page)).toBe(1)
    await open(at())
    await expect.poll(() => kept(page)).toBe(0)
    await expect.poll(async () => (await titles()).filter(title => title === 'Arrived unheard')).toHaveLength(1)
    const replies = (await company.api.get(`/discussions/${discussion.id}/comments`)).body.data
    expect(replies.map(({ content }: { content: string }) => content)).toEqual(['On Friday'])
    await context.close()
  })

  it('does not overwrite what somebody else stored in the meantime', async () => {
    const task = await newTask(company, list.id, { title: 'Paint the wall' })
    const { page, open, settled, context } = await enter()
    await open(`${at()}?task=${task.id}`)
    await title(page).fill('Paint the walls')
    await page.goto('about:blank')
    await company.api.patch(`/tasks/${task.id}`, { title: 'Paint nothing' })
    await open(`${at()}?task=${task.id}`)
    await expect.poll(() => title(page).inputValue()).toBe('Paint the walls')
    await panel(page).getByRole('button', { name: unsent.save, exact: true }).click()
    await page.getByText(t.changedMeanwhile).waitFor()
    await page.getByRole('button', { name: t.takeTheirs }).click()
    await page.reload()
    await settled()
    await expect.poll(() => title(page).inputValue()).toBe('Paint nothing')
    await expect.poll(async () => (await company.api.get(`/tasks/${task.id}`)).body.data.title).toBe('Paint nothing')
    await context.close()
  })

  it('is bounded in number and age', async () => {
    const { page, open, context } = await enter()
    await page.evaluate(() => {
      for (let n = 0; n < 150; n++)
        localStorage.setItem(`unsent:1:1:x${n}`, JSON.stringify({ at: Date.now() - n * 1_000, value: 'x' }))
      localStorage.setItem('unsent:1:1:old', JSON.stringify({ at: Date.now() - 15 * 86_400_000, value: 'x' }))
    })
    await open(at())
    await line(page).fill('One more')
    await expect.poll(() => kept(page)).toBe(100)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('unsent:1:1:old'))).toBe(null)
    await context.close()
  })
})
