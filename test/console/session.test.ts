import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import type { TestCompany } from '../support/diwan.ts'
import { describeConsole } from '../support/site.ts'

const t = useFrameWords.en

describeConsole('A session of the console', site => {
  let company: TestCompany
  let greeting: string

  beforeAll(async () => {
    greeting = site.server.stdout()
    company = await site.server.diwan.company()
  })

  it('begins with the link that the first start prints, once', async () => {
    const [link = ''] = greeting.match(/http\S+\/console#code=\S+/) ?? []
    const first = await site.visit()
    await first.page.goto(link)
    await first.page.getByRole('heading', { name: t.views.companies, level: 1 }).waitFor()
    expect(first.page.url()).not.toContain('code')
    const second = await site.visit()
    await second.page.goto(link)
    await second.page.getByText(t.wrongLink).waitFor()
  })

  it('keeps neither the token nor its secret where a script could read them', async () => {
    const { page, context } = await site.enter(company.ownerToken)
    const readable = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    )
    expect(readable).not.toMatch(/svc_/)
    const [cookie] = await context.cookies(`${site.server.url}/admin/v1/me`)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/admin/v1' })
  })

  it('is of no use to a page from elsewhere, which can neither read nor write with it', async () => {
    const { page } = await site.enter(company.ownerToken)
    const foreign = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>Hi'))
    await new Promise<void>(resolve => foreign.listen(0, '127.0.0.1', resolve))
    // The same site to a browser, and all the same another page.
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
    const users = `${site.server.url}/admin/v1/companies/${company.id}/users`
    const attempts = await page.evaluate(async users => {
      const body = JSON.stringify({ name: 'Mallory', email: 'mallory@example.com' })
      const plain = { method: 'POST', credentials: 'include', mode: 'no-cors', body } as const
      const asked = { ...plain, mode: 'cors', headers: { 'x-diwan-console': '1' } } as const
      const outcomes = []
      for (const [url, init] of [
        [users, plain],
        [users, asked],
        [users, { credentials: 'include' }],
      ] as const)
        outcomes.push(
          await fetch(url, init).then(
            response => response.type,
            () => 'failed',
          ),
        )
      return outcomes
    }, users)
    expect(attempts).toEqual(['opaque', 'failed', 'failed'])
    foreign.close()
    const { body } = await company.admin.get('/users')
    expect(JSON.stringify(body)).not.toContain('Mallory')
  })

  it('that ended is asked for anew at the very address where one was, and that address is shown again', async () => {
    const { page, open } = await site.enter(company.ownerToken)
    await open(`/companies/${company.id}/keys`)
    const sessions = (await company.admin.get(`/users/${company.owner.id}/sessions`)).body.data as { id: number }[]
    for (const { id } of sessions) await company.admin.delete(`/users/${company.owner.id}/sessions/${id}`)
    await page.reload()
    await page.getByLabel(t.token).fill(company.ownerToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: t.views.keys, level: 1 }).waitFor()
    await page.getByRole('button', { name: t.signOut }).click()
    await page.getByRole('heading', { name: t.signIn }).waitFor()
    await expect.poll(async () => (await page.request.get(`${site.server.url}/admin/v1/me`)).status()).toBe(401)
  })

  it('is refused for a wrong token in words, and nothing breaks for tokens that no header could carry', async () => {
    const { page, open } = await site.visit()
    for (const wrong of ['svc_wrong', 'رمز', '<script>', 'x'.repeat(2_000)]) {
      // Anew, because what was said of the one before would be taken for what is said of this one.
      await open('')
      await page.getByLabel(t.token).fill(wrong)
      await page.keyboard.press('Enter')
      await page.getByText(t.wrongToken).waitFor()
    }
  })

  it('survives a server that goes, is slow, throttles or is busy: the view says so and comes back by itself', async () => {
    const common = useCommonWords.en
    const { page, context, open, settled } = await site.enter(company.ownerToken)
    const answers = `${site.server.url}/admin/v1/companies/**`
    for (const [status, words] of [
      [503, common.busy],
      [429, common.throttled],
    ] as const) {
      await page.route(answers, route =>
        route.fulfill({ status, json: { error: { code: 'unavailable', message: 'Try again soon.' } } }),
      )
      await page.goto(`${site.server.url}/console/companies/${company.id}/keys`)
      await page.getByText(words).first().waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('table').first().waitFor()
    }
    let answer = () => {}
    const slow = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(answers, async route => {
      await slow
      await route.continue()
    })
    await page.goto(`${site.server.url}/console/companies/${company.id}/people`)
    await page.getByRole('progressbar').waitFor()
    answer()
    await page.unrouteAll({ behavior: 'wait' })
    await settled()

    await open(`/companies/${company.id}/people`)
    await context.setOffline(true)
    await page.getByRole('link', { name: t.views.keys }).click()
    await page.getByText(common.unreachable).first().waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: t.views.keys, level: 1 }).waitFor()
    await page.getByRole('table').first().waitFor()
  })
})
