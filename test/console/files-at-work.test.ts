import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useUploadWords } from '../../console/src/parts/upload-words.ts'
import { useFilesWords } from '../../console/src/views/files/words.ts'
import { useWorkWords } from '../../console/src/views/records/words.ts'
import { useScanWords } from '../../console/src/views/scans/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { EICAR } from '../support/clamd.ts'
import type { TestCompany } from '../support/diwan.ts'
import { describeConsole, WIDE } from '../support/site.ts'

const t = useFilesWords.en
const work = useWorkWords.en
const common = useCommonWords.en
const { states } = useScanWords.en
const isolated = (name: string) => `\u2068${name}\u2069`

interface Given {
  name: string
  text: string
}

/** What a drop or a paste brings, as the browser would. */
function bring(page: Page, how: 'drop' | 'paste', files: Given[]): Promise<void> {
  return page.evaluate(
    ([how, files]) => {
      const data = new DataTransfer()
      for (const { name, text } of files) data.items.add(new File([text], name))
      const options = { bubbles: true, cancelable: true }
      if (how === 'paste') document.body.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
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

describeConsole('The files of a project', site => {
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
    await expect.poll(() => page.getByRole('link', { name: `${work.download} ${isolated('bad.com')}` }).count()).toBe(0)
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
