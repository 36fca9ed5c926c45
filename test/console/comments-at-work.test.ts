import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useUploadWords } from '../../console/src/parts/upload-words.ts'
import { useCommentWords } from '../../console/src/views/records/comment-words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useEditingWords } from '../../console/src/views/records/editing-words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, executablePath, holding, type Look, overflowing } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import { newComment, newDiscussion, newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'
import { useConsole } from '../support/site.ts'

const WIDE: Look = { language: 'en', width: 1280, appearance: 'light' }
const NARROW: Look = { language: 'ar', width: 390, appearance: 'dark' }
const LATE_MS = 60_000
const t = useCommentWords.en
const doing = useDoingWords.en
const editing = useEditingWords.en
const common = useCommonWords.en

describe.skipIf(!executablePath)('What people write', () => {
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

  const enter = async (look = WIDE, token = member.token) => {
    const seen = await site.enter(token, look)
    return seen
  }
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
    const { page, open, context } = await enter()
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
    await context.close()
  })

  it('takes files that are chosen, dropped and pasted, which can be downloaded under it', async () => {
    const task = await newTask(company, list.id)
    const { page, open, context } = await enter()
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
    await context.close()
  })

  it('leaves no file behind that was taken away or never sent, and says why one cannot be sent', async () => {
    const task = await newTask(company, list.id)
    const { page, open, follow, context } = await enter()
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
    await context.close()
  })

  it('shows how far an upload is, which can be stopped, and is not sent before', async () => {
    const task = await newTask(company, list.id)
    const { page, open, context } = await enter()
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
    await context.close()
  })

  it('begins discussions that their author changes and deletes, and that others only read', async () => {
    const own = (await created(work().post(`/projects/${project.id}/discussions`, { title: 'Which weekend?' }))).data
    const others = await newDiscussion(company, project.id, { title: 'Of the owner' })
    const { page, open, settled, context } = await enter()
    await open(`${discussions()}/${others.id}`)
    await settled()
    await expect.poll(() => page.getByRole('button', { name: editing.editDiscussion }).count()).toBe(0)
    await open(`${discussions()}/${own.id}`)
    await page.getByRole('button', { name: editing.editDiscussion }).click()
    await page.getByLabel(editing.title).fill('Which day?')
    const store = await holding(page, '**/records/discussions/*')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Which day?' }).waitFor()
    store()
    await page.getByLabel(editing.message).fill('The lift is booked.')
    await page.keyboard.press('Tab')
    const stored = async () => (await company.api.get(`/discussions/${own.id}`)).body.data
    await until(async () => (await stored()).body === 'The lift is booked.', LATE_MS)
    await expect.poll(async () => (await stored()).title).toBe('Which day?')
    await page.getByRole('button', { name: editing.deleteDiscussion }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(editing.deleteDiscussionMeans).waitFor()
    await dialog.getByRole('button', { name: editing.deleteVerb, exact: true }).click()
    await page.waitForURL(/\/discussions$/)
    // Members restore nothing.
    await page.locator('.toast', { hasText: 'Which day?' }).waitFor()
    await expect.poll(() => page.locator('.toast').getByRole('button', { name: common.undo }).count()).toBe(0)
    await expect.poll(async () => (await company.api.get(`/discussions/${own.id}`)).status).toBe(404)
    await context.close()
  })

  it('is restored when a leader takes the deletion of a discussion back', async () => {
    const discussion = await newDiscussion(company, project.id, { title: 'By mistake' })
    const { page, open, context } = await enter(WIDE, company.ownerToken)
    await open(`${discussions()}/${discussion.id}`)
    await page.getByRole('button', { name: editing.editDiscussion }).click()
    await page.getByRole('button', { name: editing.deleteDiscussion }).click()
    await page.locator('.toast').getByRole('button', { name: common.undo }).click()
    await page.getByRole('heading', { level: 1, name: 'By mistake' }).waitFor()
    await expect.poll(async () => (await company.api.get(`/discussions/${discussion.id}`)).status).toBe(200)
    await context.close()
  })

  it('is written with a file in Arabic on a phone, where nothing is cut off and axe-core finds no fault', async () => {
    const ar = useCommentWords.ar
    const discussion = await newDiscussion(company, project.id, { title: 'موعد الانتقال' })
    const { page, open, settled, complaints, context } = await enter(NARROW)
    await open(`${discussions()}/${discussion.id}`)
    const name = `${'عرض السعر '.repeat(8)}.txt`
    await page
      .locator('.composer input[type="file"]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByRole('button', { name: ar.removeFile(name) }).waitFor()
    await settled()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await page.getByLabel(useDoingWords.ar.reply).fill('السبت أفضل')
    await page.getByRole('button', { name: useDoingWords.ar.sendReply }).click()
    const sent = comment(page, 'السبت أفضل')
    await sent.getByRole('link', { name: ar.download(name) }).waitFor()
    await sent.getByRole('button', { name: ar.editComment }).click()
    await settled()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    expect(complaints).toEqual([])
    await context.close()
  })
})
