import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useLiveWords } from '../../console/src/live/words.ts'
import { useUnsentWords } from '../../console/src/parts/unsent-words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { accessibilityFaults } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { startPlannedProxy } from '../support/planned-proxy.ts'
import { describeConsole } from '../support/site.ts'

const t = useDoingWords.en
const unsent = useUnsentWords.en
const isolated = (text: string) => `\u2068${text}\u2069`

/** Holds answers back: the server stores or refuses at once, and the page hears of it when the returned function is called. */
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

describeConsole('In the console', site => {
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

  const enter = (token = member.token, url?: string) => site.enter(token, undefined, undefined, url)
  const of = (path: string) => `/companies/${company.id}${path}`
  const at = (path = '') => of(`/projects/${project.id}${path}`)
  const check = (page: Page, title: string) => page.getByLabel(t.complete(isolated(title)))
  const stored = async (task: string) => (await company.api.get(`/tasks/${task}`)).body.data
  const onTask = async (title: string) => {
    const task = await newTask(company, list.id, { title })
    const seen = await enter()
    return { task, ...seen, path: `${at()}?task=${task.id}` }
  }
  const send = (page: Page) => panel(page).getByRole('button', { name: t.sendComment, exact: true }).click()
  const reopen = async (page: Page, title: string) => {
    await panel(page).getByRole('button', { name: t.closeTask, exact: true }).click()
    await page.getByRole('button', { name: title, exact: true }).click()
  }
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

  describe('a change by others', () => {
    it('appears by itself, whether a colleague or a program did it, in every view of the work', async () => {
      const [mine, theirs] = [await enter(), await enter(company.ownerToken)]
      await mine.open(at())
      await theirs.open(at())
      await line(theirs.page).fill('Order the desks')
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

      await mine.follow(of('/home'))
      await company.api.patch(`/tasks/${task.id}`, { title: 'Ask the city again' })
      await mine.page.getByRole('button', { name: 'Ask the city again' }).waitFor()
      await mine.page.getByText(`${isolated(company.owner.name)} completed a task in`).waitFor()
      const discussion = await newDiscussion(company, project.id, { title: 'Which weekend?' })
      await mine.page.getByRole('main').getByRole('link', { name: 'Which weekend?' }).first().waitFor()
      await mine.page.getByRole('navigation').getByText(useLiveWords.en.unread(1)).waitFor({ state: 'attached' })
      await mine.follow(at(`/discussions/${discussion.id}`))
      await newComment(company, `/discussions/${discussion.id}`, { content: 'The first one.' })
      await mine.page.getByText('The first one.').waitFor()
      await mine.follow(of('/projects'))
      await site.server.diwan.project(company, { name: 'Garden' })
      await mine.page.getByRole('main').getByRole('link', { name: 'Garden' }).waitFor()
      await mine.follow(of(`/tasks/${task.id}`))
      await company.api.patch(`/tasks/${task.id}`, { title: 'Ask the city no more' })
      await mine.page.getByRole('heading', { level: 1, name: 'Ask the city no more' }).waitFor()
      expect(mine.complaints).toEqual([])
    })

    it('moves nothing under the pointer or the caret, and takes no letter away', async () => {
      const long = await newList(company, project.id, { title: 'Long' })
      const tasks = []
      for (let n = 0; n < 40; n++) tasks.push(await newTask(company, long.id, { title: `Chair ${n}` }))
      const { page, open } = await enter()
      await open(at(`/lists/${long.id}`))
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
    })

    it('is put beside what is being typed where it is the same field, and leaves it alone where it is another', async () => {
      const task = await newTask(company, list.id, { title: 'Paint the wall', notes: 'White.' })
      const { page, open } = await enter()
      await open(`${at()}?task=${task.id}`)
      const panel = page.locator('.task-panel')
      const title = panel.getByLabel(t.title, { exact: true })
      await title.fill('Paint the walls')
      await company.api.patch(`/tasks/${task.id}`, { notes: 'Green.' })
      await expect.poll(() => panel.getByLabel(t.notes, { exact: true }).inputValue()).toBe('Green.')
      await expect.poll(() => title.inputValue()).toBe('Paint the walls')
      await title.press('Tab')
      await expect.poll(async () => (await stored(task.id)).title).toBe('Paint the walls')
      await expect.poll(() => page.getByText(t.changedMeanwhile).count()).toBe(0)

      // The page showed the update, so writing on top of it is no conflict.
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
    })

    it('still appears when the stream is cut, refused, or held back by a proxy', async () => {
      const isStream = (headers: Record<string, unknown>) => headers.accept === 'text/event-stream'
      const proxy = await startPlannedProxy(site.server.url)
      const { page, open } = await enter(member.token, proxy.url)
      await open(at())
      const streams = () => proxy.seen.filter(({ headers }) => isStream(headers)).length
      await expect.poll(streams).toBeGreaterThan(0)
      proxy.cut()
      await newTask(company, list.id, { title: 'After the cut' })
      await check(page, 'After the cut').waitFor()

      proxy.byRequest = ({ headers }) =>
        isStream(headers)
          ? response => response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":"Too many"}')
          : undefined
      await open(at())
      await newTask(company, list.id, { title: 'Without a stream' })
      await check(page, 'Without a stream').waitFor()

      proxy.byRequest = ({ headers }) => (isStream(headers) ? 'hang' : undefined)
      await open(at())
      await newTask(company, list.id, { title: 'Behind a slow proxy' })
      await check(page, 'Behind a slow proxy').waitFor()
      await expect.poll(() => page.getByText(useLiveWords.en.lost).count()).toBe(0)
    })

    it('is read again as a whole where the feed cannot tell any more what was missed', async () => {
      const proxy = await startPlannedProxy(site.server.url)
      const { page, open } = await enter(member.token, proxy.url)
      await open(at())
      await expect.poll(() => proxy.seen.some(({ headers }) => headers.accept === 'text/event-stream')).toBe(true)
      let isTold = false
      proxy.byRequest = ({ url, headers }) => {
        if (!url.includes('/company/changes') || isTold || headers.accept === 'text/event-stream') return undefined
        isTold = true
        const error = { code: 'cursor_expired', message: 'Start again.', cursor: 'x' }
        return response =>
          response.writeHead(410, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
      }
      const reread = page.waitForResponse(answer => isTold && answer.url().includes(`/projects/${project.id}/tasks`))
      proxy.cut()
      await reread
    })
  })

  describe('a text that was written and not sent', () => {
    it('is there after a reload, said to be unsent, and forgotten once it is stored or emptied', async () => {
      const task = await newTask(company, list.id, { title: 'Order the desks' })
      const { page, open, settled } = await enter()
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
      await expect
        .poll(async () => (await company.api.get(`/tasks/${task.id}`)).body.data.title)
        .toBe('Order the desks')
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
    })

    it('is there after the session has ended, at the same place, and nobody else sees it', async () => {
      const task = await newTask(company, list.id, { title: 'Measure the rooms' })
      const seen = await enter()
      const { page, open, settled } = seen
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

      // Signing out on purpose leaves nothing behind.
      await comment(page).fill('Nothing for strangers')
      await page.getByRole('button', { name: useFrameWords.en.signOut }).click()
      await page.getByRole('heading', { name: useFrameWords.en.signIn }).waitFor()
      await expect.poll(() => kept(page)).toBe(0)
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
    })

    it('is stored once, even if only the answer was lost and the page was reloaded in between', async () => {
      const proxy = await startPlannedProxy(site.server.url)
      const discussion = await newDiscussion(company, project.id, { title: 'Moving day' })
      const { page, open, settled } = await enter(member.token, proxy.url)
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
    })

    it('does not overwrite what somebody else stored in the meantime', async () => {
      const task = await newTask(company, list.id, { title: 'Paint the wall' })
      const { page, open, settled } = await enter()
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
    })

    it('is bounded in number and age', async () => {
      const { page, open } = await enter()
      await page.evaluate(() => {
        for (let n = 0; n < 150; n++)
          localStorage.setItem(`unsent:1:1:x${n}`, JSON.stringify({ at: Date.now() - n * 1_000, value: 'x' }))
        localStorage.setItem('unsent:1:1:old', JSON.stringify({ at: Date.now() - 15 * 86_400_000, value: 'x' }))
      })
      await open(at())
      await line(page).fill('One more')
      await expect.poll(() => kept(page)).toBe(100)
      await expect.poll(() => page.evaluate(() => localStorage.getItem('unsent:1:1:old'))).toBe(null)
    })
  })

  describe('an answer that comes while its writer goes on', () => {
    it('leaves the caret where it is, and comes back to the field of those who stayed', async () => {
      const { page, open, path } = await onTask('Order the desks')
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
    })

    it('is forgotten where its place was left and opened again', async () => {
      const { page, open, path } = await onTask('Paint the desks')
      await open(path)
      const answer = await holdingAnswers(page, '**/comments')
      await comment(page).fill('In green')
      await send(page)
      await reopen(page, 'Paint the desks')
      await expect.poll(() => comment(page).inputValue()).toBe('In green')
      await answer()
      await expect.poll(() => comment(page).inputValue()).toBe('')
      expect(await kept(page)).toBe(0)
    })

    it('takes nothing away that was written at its place since', async () => {
      const { page, open, settled, path } = await onTask('Clean the desks')
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
    })

    it('leaves nothing behind of those who have signed out', async () => {
      const { page, open, settled } = await onTask('Sell the desks')
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
    })

    it('is no change by somebody else', async () => {
      const { task, page, open, path } = await onTask('Count the desks')
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
    })
  })
})
