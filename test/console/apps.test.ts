import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useAppsWords } from '../../console/src/views/apps/words.ts'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { callTool } from '../support/agent.ts'
import { accessibilityFaults, overflowing } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { startApp } from '../support/oauth-client.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { describeConsole } from '../support/site.ts'

const [t, keys, frame] = [useAppsWords.en, useKeysWords.en, useFrameWords.en]
const NAME = 'Planner \u202eمخطط'

describeConsole('An app', site => {
  let company: TestCompany

  beforeAll(async () => {
    company = await site.server.diwan.company({ name: 'Najd Trading' })
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()

  /** A browser that an app has sent to ask, and in which somebody has signed in then. */
  async function askedAs(token: string) {
    const app = await startApp(site.server.url, NAME)
    const seen = await site.visit()
    await seen.page.goto(await app.begin())
    await seen.page.getByLabel(frame.token).fill(token)
    await button(seen.page, frame.signIn).click()
    await seen.page.locator('.consent').waitFor()
    await seen.settled()
    return { app, seen, page: seen.page }
  }

  it('gets from nothing to a call by the click of a person, who is told what it will do', async () => {
    const { app, seen, page } = await askedAs(company.ownerToken)
    const text = String(await page.locator('.consent').textContent())
    for (const part of ['Planner', 'Najd Trading', new URL(app.redirectUrl).host, company.owner.name, t.unchecked])
      expect(text).toContain(part)
    expect(text).toContain(t.cannotWrite)
    // Too early: nothing can be clicked before it could be read. It is noted as it happens, because it is soon over.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const allow = document.querySelector<HTMLButtonElement>('.consent button.main')
        if (!allow) return
        document.documentElement.dataset.begins = allow.disabled ? 'disabled' : 'enabled'
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await button(page, t.allow).waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset.begins)).toBe('disabled')
    await page.getByLabel(keys.access, { exact: true }).selectOption('write')
    await page.getByText(t.cannotDelete).waitFor()
    await page.getByText(t.choose).click()
    await page.locator('input[name="tasks:destructive"]').check()
    await page.getByText(t.deletes.replace('{what}', '')).first().waitFor()
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    const returning = app.callback()
    await button(page, t.allow).click()
    const answer = await returning
    expect([answer.get('state'), answer.get('iss')]).toEqual(['state-of-the-test', site.server.url])
    await app.finish(answer)
    const agent = await app.connect()
    expect((await callTool(agent, 'create_project', { name: 'By an app' })).isError).toBe(false)
    await agent.close()

    // It is visibly an app's, and its end is the end of its tokens.
    await seen.open(`/companies/${company.id}/keys`)
    await expect.poll(() => page.locator('main#content').textContent()).toContain(new URL(app.redirectUrl).host)
    const key = (await company.admin.get('/keys')).body.data.findLast(({ kind }: { kind: string }) => kind === 'app')
    expect(key.operations).toContain('tasks:destructive')
    await seen.open(`/companies/${company.id}/keys/${key.id}`)
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    await seen.open(`/companies/${company.id}/audit`)
    await expect.poll(() => page.locator('main#content').textContent()).toContain('connected the app')
    await company.admin.delete(`/keys/${key.id}`)
    await expect(app.connect()).rejects.toThrow()
    app.close()
  })

  it('that is refused is told so, and the request is gone', async () => {
    const { app, page } = await askedAs(company.ownerToken)
    const returning = app.callback()
    await button(page, t.deny).click()
    expect(Object.fromEntries(await returning)).toMatchObject({ error: 'access_denied', iss: site.server.url })
    app.close()
  })

  it('is not connected by somebody who may not manage keys, nor by the operator: each is told why', async () => {
    const member = await site.server.diwan.person(company.id)
    for (const [token, why] of [
      [member.token, 'Only an owner, or somebody who may manage API keys'],
      [OPERATOR_TOKEN, t.notPerson],
    ] as const) {
      const { app, page } = await askedAs(token)
      await expect.poll(() => page.locator('.consent').textContent()).toContain(why)
      await expect.poll(() => button(page, t.allow).count()).toBe(0)
      expect(await accessibilityFaults(page)).toEqual([])
      await button(page, t.toConsole).click()
      await page.locator('main#content .consent').waitFor({ state: 'detached' })
      app.close()
    }
  })

  it('cannot have its request decided in another browser', async () => {
    const { app, page } = await askedAs(company.ownerToken)
    const id = await page.evaluate(() => sessionStorage.getItem('app-request'))
    const other = await site.visit()
    await other.page.goto(`${site.server.url}/console#authorize=${id}`)
    await other.page.getByLabel(frame.token).fill(company.ownerToken)
    await button(other.page, frame.signIn).click()
    await other.page.getByText(t.gone).waitFor()
    app.close()
  })
})
