import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { useUsageWords } from '../../console/src/views/usage/words.ts'
import { useAccessWords } from '../../console/src/words/access.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { executablePath, type Look, launchBrowser, settled, signIn, type Visit, visit } from '../support/browser.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'

/** Each language once, and each width once. */
const LOOKS: Look[] = [
  { language: 'en', width: 1280, appearance: 'light' },
  { language: 'ar', width: 390, appearance: 'dark' },
]
const NAME = 'Robot \u202eأحمر'

describe.skipIf(!executablePath)('An API key in the console', () => {
  let server: ServerProcess
  let browser: Browser

  beforeAll(async () => {
    server = await serve(embedded())
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
  })

  /** Signed in as the owner of a new company, with buttons found by what they say. */
  async function enter(look: Look) {
    const company = await server.diwan.company()
    const seen = await visit(browser, server.url, look)
    await signIn(seen, company.ownerToken, look)
    const press = async (name: string) => {
      await seen.page.getByRole('button', { name, exact: true }).last().click()
      await settled(seen.page)
    }
    return { company, seen, page: seen.page, press, t: useKeysWords[look.language] }
  }

  /** Makes a key that may read and delete tasks, and nothing else. */
  async function mint({ seen, page, press, t, company }: Awaited<ReturnType<typeof enter>>): Promise<string> {
    await seen.open(`/companies/${company.id}/keys/new`)
    await page.getByLabel(t.name, { exact: true }).fill(NAME)
    await page.getByLabel(t.access, { exact: true }).selectOption('write')
    await press(t.nothing)
    await page.locator('input[name="tasks:read"]').check()
    await page.locator('input[name="tasks:destructive"]').check()
    await press(t.create)
    return shownSecret(seen, t.theKey)
  }

  const shownSecret = ({ page }: Visit, label: string) =>
    page
      .getByRole('group', { name: label, exact: true })
      .textContent()
      .then(text => String(text).trim())

  const statusOf = async (key: string, path: string) => (await server.diwan.api(key).get(path)).status

  it.each(LOOKS.map(look => [look.language, look] as const))(
    'is minted, used, counted, denied, rotated and revoked, in %s',
    async (language, look) => {
      const all = await enter(look)
      const { company, seen, page, press, t } = all
      const key = await mint(all)
      expect(await statusOf(key, '/company/tasks')).toBe(200)
      expect(await statusOf(key, '/projects')).toBe(403)

      await press(t.toTheKey)
      await expect.poll(() => facts(seen), { timeout: 30_000 }).toContain('tasks:read')
      expect(await facts(seen)).toContain('GET /api/v1/projects')
      await seen.open(`/companies/${company.id}/usage?by=key&days=7`)
      const counted = page.getByRole('table', { name: useUsageWords[language].byTitle.key })
      await expect.poll(() => counted.textContent(), { timeout: 30_000 }).toContain('Robot')

      await seen.open(`/companies/${company.id}/keys`)
      await page.getByRole('link', { name: /Robot/ }).click()
      await press(t.rotate)
      await press(t.rotate)
      const next = await shownSecret(seen, t.theKey)
      expect([await statusOf(key, '/company/tasks'), await statusOf(next, '/company/tasks')]).toEqual([200, 200])
      await press(t.toTheKey)

      await press(t.revoke)
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: t.revoke, exact: true })
      expect(await confirm.isDisabled()).toBe(true)
      // Nobody can type the mark that turns the direction.
      await dialog.getByLabel(useCommonWords[language].name).fill('Robot أحمر')
      await confirm.click()
      await page.getByText(t.revoked, { exact: true }).waitFor()
      expect([await statusOf(key, '/company/tasks'), await statusOf(next, '/company/tasks')]).toEqual([200, 401])
      expect([seen.complaints, seen.strayed]).toEqual([[], []])
      await seen.context.close()
    },
  )

  const facts = async ({ page, open }: Visit) => {
    await open(new URL(page.url()).pathname.replace('/console', ''))
    return page.locator('main').textContent()
  }

  it('can be allowed everything that the server knows, and what deletes only box by box', async () => {
    const look = LOOKS[0] as Look
    const { seen, page, press, t, company } = await enter(look)
    await seen.open(`/companies/${company.id}/keys/new`)
    await page.getByLabel(t.access, { exact: true }).selectOption('write')
    for (const shortcut of [t.allReading, t.allWriting, t.preset]) await press(shortcut)
    const { operations } = (await server.diwan.operator.get('/catalog')).body.data
    const boxes = page.locator('.matrix input[type=checkbox]')
    expect(await boxes.evaluateAll(all => all.map(box => (box as HTMLInputElement).name).toSorted())).toEqual(
      operations.map(({ name }: { name: string }) => name).toSorted(),
    )
    const ticked = await boxes.evaluateAll(all => all.filter(box => (box as HTMLInputElement).checked).length)
    expect(ticked).toBe(operations.filter(({ level }: { level: string }) => level !== 'destructive').length)
    for (const words of Object.values(useAccessWords.en.destroys)) await page.getByText(words).waitFor()
    await seen.context.close()
  })

  it('is changed without touching what was not', async () => {
    const look = LOOKS[0] as Look
    const { seen, page, press, t, company } = await enter(look)
    const made = { name: 'x', access: 'write', operations: ['tasks:read'], rights: ['delete_any_file'] }
    const { id } = (await company.admin.post('/keys', { ...made, expires_at: '2030-01-01T00:00:30Z' })).body.data
    await seen.open(`/companies/${company.id}/keys/${id}/edit`)
    await page.getByLabel(t.name, { exact: true }).fill('y')
    await press(t.saveIt)
    await page.getByText(t.saved).waitFor()
    const { data } = (await company.admin.get(`/keys/${id}`)).body
    expect(data).toMatchObject({ ...made, name: 'y', expires_at: '2030-01-01T00:00:30.000Z' })
    await seen.context.close()
  })
})
