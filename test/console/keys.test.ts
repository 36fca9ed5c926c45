import { expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useExplorerWords } from '../../console/src/views/explorer/words.ts'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { useOverviewWords } from '../../console/src/views/overview/words.ts'
import { useRequestsWords } from '../../console/src/views/requests/words.ts'
import { useAccessWords } from '../../console/src/words/access.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults } from '../support/browser.ts'
import { until } from '../support/servers.ts'
import { describeConsole } from '../support/site.ts'

describeConsole('An API key in the console', site => {
  /** Signed in as the owner of a new company, with buttons found by what they say. */
  async function enter(terms = {}) {
    const company = await site.server.diwan.company(terms)
    const seen = await site.enter(company.ownerToken)
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
    const { operations } = (await site.server.diwan.operator.get('/catalog')).body.data
    const boxes = page.locator('.matrix input[type=checkbox]')
    await expect
      .poll(() => boxes.evaluateAll(all => all.map(box => (box as HTMLInputElement).name).toSorted()))
      .toEqual(operations.map(({ name }: { name: string }) => name).toSorted())
    const ticked = await boxes.evaluateAll(all => all.filter(box => (box as HTMLInputElement).checked).length)
    expect(ticked).toBe(operations.filter(({ level }: { level: string }) => level !== 'destructive').length)
    for (const words of Object.values(useAccessWords.en.destroys)) await page.getByText(words).waitFor()
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
  })

  it('that is new is not lost by mistake: leaving without a copy asks, and the explorer takes it along', async () => {
    const { seen, page, press, t, company } = await enter()
    const [common, explorer] = [useCommonWords.en, useExplorerWords.en]
    await seen.follow(`/companies/${company.id}/keys/new`)
    await page.getByLabel(t.name, { exact: true }).fill('Robot')
    await press(t.create)
    const shown = page.getByRole('group', { name: t.theKey, exact: true })
    const key = String(await shown.textContent()).trim()

    // By the menu, by the button, and by the browser's own one.
    await page.getByRole('link', { name: useFrameWords.en.views.usage, exact: true }).click()
    await page.getByText(common.leaveUncopiedWhat).waitFor()
    await press(common.stay)
    await press(t.toTheKey)
    await press(common.stay)
    await page.evaluate(() => history.back())
    await page.getByText(common.leaveUncopiedWhat).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await press(common.stay)
    await expect.poll(async () => String(await shown.textContent()).trim()).toBe(key)

    await press(t.carry)
    await press(explorer.send)
    await page.getByText('200', { exact: true }).waitFor()
    // It is still nowhere else.
    await page.getByRole('link', { name: useFrameWords.en.views.usage, exact: true }).click()
    await press(common.stay)
    await page.getByRole('button', { name: common.copy, exact: true }).first().click()
    await page.getByRole('link', { name: useFrameWords.en.views.usage, exact: true }).click()
    await page.waitForURL(/\/usage$/)
  })

  it('that expires is rotated to a new expiry, says when the old one ends, and both name each other', async () => {
    const { seen, page, press, t, company } = await enter()
    const expires_at = new Date(Date.now() + 10 * 86_400_000).toISOString()
    const old = (await company.admin.post('/keys', { name: 'Robot', access: 'read', expires_at })).body.data
    await seen.open(`/companies/${company.id}/keys/${old.id}`)
    await press(t.rotate)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t.newExpires, { exact: true }).selectOption('days90')
    await dialog.getByLabel(t.overlap, { exact: true }).selectOption('72')
    const ends = await dialog.locator('.hint time').getAttribute('datetime')
    expect(Math.abs(Date.parse(String(ends)) - Date.now() - 72 * 3_600_000)).toBeLessThan(60_000)
    await dialog.getByRole('button', { name: t.rotate, exact: true }).click()
    await dialog.getByRole('button', { name: useCommonWords.en.copy, exact: true }).first().click()
    await expect.poll(() => dialog.locator('time').first().getAttribute('datetime')).toBe(ends)
    await press(t.toTheKey)
    await page.getByText(t.replaces).waitFor()
    const id = Number(page.url().split('/').at(-1))
    const made = (await company.admin.get(`/keys/${id}`)).body.data
    expect(Math.abs(Date.parse(made.expires_at) - Date.now() - 90 * 86_400_000)).toBeLessThan(120_000)
    await seen.open(`/companies/${company.id}/keys`)
    const rows = page.getByRole('row').filter({ hasText: 'Robot' })
    await expect
      .poll(() => rows.locator('.succession').allTextContents())
      .toEqual([`${t.replacedBy} …${made.last_four}`, `${t.replaces} …${old.last_four}`])
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('that was denied something is one click from it, on its page and in the audit; what it asked is in its requests', async () => {
    const { seen, page, press, t, company } = await enter()
    const { id, key } = (
      await company.admin.post('/keys', { name: 'Robot', access: 'read', operations: ['account:read'] })
    ).body.data
    const api = site.server.diwan.api(key)
    const refusal = await api.post('/projects', { name: 'x' })
    await api.get('/projects')
    const operations = async () => (await company.admin.get(`/keys/${id}`)).body.data.operations
    await seen.open(`/companies/${company.id}/keys/${id}`)
    await press(t.allow('projects:write'))
    await page.getByText(t.allowed('projects:write')).waitFor()
    // It stays for as long as it is pointed at.
    await page.getByRole('button', { name: useCommonWords.en.undo, exact: true }).hover()
    await expect.poll(operations).toEqual(['account:read', 'projects:write'])
    expect((await api.post('/projects', { name: 'x' })).status).toBe(201)
    await press(useCommonWords.en.undo)
    await page.getByRole('button', { name: t.allow('projects:write'), exact: true }).waitFor()
    await expect.poll(operations).toEqual(['account:read'])

    await seen.open(`/companies/${company.id}`)
    await page.getByRole('link', { name: useOverviewWords.en.denials(2) }).click()
    await press(t.allow('projects:read'))
    await page.getByText(t.allowed('projects:read')).waitFor()
    await expect.poll(operations).toEqual(['account:read', 'projects:read'])
    expect(await accessibilityFaults(page)).toEqual([])

    const log = useRequestsWords.en
    await until(async () => (await company.admin.get(`/requests?key_id=${id}`)).body.meta.total === 3)
    await seen.open(`/companies/${company.id}/keys/${id}`)
    await page.getByRole('link', { name: t.requests, exact: true }).click()
    const rows = page.getByRole('table', { name: log.title }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByLabel(log.status, { exact: true }).selectOption('4xx')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel(log.find, { exact: true }).fill(` ${refusal.headers.get('x-request-id')} `)
    await expect.poll(() => rows.count()).toBe(1)
    await expect.poll(() => rows.first().textContent()).toContain('POST /api/v1/projects')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel(log.find, { exact: true }).fill('nothing-like-it')
    await page.getByText(log.notFound).waitFor()
  })
})
