import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useProviderWords } from '../../console/src/frame/provider-words.ts'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useLinkWords } from '../../console/src/views/people/words.ts'
import { useSettingsWords } from '../../console/src/views/settings/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, launchBrowser, overflowing, signIn, visit } from '../support/browser.ts'
import { describeWith } from '../support/describe-with.ts'
import type { TestCompany } from '../support/diwan.ts'
import { startProvider, type TestProvider } from '../support/identity-provider.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'
import { freePort, until } from '../support/servers.ts'
import { WIDE } from '../support/site.ts'

const [t, words, frame] = [useProviderWords.en, useSettingsWords.en, useFrameWords.en]
const [links, common] = [useLinkWords.en, useCommonWords.en]
const NAME = 'حساب Najd'

describeWith('chromium', 'Signing in with the identity provider', () => {
  let provider: TestProvider
  let server: ServerProcess
  let browser: Browser
  let company: TestCompany
  let second: TestCompany

  beforeAll(async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    provider = await startProvider([`${url}/sign-in/callback`])
    const { issuer, clientId, clientSecret } = provider.settings
    server = await serve({
      ...embedded(),
      PORT: String(port),
      PUBLIC_URL: url,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: NAME,
      OIDC_REQUIRED: 'on',
    })
    company = await server.diwan.company({ name: 'Najd Trading' })
    second = await server.diwan.company({ name: 'شركة الواحة' })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
    await provider?.stop()
  })

  const button = (page: Page) => page.getByRole('link', { name: NAME })

  /** From the page for signing in to the provider and back. */
  async function goThere(page: Page, account: string, press = 'Enter') {
    await button(page).click()
    await page.getByLabel('Account').fill(account)
    await page.getByRole('button', { name: press }).click()
    await page.waitForURL(address => address.origin === server.url)
  }

  const told = (id: string, email: string, email_verified = true) => {
    provider.accounts.set(id, { email, email_verified })
    return id
  }

  it('leads back to where one was, as the person who has the address', async () => {
    const email = 'layla@example.com'
    const added = await company.admin.post('/users', { name: 'Layla', email, role: 'owner' })
    const person = added.body.data
    const { page, context, complaints, settled } = await visit(browser, server.url, WIDE)
    await page.goto(`${server.url}/console/companies/${company.id}/people/${person.id}`)
    await button(page).waitFor()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await goThere(page, told('layla', email))
    await page.getByRole('heading', { name: 'Layla', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/companies/${company.id}/people/${person.id}`)
    expect(page.url()).not.toContain('#')
    await settled()
    const readable = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    )
    expect(readable).not.toMatch(/svc_|diwan_/)

    // The link is shown, and ends the session with itself.
    await page.getByRole('heading', { name: links.title }).waitFor()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await page.getByRole('button', { name: links.undo }).click()
    await page.getByRole('dialog').getByRole('button', { name: links.undo }).click()
    await page.getByText(frame.ended).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('asks which company when the address is in two', async () => {
    const email = 'two@example.com'
    for (const one of [company, second]) await one.admin.post('/users', { name: 'Omar', email })
    const { page, context, complaints } = await visit(browser, server.url, WIDE)
    await page.goto(`${server.url}/console`)
    await goThere(page, told('two', email))
    await page.getByText(t.choose).waitFor()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await page.getByRole('button', { name: 'شركة الواحة' }).click()
    await page.locator('main#content').waitFor()
    await expect
      .poll(async () => (await (await page.request.get(`${server.url}/admin/v1/me`)).json()).data.company.name)
      .toBe('شركة الواحة')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('says whom to ask, and what went wrong', async () => {
    const said: [account: string, words: string][] = [
      [told('stranger', 'stranger@example.com'), t.nobody(NAME, 'stranger@example.com')],
      [told('new', 'new@example.com', false), t.unverified(NAME, 'new@example.com')],
      ['silent', t.noAddress(NAME)],
    ]
    provider.accounts.set('silent', {})
    for (const [account, words] of said) {
      const { page, context } = await visit(browser, server.url, WIDE)
      await page.goto(`${server.url}/console`)
      await goThere(page, account)
      await page.getByText(words).waitFor()
      expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
      await context.close()
    }
    const { page, context } = await visit(browser, server.url, WIDE)
    await page.goto(`${server.url}/console`)
    await goThere(page, '', 'Refuse')
    await page.getByText(t.failures.refused(NAME)).waitFor()
    await page.goto(`${server.url}/sign-in/callback?code=x&state=y`)
    await page.getByText(t.failures.again(NAME)).waitFor()
    // A reason that is not on our list, such as the name of a property, is no reason.
    await page.goto(`${server.url}/console#sign-in=constructor`)
    await page.reload()
    await button(page).waitFor()
    await context.close()
  })

  it('says that the provider is gone, and takes a token', async () => {
    await provider.stop()
    const { page, context } = await visit(browser, server.url, WIDE)
    // For some seconds a provider is believed to be where it was.
    await until(
      async () =>
        (await fetch(`${server.url}/sign-in`, { redirect: 'manual' })).headers
          .get('location')
          ?.startsWith('/console') === true,
    )
    await page.goto(`${server.url}/console`)
    await button(page).click()
    await page.getByText(t.failures.unreachable(NAME)).waitFor()
    await page.getByLabel(frame.token).fill(company.ownerToken)
    await page.keyboard.press('Enter')
    await page.locator('main#content').waitFor()
    await provider.resume()
    await context.close()
  })

  it('is made the only way by an owner, and then said to whoever brings a token', async () => {
    const strict = await server.diwan.company()
    const seen = await visit(browser, server.url, WIDE)
    await signIn(seen, strict.ownerToken)
    await seen.open(`/companies/${strict.id}/settings`)
    await seen.page.getByLabel(words.requireOidc(NAME)).check()
    await seen.page
      .locator('form')
      .filter({ hasText: words.requireOidcHint })
      .getByRole('button', { name: common.save })
      .click()
    await seen.page.getByText(words.saved).waitFor()
    expect([await overflowing(seen.page), await accessibilityFaults(seen.page)]).toEqual([[], []])
    await expect.poll(async () => (await strict.admin.get('')).body.data.require_oidc).toBe(true)
    await seen.context.close()
    const { page, context } = await visit(browser, server.url, WIDE)
    await page.goto(`${server.url}/console`)
    await page.getByLabel(frame.token).fill(strict.ownerToken)
    await page.keyboard.press('Enter')
    await page.getByText('Your company asks you to sign in with').waitFor()
    await context.close()
  })
})
