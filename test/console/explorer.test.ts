import { describe, expect, it } from 'vitest'
import { useExplorerWords } from '../../console/src/views/explorer/words.ts'
import { accessibilityFaults, executablePath, type Look } from '../support/browser.ts'
import { useConsole } from '../support/site.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }
const t = useExplorerWords.en

describe.skipIf(!executablePath)('The API explorer', () => {
  const site = useConsole()

  /** Opened at an endpoint, with a key entered. */
  async function explore(endpoint: string) {
    const company = await site.server.diwan.company()
    const seen = await site.enter(company.ownerToken, LOOK)
    await seen.open(`/companies/${company.id}/explorer?endpoint=${endpoint}`)
    const { page } = seen
    await page.getByLabel(t.key, { exact: true }).fill(company.key)
    const send = page.locator('main').getByRole('button', { name: t.send, exact: true })
    return { company, seen, page, send, answer: page.getByRole('group', { name: t.answer }) }
  }

  it('sends with the key alone, and shows the answer and what of the body was ignored', async () => {
    const { seen, page, send, answer } = await explore('createProject')
    const hostile = { name: '<img src=x onerror=alert(1)> \u202eevil', colour: 'red' }
    await page.getByLabel(t.body).fill(JSON.stringify(hostile))
    const sent = page.waitForRequest(request => request.url().endsWith('/api/v1/projects'))
    await send.click()
    expect(await (await sent).headerValue('cookie')).toBeNull()
    await answer.waitFor()
    await expect.poll(() => answer.textContent()).toContain('<img src=x onerror=alert(1)> \\u202eevil')
    const shown = await page.locator('main').textContent()
    for (const text of ['201', 'X-Request-Id', 'X-RateLimit-Remaining', t.ignored, 'colour'])
      expect(shown).toContain(text)
    expect(await accessibilityFaults(page)).toEqual([])
    expect([seen.complaints, seen.strayed]).toEqual([[], []])
    await seen.context.close()
  })

  it('keeps the key nowhere, not even in the line that it offers for a shell', async () => {
    const { company, seen, page, send, answer } = await explore('listProjects')
    await send.click()
    await answer.waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        location.href,
        document.body.textContent,
      ]),
    )
    expect(kept).not.toContain(company.key)
    expect(kept).toContain('$DIWAN_KEY')
    await page.getByRole('link', { name: 'Overview' }).click()
    await answer.waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => page.getByLabel(t.key, { exact: true }).inputValue()).toBe('')
    await seen.context.close()
  })

  it('asks before it deletes, and sends nothing when the answer is no', async () => {
    const { company, seen, page, send, answer } = await explore('deleteProject')
    const project = await site.server.diwan.project(company)
    const shown = async () => (await company.api.get(`/projects/${project.id}`)).status
    await page.getByLabel('project', { exact: true }).fill(project.id)
    await send.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`DELETE /api/v1/projects/${project.id}`).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(shown).toBe(200)
    await send.click()
    await dialog.getByRole('button', { name: t.send, exact: true }).click()
    await answer.waitFor()
    await expect.poll(shown).toBe(404)
    await seen.context.close()
  })
})
