import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useUploadWords } from '../../console/src/parts/upload-words.ts'
import { useFilesWords } from '../../console/src/views/files/words.ts'
import { useHomeWords } from '../../console/src/views/home/words.ts'
import { useCommentWords } from '../../console/src/views/records/comment-words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useEditingWords } from '../../console/src/views/records/editing-words.ts'
import { useSelectionWords } from '../../console/src/views/records/selection-words.ts'
import { useWorkWords } from '../../console/src/views/records/words.ts'
import { useScanWords } from '../../console/src/views/scans/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, holding, overflowing } from '../support/browser.ts'
import { EICAR } from '../support/clamd.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'
import { describeConsole, NARROW, WIDE } from '../support/site.ts'

describeConsole('At work in the console,', site => {
  describe('A member', () => {
    const LATE_MS = 60_000
    const t = useDoingWords.en

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
      // Completed tasks stay until the page is left.
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
      // Leaving the field chooses nothing.
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

  describe('The window on the work', () => {
    const t = useWorkWords.en

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

  describe('What people write', () => {
    const LATE_MS = 60_000
    const t = useCommentWords.en
    const doing = useDoingWords.en
    const common = useCommonWords.en

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

    const enter = (token = member.token) => site.enter(token)
    const work = () => site.server.diwan.client(`/admin/v1/companies/${company.id}/records`, member.token)
    const pageOf = (task: { id: string }) => `/companies/${company.id}/tasks/${task.id}`
    const discussions = () => `/companies/${company.id}/projects/${project.id}/discussions`
    const commentsOn = async (task: { id: string }) =>
      (await company.api.get(`/tasks/${task.id}/comments`)).body.data as {
        content: string
        attachments: string[]
        attachment_refs: string[]
      }[]
    const filesOf = async () =>
      ((await company.api.get(`/projects/${project.id}/files`)).body.data.files as { name: string }[]).map(
        ({ name }) => name,
      )
    const comment = (page: Page, text: string) => page.locator('.comments > li', { hasText: text })

    it('can be changed by its author, in place, and by nobody else', async () => {
      const task = await newTask(company, list.id)
      await newComment(company, `/tasks/${task.id}`, { content: 'Of the owner' })
      const namesake = await site.server.diwan.person(company.id, { name: member.name })
      await created(
        site.server.diwan
          .client(`/admin/v1/companies/${company.id}/records`, namesake.token)
          .post(`/tasks/${task.id}/comments`, { content: 'Of a namesake' }),
      )
      await created(work().post(`/tasks/${task.id}/comments`, { content: 'Mine' }))
      const { page, open } = await enter()
      await open(pageOf(task))
      const edit = { name: t.editComment, exact: true }
      await comment(page, 'Mine').getByRole('button', edit).click()
      await expect.poll(() => page.locator('.comments').getByRole('button', edit).count()).toBe(0)
      await page.getByLabel(t.editing).fill('Mine, and better')
      expect(await accessibilityFaults(page)).toEqual([])
      const store = await holding(page, '**/comments/*')
      await page.keyboard.press('Control+Enter')
      await comment(page, 'Mine, and better').getByRole('button', edit).waitFor()
      store()
      await until(async () => (await commentsOn(task)).at(-1)?.content === 'Mine, and better', LATE_MS)
      await expect.poll(() => comment(page, 'Of the owner').getByRole('button', edit).count()).toBe(0)
      await expect.poll(() => comment(page, 'Of a namesake').getByRole('button', edit).count()).toBe(0)

      await page.getByLabel(doing.comment).fill('One more')
      await page.getByRole('button', { name: doing.sendComment }).click()
      await comment(page, 'One more').getByRole('button', edit).click()
      await page.route('**/comments/*', route =>
        route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Too late.' } } }),
      )
      await page.getByLabel(t.editing).fill('Refused')
      await page.getByRole('button', { name: common.save }).click()
      await page.getByText('Too late.').waitFor()
      await expect.poll(() => page.getByLabel(t.editing).inputValue()).toBe('Refused')
      await page.getByLabel(t.editing).press('Escape')
      await comment(page, 'One more').waitFor()
    })

    it('takes files that are chosen, dropped and pasted, which can be downloaded under it', async () => {
      const task = await newTask(company, list.id)
      const { page, open } = await enter()
      await open(pageOf(task))
      await page.locator('.composer input[type="file"]').setInputFiles({
        name: 'chosen.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Forty desks'),
      })
      for (const [event, name] of [
        ['drop', 'dropped.txt'],
        ['paste', 'pasted.txt'],
      ])
        await page.locator('.composer textarea').evaluate(
          (field, [event, name]) => {
            const data = new DataTransfer()
            data.items.add(new File(['x'], name as string, { type: 'text/plain' }))
            const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data }
            field.dispatchEvent(event === 'drop' ? new DragEvent('drop', init) : new ClipboardEvent('paste', init))
          },
          [event, name],
        )
      const names = ['chosen.txt', 'dropped.txt', 'pasted.txt']
      for (const name of names) await page.getByRole('button', { name: t.removeFile(name) }).waitFor()
      await page.getByLabel(doing.comment).fill('See these')
      await page.getByRole('button', { name: doing.sendComment }).click()
      const sent = comment(page, 'See these')
      await sent.getByRole('link', { name: 'chosen.txt', exact: true }).waitFor()
      const [stored] = await commentsOn(task)
      expect(stored?.attachments.toSorted()).toEqual(names)
      const offered = sent.getByRole('link', { name: t.download('chosen.txt') })
      await offered.waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), offered.click()])
      expect(download.suggestedFilename()).toBe('chosen.txt')
      await expect.poll(() => page.locator('.draft-files').count()).toBe(0)
    })

    it('leaves no file behind that was taken away or never sent, and says why one cannot be sent', async () => {
      const task = await newTask(company, list.id)
      const { page, open, follow } = await enter()
      await open(pageOf(task))
      const choose = (name: string, bytes = 10) =>
        page
          .locator('.composer input[type="file"]')
          .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(bytes, 'x') })
      await choose('away.bin')
      await page.getByRole('button', { name: t.removeFile('away.bin') }).click()
      await until(async () => !(await filesOf()).includes('away.bin'), LATE_MS)
      await choose('huge.bin', 6_000_000)
      await page.getByText(useUploadWords.en.tooLarge).waitFor()
      await page.getByRole('button', { name: t.removeFile('huge.bin') }).click()
      await page.route('**/projects/*/files', route =>
        route.fulfill({ status: 422, json: { error: { code: 'unprocessable_entity', message: 'name is not nice' } } }),
      )
      await choose('refused.bin')
      await page.getByText('name is not nice').waitFor()
      await page.getByRole('button', { name: t.removeFile('refused.bin') }).click()
      await page.unrouteAll({ behavior: 'wait' })
      await choose('unsent.bin')
      await page.getByRole('button', { name: t.removeFile('unsent.bin') }).waitFor()
      await expect.poll(filesOf).toContain('unsent.bin')
      await follow(discussions())
      await until(async () => !(await filesOf()).includes('unsent.bin'), LATE_MS)
    })

    it('shows how far an upload is, which can be stopped, and is not sent before', async () => {
      const task = await newTask(company, list.id)
      const { page, open } = await enter()
      await open(pageOf(task))
      await page.route('**/projects/*/files', () => undefined)
      await page
        .locator('.composer input[type="file"]')
        .setInputFiles({ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
      await page.getByRole('progressbar', { name: t.uploading('slow.txt') }).waitFor()
      await page.getByLabel(doing.comment).fill('Almost')
      const send = page.getByRole('button', { name: doing.sendComment })
      await expect.poll(() => send.isDisabled()).toBe(true)
      await page.getByText(t.waiting).waitFor()
      await page.getByRole('button', { name: t.cancelUpload('slow.txt') }).click()
      await send.click()
      await comment(page, 'Almost').waitFor()
    })
  })

  describe('A project at work', () => {
    const LATE_MS = 60_000
    const t = useEditingWords.en
    const undo = useCommonWords.en.undo

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

  describe('The files of a project', () => {
    const t = useFilesWords.en
    const work = useWorkWords.en
    const common = useCommonWords.en
    const { states } = useScanWords.en
    const isolated = (name: string) => `\u2068${name}\u2069`

    interface Given {
      name: string
      text: string
    }

    /** The data of a drop or a paste, as the browser makes it. */
    function bring(page: Page, how: 'drop' | 'paste', files: Given[]): Promise<void> {
      return page.evaluate(
        ([how, files]) => {
          const data = new DataTransfer()
          for (const { name, text } of files) data.items.add(new File([text], name))
          const options = { bubbles: true, cancelable: true }
          if (how === 'paste')
            document.body.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
          else
            for (const step of ['dragenter', 'dragover', 'drop'])
              document.body.dispatchEvent(new DragEvent(step, { ...options, dataTransfer: data }))
        },
        [how, files] as const,
      )
    }

    const fromDisk = (name: string, content: Buffer | string) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    })

    let company: TestCompany

    beforeAll(async () => {
      company = await site.server.diwan.company({ name: 'Najd Trading' })
    })

    /** The files of a new project, as somebody sees them. */
    async function enter({ look = WIDE, token = company.ownerToken } = {}) {
      const project: { id: string } = await site.server.diwan.project(company)
      const at = `/companies/${company.id}/projects/${project.id}/files`
      const seen = await site.enter(token, at, look)
      const stored = async (query = '') => (await company.api.get(`/projects/${project.id}/files${query}`)).body.data
      const names = async (query = '') => (await stored(query)).files.map(({ name }: { name: string }) => name)
      const row = (name: string) => seen.page.getByRole('row').filter({ hasText: name })
      return { ...seen, project, at, stored, names, row }
    }

    it('are uploaded by a button, a drop and a paste, several at once, and show their scan as it changes', async () => {
      const { page, names, row } = await enter()
      await page.getByText(t.emptyHere).waitFor()
      await page
        .locator('input[type="file"]')
        .setInputFiles([fromDisk('plan.txt', 'A plan'), fromDisk('bad.com', EICAR), fromDisk('خطة.txt', 'خطة')])
      await bring(page, 'drop', [{ name: 'dropped.txt', text: 'dropped' }])
      await bring(page, 'paste', [{ name: 'pasted.txt', text: 'pasted' }])
      for (const name of ['plan.txt', 'خطة.txt', 'dropped.txt', 'pasted.txt'])
        await row(name).getByText(states.clean, { exact: true }).waitFor()
      await row('bad.com').getByText(states.infected, { exact: true }).waitFor()
      await expect.poll(names).toEqual(['bad.com', 'dropped.txt', 'pasted.txt', 'plan.txt', 'خطة.txt'])
      await expect
        .poll(() => page.getByRole('link', { name: `${work.download} ${isolated('plan.txt')}` }).count())
        .toBe(1)
      await expect
        .poll(() => page.getByRole('link', { name: `${work.download} ${isolated('bad.com')}` }).count())
        .toBe(0)
    })

    it('leave what could not be stored with the server’s reason, and are stored once however often it is tried', async () => {
      const { page, names } = await enter()
      await bring(page, 'drop', [{ name: 'con.txt', text: 'reserved' }])
      await page.getByText('is reserved by some operating systems').waitFor()
      await page.getByRole('button', { name: t.dismissUpload(isolated('con.txt')) }).click()

      let attempts = 0
      await page.route('**/files', async route => {
        if (route.request().method() !== 'POST') return route.continue()
        attempts++
        if (attempts > 1) return route.continue()
        // It arrives, and the answer is lost.
        await route.fetch()
        await route.abort('connectionreset')
      })
      await bring(page, 'drop', [{ name: 'lost.txt', text: 'lost' }])
      await page.getByText(common.unreachable).waitFor()
      await page.getByRole('button', { name: t.tryAgainWith(isolated('lost.txt')) }).click()
      await page.getByText(t.stored(isolated('lost.txt'))).waitFor()
      await expect.poll(async () => [await names(), attempts]).toEqual([['lost.txt'], 2])
    })

    it('go one after another: one is cancelled on its way, another before its turn', async () => {
      const { page, names } = await enter()
      const sent: string[] = []
      let letGo: () => void = () => undefined
      const held = new Promise<void>(resolve => {
        letGo = resolve
      })
      await page.route('**/files', async route => {
        if (route.request().method() !== 'POST') return route.continue()
        const { name } = route.request().postDataJSON()
        sent.push(name)
        if (name === 'first.txt') await held
        await route.continue().catch(() => undefined)
      })
      await bring(
        page,
        'drop',
        ['first.txt', 'second.txt', 'third.txt'].map(name => ({ name, text: name })),
      )
      await expect.poll(() => sent).toEqual(['first.txt'])
      await page.getByRole('button', { name: t.cancelUpload(isolated('second.txt')) }).click()
      // Leaving would lose them.
      await page.getByRole('link', { name: work.discussions }).click()
      await page.getByRole('dialog').getByRole('button', { name: common.stay }).click()
      await page.getByRole('button', { name: t.cancelUpload(isolated('first.txt')) }).click()
      await page.getByText(t.stored(isolated('third.txt'))).waitFor()
      letGo()
      await expect.poll(async () => [await names(), sent]).toEqual([['third.txt'], ['first.txt', 'third.txt']])
    })

    it('are not sent when they are too large, and the limit is told before', async () => {
      const { page, names } = await enter()
      await page.getByText(t.uploadHint).waitFor()
      const posts: string[] = []
      page.on('request', request => request.method() === 'POST' && posts.push(request.url()))
      await page.locator('input[type="file"]').setInputFiles([fromDisk('huge.bin', Buffer.alloc(5_242_881))])
      await page.getByText(useUploadWords.en.tooLarge).waitFor()
      await expect.poll(async () => [posts, await names()]).toEqual([[], []])
    })

    it('are in folders that are made, renamed, moved and deleted by keyboard alone', async () => {
      const { page, stored } = await enter()
      const press = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).focus()
        await page.keyboard.press('Enter')
      }
      for (const name of ['Contracts', 'Plans']) {
        await press(t.newFolder)
        await page.keyboard.type(name)
        await page.keyboard.press('Enter')
        await page.getByRole('link', { name }).waitFor()
      }
      await press(t.newFolder)
      await page.keyboard.type('Plans')
      await page.keyboard.press('Enter')
      await page.getByText('is already used by another folder').waitFor()
      await press(common.cancel)

      await press(t.renameThis(isolated('Plans')))
      await page.getByRole('textbox', { name: t.renameThis(isolated('Plans')) }).waitFor()
      await page.keyboard.type('Drawings')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Drawings' }).waitFor()
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
      await expect.poll(focused).toBe(t.renameThis(isolated('Drawings')))

      await press(t.moveThis(isolated('Drawings')))
      await press(t.opens(isolated('Contracts')))
      await page.getByText(t.noFoldersInside).waitFor()
      await press(t.moveHere)
      await expect.poll(() => page.getByRole('link', { name: 'Drawings' }).count()).toBe(0)

      await page.getByRole('link', { name: 'Contracts' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Drawings' }).focus()
      await page.keyboard.press('Enter')
      const path = page.getByRole('navigation', { name: t.path })
      await expect.poll(() => path.getByRole('listitem').allTextContents()).toEqual([t.top, 'Contracts', 'Drawings'])
      await path.getByRole('link', { name: t.top }).click()

      await press(t.deleteThis(isolated('Contracts')))
      const dialog = page.getByRole('dialog')
      await dialog.getByText(t.folderHolds(t.folders(1), t.files(0))).waitFor()
      await expect.poll(() => dialog.getByRole('button', { name: t.deleteVerb, exact: true }).isDisabled()).toBe(true)
      await dialog.getByLabel(common.name).fill('Contracts')
      await page.keyboard.press('Enter')
      await page.getByText(t.emptyHere).waitFor()
      await expect.poll(async () => (await stored()).folders).toEqual([])
    })

    it('are written as Markdown with a preview that runs nothing and fetches nothing, and stored as a PDF', async () => {
      const { page, names, row } = await enter()
      await page.getByRole('button', { name: t.newDocument }).click()
      await page.getByLabel(t.documentText).waitFor()
      const markdown = [
        '# Site visit',
        '',
        'هذه فقرة عربية فيها <img src=x onerror=alert(1)> وكلمة.',
        '',
        '![logo](https://example.com/logo.png) [bad](javascript:alert(2)) **bold**',
        '',
        '| Item | عدد |\n|---|---|\n| Desk | 4 |',
      ].join('\n')
      await bring(page, 'drop', [{ name: 'visit.md', text: markdown }])
      const preview = page.getByRole('region', { name: t.preview })
      await preview.getByText('هذه فقرة عربية').waitFor()
      await expect.poll(() => preview.getByText('هذه فقرة عربية').getAttribute('dir')).toBe('rtl')
      await expect.poll(() => preview.getByText('Site visit').getAttribute('dir')).toBe('ltr')
      await expect.poll(() => preview.getByText('<img src=x onerror=alert(1)>').count()).toBe(1)
      await expect.poll(() => preview.locator('img, script, a').count()).toBe(0)
      await expect.poll(() => preview.locator('strong').textContent()).toBe('bold')
      await expect.poll(() => page.getByLabel(t.documentName).inputValue()).toBe('visit')
      await page.getByRole('button', { name: t.makePdf }).click()
      await row('visit.pdf').getByText(states.clean, { exact: true }).waitFor()
      await expect.poll(names).toEqual(['visit.pdf'])
    })
  })

  describe('Several tasks', () => {
    const LATE_MS = 60_000
    const t = useSelectionWords.en
    const doing = useDoingWords.en
    const undo = useCommonWords.en.undo

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
      // The keyboard goes on from there.
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
        // The key x on an Arabic keyboard.
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
})
