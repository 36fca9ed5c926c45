import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { useAccessWords } from '../../console/src/words/access.ts'
import { executablePath, type Look, launchBrowser, signIn, visit } from '../support/browser.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }

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
  async function enter() {
    const company = await server.diwan.company()
    const seen = await visit(browser, server.url, LOOK)
    await signIn(seen, company.ownerToken, LOOK)
    const press = async (name: string) => {
      await seen.page.getByRole('button', { name, exact: true }).last().click()
      await seen.settled()
    }
    return { company, seen, page: seen.page, press, t: useKeysWords.en }
  }

  it('can be allowed everything that the server knows, and what deletes only box by box', async () => {
    const { seen, page, press, t, company } = await enter()
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
    const { seen, page, t, company } = await enter()
    const made = { name: 'x', access: 'write', operations: ['tasks:read'], rights: ['delete_any_file'] }
    const { id } = (await company.admin.post('/keys', { ...made, expires_at: '2030-01-01T00:00:30Z' })).body.data
    await seen.open(`/companies/${company.id}/keys/${id}/edit`)
    await page.getByLabel(t.name, { exact: true }).fill('y')
    await page.getByRole('button', { name: t.saveIt, exact: true }).click()
    await page.getByText(t.saved).waitFor()
    const { data } = (await company.admin.get(`/keys/${id}`)).body
    expect(data).toMatchObject({ ...made, name: 'y', expires_at: '2030-01-01T00:00:30.000Z' })
    await seen.context.close()
  })
})
