import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useCommentWords } from '../../console/src/views/records/comment-words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useWorkWords } from '../../console/src/views/records/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { executablePath, type Look } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { useConsole } from '../support/site.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }
const t = useDoingWords.en
const work = useWorkWords.en
const writing = useCommentWords.en
const common = useCommonWords.en

/** What is sent to such addresses is stored at once, or refused, and the page hears of it when the returned function is called. */
async function holdingAnswers(page: Page, addresses: string, refusal?: object): Promise<() => Promise<void>> {
  let letGo = () => {}
  const isLetGo = new Promise<void>(resolve => {
    letGo = resolve
  })
  const isWrite = (method: string) => method !== 'GET'
  await page.route(addresses, async route => {
    if (!isWrite(route.request().method())) return route.continue()
    const answer = refusal ?? { response: await route.fetch() }
    await isLetGo
    await route.fulfill(answer)
  })
  return async () => {
    const answered = page.waitForResponse(response => isWrite(response.request().method()))
    letGo()
    await (await answered).finished()
  }
}

describe.skipIf(!executablePath)('What is answered while its writer goes on', () => {
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

  const at = (path = '') => `/companies/${company.id}/projects/${project.id}${path}`
  const onTask = async (title: string) => {
    const task = await newTask(company, list.id, { title })
    const seen = await site.enter(member.token, LOOK)
    return { task, ...seen, path: `${at()}?task=${task.id}` }
  }
  const line = (page: Page) => page.getByLabel(t.addTaskTo('\u2068Furniture\u2069'))
  const panel = (page: Page) => page.locator('.task-panel')
  const title = (page: Page) => panel(page).getByLabel(t.title, { exact: true })
  const comment = (page: Page) => panel(page).getByLabel(t.comment)
  const send = (page: Page) => panel(page).getByRole('button', { name: t.sendComment, exact: true }).click()
  const reopen = async (page: Page, title: string) => {
    await panel(page).getByRole('button', { name: t.closeTask, exact: true }).click()
    await page.getByRole('button', { name: title, exact: true }).click()
  }
  const start = async (page: Page, title: string) => {
    await page.getByRole('button', { name: t.newDiscussion }).click()
    await page.getByLabel(t.discussionTitle).fill(title)
    const answer = await holdingAnswers(page, '**/discussions')
    await page.getByRole('button', { name: t.startDiscussion }).click()
    return answer
  }
  const kept = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter(name => name.startsWith('unsent:')).length)

  it('leaves the caret where they are, and comes back to the field of those who stayed', async () => {
    const { page, open, path, context } = await onTask('Order the desks')
    await open(path)
    const answer = await holdingAnswers(page, '**/comments')
    await comment(page).fill('Half a comment')
    await send(page)
    await line(page).fill('Half')
    await answer()
    await expect.poll(() => comment(page).inputValue()).toBe('')
    await page.keyboard.type(' a line')
    await expect.poll(() => line(page).inputValue()).toBe('Half a line')
    await comment(page).fill('Another one')
    await send(page)
    await expect.poll(() => comment(page).inputValue()).toBe('')
    await page.keyboard.type('And one more')
    await expect.poll(() => comment(page).inputValue()).toBe('And one more')
    await context.close()
  })

  it('leaves the caret where they are, also when a changed comment is refused', async () => {
    const { task, page, open, settled, path, context } = await onTask('Carry the desks')
    const records = site.server.diwan.client(`/admin/v1/companies/${company.id}/records`, member.token)
    await created(records.post(`/tasks/${task.id}/comments`, { content: 'Carefully' }))
    await open(path)
    const answer = await holdingAnswers(page, '**/comments/*', { status: 403, json: { error: { code: 'forbidden' } } })
    await panel(page).getByRole('button', { name: writing.editComment }).click()
    await page.getByLabel(writing.editing).fill('Very carefully')
    await page.getByRole('button', { name: common.save, exact: true }).click()
    await line(page).fill('Half')
    await answer()
    await page.getByLabel(writing.editing).waitFor()
    await settled()
    await page.keyboard.type(' a line')
    await expect.poll(() => line(page).inputValue()).toBe('Half a line')
    await context.close()
  })

  it('is forgotten where its place was left and opened again', async () => {
    const { page, open, path, context } = await onTask('Paint the desks')
    await open(path)
    const answer = await holdingAnswers(page, '**/comments')
    await comment(page).fill('In green')
    await send(page)
    await reopen(page, 'Paint the desks')
    await expect.poll(() => comment(page).inputValue()).toBe('In green')
    await answer()
    await expect.poll(() => comment(page).inputValue()).toBe('')
    expect(await kept(page)).toBe(0)
    await context.close()
  })

  it('takes nothing away that was written at its place since', async () => {
    const { page, open, settled, path, context } = await onTask('Clean the desks')
    await open(path)
    const answer = await holdingAnswers(page, '**/comments')
    await comment(page).fill('With soap')
    await send(page)
    await reopen(page, 'Clean the desks')
    await comment(page).fill('With water')
    await answer()
    await settled()
    await page.reload()
    await comment(page).waitFor()
    await expect.poll(() => comment(page).inputValue()).toBe('With water')
    await context.close()
  })

  it('leaves nothing behind of those who have signed out', async () => {
    const { page, open, settled, context } = await onTask('Sell the desks')
    await open(at())
    const answer = await holdingAnswers(page, '**/tasks')
    for (const text of ['The round one', 'The square one']) {
      await line(page).fill(text)
      await page.keyboard.press('Enter')
    }
    await expect.poll(() => kept(page)).toBe(1)
    await page.getByRole('button', { name: useFrameWords.en.signOut }).click()
    await page.getByRole('heading', { name: useFrameWords.en.signIn }).waitFor()
    const second = page.waitForResponse(response => response.status() === 401)
    await answer()
    await (await second).finished()
    await settled()
    expect(await kept(page)).toBe(0)
    await context.close()
  })

  it('takes nobody to a new discussion who is elsewhere', async () => {
    const { page, open, settled, context } = await onTask('Lend the desks')
    await open(at('/discussions'))
    const answer = await start(page, 'Which weekend?')
    await page.getByRole('link', { name: work.lists, exact: true }).click()
    await line(page).waitFor()
    await answer()
    await settled()
    expect(page.url()).toMatch(/\/projects\/[^/]+$/)
    expect(await kept(page)).toBe(0)
    await context.close()
  })

  it('takes nothing away that was written into a new discussion since', async () => {
    const { page, open, context } = await onTask('Load the desks')
    await open(at('/discussions'))
    const answer = await start(page, 'Which lorry?')
    await page.getByLabel(t.discussionBody).fill('The blue one')
    await answer()
    await page.getByRole('heading', { level: 1, name: 'Which lorry?' }).waitFor()
    await open(at('/discussions'))
    await expect.poll(() => page.getByLabel(t.discussionBody).inputValue()).toBe('The blue one')
    await context.close()
  })

  it('is no change by somebody else', async () => {
    const { task, page, open, path, context } = await onTask('Count the desks')
    await open(path)
    const answer = await holdingAnswers(page, `**/tasks/${task.id}`)
    await title(page).fill('Count the chairs')
    await page.keyboard.press('Enter')
    await title(page).fill('Count the lamps')
    await page.keyboard.press('Enter')
    await answer()
    await expect.poll(() => kept(page)).toBe(0)
    await expect.poll(() => page.getByText(t.changedMeanwhile).count()).toBe(0)
    expect((await company.api.get(`/tasks/${task.id}`)).body.data.title).toBe('Count the lamps')
    await context.close()
  })
})
