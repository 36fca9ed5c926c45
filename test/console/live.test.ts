import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useLiveWords } from '../../console/src/live/words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { executablePath, type Look, signIn, visit } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { startPlannedProxy } from '../support/planned-proxy.ts'
import { useConsole } from '../support/site.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }
const t = useDoingWords.en
const isolated = (text: string) => `\u2068${text}\u2069`

describe.skipIf(!executablePath)('What others do', () => {
  const site = useConsole()
  let company: TestCompany
  let member: { id: number; name: string; email: string; token: string }
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
  const at = (path: string) => `/companies/${company.id}${path}`
  const inProject = () => at(`/projects/${project.id}`)
  const check = (page: Page, title: string) => page.getByLabel(t.complete(isolated(title)))
  const addField = (page: Page) => page.getByLabel(t.addTaskTo(isolated('Furniture')))
  const stored = async (task: string) => (await company.api.get(`/tasks/${task}`)).body.data

  it('appears by itself, whether a colleague or a program did it, in every view of the work', async () => {
    const [mine, theirs] = [await enter(), await enter(company.ownerToken)]
    await mine.open(inProject())
    await theirs.open(inProject())
    await addField(theirs.page).fill('Order the desks')
    await theirs.page.keyboard.press('Enter')
    await check(mine.page, 'Order the desks').waitFor()
    await check(theirs.page, 'Order the desks').check()
    await expect.poll(() => check(mine.page, 'Order the desks').isChecked()).toBe(true)
    const second = await newList(company, project.id, { title: 'Permits' })
    await mine.page.getByRole('link', { name: 'Permits' }).waitFor()
    const task = await newTask(company, second.id, { title: 'Ask the city', assignee_email: member.email })
    await mine.page.getByRole('button', { name: 'Ask the city' }).click()
    await newComment(company, `/tasks/${task.id}`, { content: 'They answered.' })
    await mine.page.getByText('They answered.').waitFor()

    await mine.follow(at('/home'))
    await company.api.patch(`/tasks/${task.id}`, { title: 'Ask the city again' })
    await mine.page.getByRole('button', { name: 'Ask the city again' }).waitFor()
    await mine.page.getByText(`${isolated(company.owner.name)} completed a task in`).waitFor()
    const discussion = await newDiscussion(company, project.id, { title: 'Which weekend?' })
    await mine.page.getByRole('main').getByRole('link', { name: 'Which weekend?' }).first().waitFor()
    await mine.page.getByRole('navigation').getByText(useLiveWords.en.unread(1)).waitFor({ state: 'attached' })
    await mine.follow(at(`/projects/${project.id}/discussions/${discussion.id}`))
    await newComment(company, `/discussions/${discussion.id}`, { content: 'The first one.' })
    await mine.page.getByText('The first one.').waitFor()
    await mine.follow(at('/projects'))
    await site.server.diwan.project(company, { name: 'Garden' })
    await mine.page.getByRole('main').getByRole('link', { name: 'Garden' }).waitFor()
    await mine.follow(at(`/tasks/${task.id}`))
    await company.api.patch(`/tasks/${task.id}`, { title: 'Ask the city no more' })
    await mine.page.getByRole('heading', { level: 1, name: 'Ask the city no more' }).waitFor()
    expect(mine.complaints).toEqual([])
    await Promise.all([mine.context.close(), theirs.context.close()])
  })

  it('moves nothing under the pointer or the caret, and takes no letter away', async () => {
    const long = await newList(company, project.id, { title: 'Long' })
    const tasks = []
    for (let n = 0; n < 40; n++) tasks.push(await newTask(company, long.id, { title: `Chair ${n}` }))
    const { page, open, context } = await enter()
    await open(at(`/projects/${project.id}/lists/${long.id}`))
    await page.getByRole('button', { name: 'Chair 30' }).click()
    const title = page.locator('.task-panel').getByLabel(t.title, { exact: true })
    await title.fill('A better chair')
    await title.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 8))
    const place = async () => (await title.boundingBox())?.y ?? 0
    const before = await place()
    for (const n of [1, 2, 3]) await company.api.delete(`/tasks/${tasks[n]?.id}`)
    await company.api.patch(`/tasks/${tasks[5]?.id}`, { title: `A name ${'as long as a line '.repeat(14)}` })
    await newComment(company, `/tasks/${tasks[30]?.id}`, { content: 'Oak, please.' })
    await page.getByText('Oak, please.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Chair 3', exact: true }).count()).toBe(0)
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(2)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    expect(
      await title.evaluate((input: HTMLInputElement) => [input.value, input.selectionStart, input.selectionEnd]),
    ).toEqual(['A better chair', 2, 8])

    await title.press('Escape')
    await page.getByRole('button', { name: t.closeTask }).click()
    const row = page.getByRole('button', { name: 'Chair 25' })
    await row.hover()
    const hovered = async () => (await row.boundingBox())?.y ?? 0
    const still = await hovered()
    await company.api.delete(`/tasks/${tasks[10]?.id}`)
    await expect.poll(() => page.getByRole('button', { name: 'Chair 10' }).count()).toBe(0)
    await expect.poll(async () => Math.abs((await hovered()) - still)).toBeLessThan(2)
    await context.close()
  })

  it('does not redraw what the reader has just done here', async () => {
    await newTask(company, list.id, { title: 'Water the plants' })
    const { page, open, context } = await enter()
    await open(inProject())
    await page.evaluate(() => {
      const counted = window as unknown as { taken: number }
      counted.taken = 0
      const main = document.querySelector('main') as HTMLElement
      new MutationObserver(changes => {
        for (const { removedNodes } of changes)
          for (const node of removedNodes) if ((node as Element).matches?.('li.task, section')) counted.taken++
      }).observe(main, { childList: true, subtree: true })
    })
    const reread = page.waitForResponse(
      answer => answer.request().method() === 'GET' && answer.url().includes(`/projects/${project.id}/tasks`),
    )
    await check(page, 'Water the plants').check()
    await addField(page).fill('Feed the fish')
    await page.keyboard.press('Enter')
    await reread
    await check(page, 'Feed the fish').waitFor()
    // Long enough for whatever follows from the feed.
    await page.waitForTimeout(3_000)
    expect(await page.evaluate(() => (window as unknown as { taken: number }).taken)).toBe(0)
    await expect.poll(() => check(page, 'Water the plants').isChecked()).toBe(true)
    await context.close()
  })

  it('is put beside what is being typed where it is the same field, and leaves it alone where it is another', async () => {
    const task = await newTask(company, list.id, { title: 'Paint the wall', notes: 'White.' })
    const { page, open, context } = await enter()
    await open(`${inProject()}?task=${task.id}`)
    const panel = page.locator('.task-panel')
    const title = panel.getByLabel(t.title, { exact: true })
    await title.fill('Paint the walls')
    await company.api.patch(`/tasks/${task.id}`, { notes: 'Green.' })
    await expect.poll(() => panel.getByLabel(t.notes, { exact: true }).inputValue()).toBe('Green.')
    await expect.poll(() => title.inputValue()).toBe('Paint the walls')
    await title.press('Tab')
    await expect.poll(async () => (await stored(task.id)).title).toBe('Paint the walls')
    await expect.poll(() => page.getByText(t.changedMeanwhile).count()).toBe(0)

    // What arrived by itself was seen: writing on top of it is no conflict.
    const notes = panel.getByLabel(t.notes, { exact: true })
    await notes.fill('Green, two coats.')
    await title.focus()
    await expect.poll(async () => (await stored(task.id)).notes).toBe('Green, two coats.')
    await expect.poll(() => page.getByText(t.changedMeanwhile).count()).toBe(0)

    await title.fill('Paint everything')
    await company.api.patch(`/tasks/${task.id}`, { title: 'Paint nothing' })
    await page.getByRole('group', { name: 'Paint nothing' }).waitFor()
    await expect.poll(() => title.inputValue()).toBe('Paint everything')
    await title.press('Tab')
    await page.getByText(t.changedMeanwhile).waitFor()
    await page.getByRole('button', { name: t.takeTheirs }).click()
    await expect.poll(() => title.inputValue()).toBe('Paint nothing')
    await expect.poll(async () => (await stored(task.id)).title).toBe('Paint nothing')
    await context.close()
  })

  it('still appears when the stream is cut, refused, or held back by a proxy', async () => {
    const isStream = (headers: Record<string, unknown>) => headers.accept === 'text/event-stream'
    const proxy = await startPlannedProxy(site.server.url)
    const { page, open, context } = await enter(member.token, proxy.url)
    await open(inProject())
    const streams = () => proxy.seen.filter(({ headers }) => isStream(headers)).length
    await expect.poll(streams).toBeGreaterThan(0)
    proxy.cut()
    await newTask(company, list.id, { title: 'After the cut' })
    await check(page, 'After the cut').waitFor()

    proxy.byRequest = ({ headers }) =>
      isStream(headers)
        ? response => response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":"Too many"}')
        : undefined
    await open(inProject())
    await newTask(company, list.id, { title: 'Without a stream' })
    await check(page, 'Without a stream').waitFor()

    proxy.byRequest = ({ headers }) => (isStream(headers) ? 'hang' : undefined)
    await open(inProject())
    await newTask(company, list.id, { title: 'Behind a slow proxy' })
    await check(page, 'Behind a slow proxy').waitFor()
    await expect.poll(() => page.getByText(useLiveWords.en.lost).count()).toBe(0)
    await context.close()
  })

  it('is read again as a whole where the feed cannot tell any more what was missed', async () => {
    const proxy = await startPlannedProxy(site.server.url)
    const { page, open, context } = await enter(member.token, proxy.url)
    await open(inProject())
    await expect.poll(() => proxy.seen.some(({ headers }) => headers.accept === 'text/event-stream')).toBe(true)
    let isTold = false
    proxy.byRequest = ({ url, headers }) => {
      if (!url.includes('/company/changes') || isTold || headers.accept === 'text/event-stream') return undefined
      isTold = true
      const error = { code: 'cursor_expired', message: 'Start again.', cursor: 'x' }
      return response => response.writeHead(410, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    }
    const reread = page.waitForResponse(answer => isTold && answer.url().includes(`/projects/${project.id}/tasks`))
    proxy.cut()
    await reread
    await context.close()
  })

  it('reaches a sixth tab too, which asks where the server lets nobody have more streams', async () => {
    await newTask(company, list.id, { title: 'Known to all' })
    const { page, open, context } = await enter()
    const answers: number[] = []
    context.on('response', response => {
      if (response.request().headers().accept === 'text/event-stream') answers.push(response.status())
    })
    await open(inProject())
    const tabs = [page]
    for (let n = 0; n < 5; n++) {
      const tab = await context.newPage()
      await tab.goto(`${site.server.url}/console${inProject()}`)
      await check(tab, 'Known to all').waitFor()
      tabs.push(tab)
    }
    await expect.poll(() => answers.filter(status => status === 429).length).toBeGreaterThan(0)
    await newTask(company, list.id, { title: 'For all tabs' })
    for (const tab of tabs) await check(tab, 'For all tabs').waitFor()
    await context.close()
  })

  it('ends with the session: the page says so, and asks for nothing more', async () => {
    const { page, open, settled, context } = await enter()
    await open(inProject())
    const sessions = (await company.admin.get(`/users/${member.id}/sessions`)).body.data as { id: number }[]
    for (const { id } of sessions) await company.admin.delete(`/users/${member.id}/sessions/${id}`)
    await newTask(company, list.id, { title: 'Nobody sees it' })
    await page.getByText(useFrameWords.en.ended).waitFor()
    // The form for signing in asks once what it may offer.
    await settled()
    let asked = 0
    page.on('request', () => asked++)
    await page.waitForTimeout(2_000)
    expect(asked).toBe(0)
    await context.close()
  })
})
