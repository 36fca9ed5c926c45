import { expect, it } from 'vitest'
import { useExplorerWords } from '../../console/src/views/explorer/words.ts'
import { accessibilityFaults } from '../support/browser.ts'
import { describeConsole } from '../support/site.ts'

const t = useExplorerWords.en

describeConsole('The API explorer', site => {
  /** Opened at an endpoint, with a key entered. */
  async function explore(endpoint: string) {
    const company = await site.server.diwan.company()
    const seen = await site.enter(company.ownerToken, `/companies/${company.id}/explorer?endpoint=${endpoint}`)
    const { page } = seen
    await page.getByLabel(t.key, { exact: true }).fill(company.key)
    const send = page.locator('main').getByRole('button', { name: t.send, exact: true })
    return { company, seen, page, send, answer: page.getByRole('group', { name: t.answer }) }
  }

  it('sends with the key alone, and shows the answer and what of the body was ignored', async () => {
    const { page, send, answer } = await explore('createProject')
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
  })

  it('keeps the key nowhere, not even in the line that it offers for a shell', async () => {
    const { company, page, send, answer } = await explore('listProjects')
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
  })
})
