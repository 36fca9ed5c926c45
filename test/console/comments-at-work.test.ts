import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useUploadWords } from '../../console/src/parts/upload-words.ts'
import { useCommentWords } from '../../console/src/views/records/comment-words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, holding } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import { newComment, newList, newTask } from '../support/factories.ts'
import { until } from '../support/servers.ts'
import { describeConsole } from '../support/site.ts'

const LATE_MS = 60_000
const t = useCommentWords.en
const doing = useDoingWords.en
const common = useCommonWords.en

describeConsole('What people write', site => {
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
