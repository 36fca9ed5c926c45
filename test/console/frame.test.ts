import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMPANY_ROUTES, type Route, SERVICE_ROUTES } from '../../console/src/frame/routes.ts'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { usePaletteWords } from '../../console/src/palette/words.ts'
import { useLeaderWords } from '../../console/src/views/home/leader-words.ts'
import { useOverviewWords } from '../../console/src/views/overview/words.ts'
import { usePeopleWords } from '../../console/src/views/people/words.ts'
import { useDoingWords } from '../../console/src/views/records/doing-words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, type Look, overflowing } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { describeConsole, NARROW, WIDE } from '../support/site.ts'

describeConsole('Around every view of the console,', site => {
  describe('The frame of the console', () => {
    const t = useFrameWords.en
    const LONG_NAME = `Acme ${'W'.repeat(120)} للتجارة والمقاولات العامة ${'ط'.repeat(100)}`

    let company: TestCompany

    beforeAll(async () => {
      company = await site.server.diwan.company({ name: LONG_NAME })
    })

    const enter = (path: string, look?: Look) => site.enter(company.ownerToken, `/companies/${company.id}${path}`, look)

    const isInSight = (page: Page, selector: string) =>
      page.locator(selector).evaluate(element => {
        const { top, bottom } = element.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })

    it.each([WIDE, NARROW])('keeps the account in sight at every height ($language, $width wide)', async look => {
      const { page } = await enter('/home', look)
      for (const height of [900, 480, 360]) {
        await page.setViewportSize({ width: look.width, height })
        const opener = page.locator('.bar button')
        if ((await opener.isVisible()) && (await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
        await expect.poll(async () => [height, await isInSight(page, '.account')]).toEqual([height, true])
        const { signOut } = useFrameWords[look.language]
        await expect.poll(() => page.locator('.account').getByRole('button', { name: signOut }).isVisible()).toBe(true)
        expect([height, await overflowing(page)]).toEqual([height, []])
      }
      // However long the name of the company is, the name of the product stays on its line.
      const bar = page.locator(look.width === 390 ? '.bar .wordmark' : 'nav.menu .wordmark')
      await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(48)
      await expect.poll(() => page.locator('.account').textContent()).toContain(company.owner.name)
      await expect
        .poll(() => page.locator('.account').textContent())
        .toContain(useFrameWords[look.language].roles.owner)
      await expect.poll(() => page.locator('.account select').count()).toBe(look.language === 'ar' ? 3 : 2)
      expect(await accessibilityFaults(page)).toEqual([])
    })

    it('has groups that fold, by keyboard too, and stay folded', async () => {
      const { page } = await enter('/audit')
      const head = (group: string) => page.locator('nav.menu').getByRole('button', { name: group, exact: true })
      const entry = (name: string) => page.locator('nav.menu section').getByRole('link', { name, exact: true })
      await head(t.groups.integrations).focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => head(t.groups.integrations).getAttribute('aria-expanded')).toBe('false')
      await expect.poll(() => entry(t.views.keys).count()).toBe(0)
      await page.reload()
      await head(t.groups.integrations).waitFor()
      await expect.poll(() => entry(t.views.keys).count()).toBe(0)
      // Where the reader is stays visible.
      await head(t.groups.records).click()
      await expect
        .poll(async () => [await entry(t.views.audit).count(), await entry(t.views.timeline).count()])
        .toEqual([1, 0])
      await head(t.groups.integrations).click()
      await expect.poll(() => entry(t.views.keys).count()).toBe(1)
    })

    it('closes the menu of a narrow window with Escape, and gives the focus back to its button', async () => {
      const { page, settled } = await enter('/home', { ...WIDE, width: 390 })
      await page.locator('.bar button').click()
      await settled()
      await page.locator('nav.menu .entry').first().focus()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('nav.menu').isVisible()).toBe(false)
      await expect
        .poll(() => page.locator('.bar button').evaluate(button => button === document.activeElement))
        .toBe(true)
    })

    it('keeps the place and the filters on the way back and after a reload', async () => {
      for (let n = 0; n < 40; n++) await created(company.admin.post('/keys', { name: `Key ${n}`, access: 'read' }))
      const { page, settled } = await enter('/audit')
      await page.getByLabel('Operation').selectOption('keys:write')
      await settled()
      const scrolled = () => page.evaluate(() => Math.round(scrollY))
      await page.evaluate(() => scrollTo(0, 1_200))
      await page.locator('.deed').getByRole('link', { name: 'Key 20', exact: true }).click()
      await page.waitForURL('**/keys/*')
      await settled()
      const left = 1_200
      await page.goBack()
      await settled()
      await expect.poll(async () => Math.abs((await scrolled()) - left) < 700 && (await scrolled()) > 400).toBe(true)
      await expect.poll(() => page.getByLabel('Operation').inputValue()).toBe('keys:write')
      const before = await scrolled()
      await page.reload()
      await settled()
      await expect.poll(scrolled).toBe(before)
      await expect.poll(() => page.getByLabel('Operation').inputValue()).toBe('keys:write')
    })

    it('keeps what was typed into a filter, however soon somebody goes on', async () => {
      const { page } = await enter('/people')
      await page.getByLabel(usePeopleWords.en.find).fill('layla')
      await page.locator('nav.menu .wordmark').click()
      await page.waitForURL('**/home')
      await page.goBack()
      await expect.poll(() => page.getByLabel(usePeopleWords.en.find).inputValue()).toBe('layla')
    })

    it('gives the focus back to the button that opened a dialog', async () => {
      const { page } = await enter('/people')
      const add = page.locator('.page-actions').getByRole('button', { name: usePeopleWords.en.add })
      await add.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => add.evaluate(button => button === document.activeElement)).toBe(true)
      await add.click()
      await page.getByRole('dialog').getByRole('button', { name: useCommonWords.en.cancel }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => add.evaluate(button => button === document.activeElement)).toBe(true)
    })

    describe('shows at home to those who lead', () => {
      const enter = (company: TestCompany, token = company.ownerToken) =>
        site.enter(token, `/companies/${company.id}/home`)

      it('first steps, ticked by what was really done, until they hide them', async () => {
        const words = useLeaderWords.en
        const company = await site.server.diwan.company()
        const { page, open } = await enter(company)
        const steps = page.locator('.first-steps li')
        await steps.first().waitFor()
        const done = () => page.locator('.first-steps .done').allInnerTexts()
        // The company of the tests has a key from the beginning.
        await expect
          .poll(async () => (await done()).map(text => text.trim()))
          .toEqual([expect.stringContaining(words.steps.key)])
        expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
        await company.api.get('/projects')
        await site.server.diwan.person(company.id)
        await open(`/companies/${company.id}/home`)
        await expect.poll(async () => (await done()).length).toBe(3)
        await steps.getByRole('link', { name: words.steps.webhook }).click()
        await page.waitForURL('**/webhooks/new')
        await page.goBack()
        await page.getByRole('button', { name: words.dismiss }).click()
        await page.reload()
        await page.locator('.home').waitFor()
        await expect.poll(() => steps.count()).toBe(0)
      })

      it('what needs a decision with its count and one link, and nothing else', async () => {
        const company = await site.server.diwan.company()
        const heading = (page: Page) => page.getByRole('heading', { name: useLeaderWords.en.needsDecision })
        const quiet = await enter(company)
        await expect.poll(() => heading(quiet.page).count()).toBe(0)
        await quiet.context.close()

        const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
        const { key } = (
          await created(company.admin.post('/keys', { name: 'Zapier', access: 'read', expires_at: soon }))
        ).data
        for (let n = 0; n < 2; n++) await site.server.diwan.api(key).post('/projects', { name: 'Denied' })
        const { page } = await enter(company)
        await heading(page).waitFor()
        const { denials, expiringKeys } = useOverviewWords.en
        await expect.poll(() => page.locator('.decisions a').allInnerTexts()).toEqual([denials(2), expiringKeys(1)])
        await page.getByRole('link', { name: denials(2) }).click()
        await page.locator('.day-log').getByText('may not create or change projects').first().waitFor()

        const member = await site.server.diwan.person(company.id)
        const other = await enter(company, member.token)
        await expect.poll(() => heading(other.page).count()).toBe(0)
        await other.context.close()
      })
    })
  })

  describe('In the console', () => {
    const t = useFrameWords.en
    const inMenu = (routes: Route[]) => routes.filter(({ menu }) => menu)

    let company: TestCompany
    const tokens: Record<string, string> = { operator: OPERATOR_TOKEN }

    beforeAll(async () => {
      company = await site.server.diwan.company()
      tokens.owner = company.ownerToken
      tokens.manager = (await site.server.diwan.person(company.id, { role: 'manager' })).token
      tokens.member = (await site.server.diwan.person(company.id)).token
      tokens['key administrator'] = (await site.server.diwan.person(company.id, { can_manage_api_keys: true })).token
    })

    const enter = (token: string) => site.enter(token, `/companies/${company.id}`)

    const menuOf = (page: Page) =>
      page.locator('nav.menu section a').evaluateAll(links => links.map(link => link.textContent))

    it.each(['operator', 'owner', 'manager', 'member', 'key administrator'])(
      'the menu of the %s holds what the server allows, and every entry opens',
      async role => {
        const token = tokens[role] as string
        const { may } = (await site.server.diwan.client('/admin/v1', token).get('/me')).body.data as { may: string[] }
        const allowed = new Set(may.map(name => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())))
        const expected = [...inMenu(COMPANY_ROUTES), ...inMenu(SERVICE_ROUTES)].filter(
          ({ needs }) => !needs || allowed.has(needs),
        )
        const seen = await enter(token)
        await expect.poll(() => menuOf(seen.page)).toEqual(expected.map(({ menu }) => menu && t.views[menu.label]))
        for (const { path } of expected) {
          const answers: number[] = []
          seen.page.on('response', response => answers.push(response.status()))
          await seen.page
            .locator(`nav.menu section a[href="/console${path.replace(':company', String(company.id))}"]`)
            .click()
          await seen.settled()
          await expect.poll(async () => [path, await seen.page.locator('main h1').count()]).toEqual([path, 1])
          expect([path, answers.filter(status => status >= 400)]).toEqual([path, []])
          seen.page.removeAllListeners('response')
        }
      },
      600_000,
    )

    it('a view that the server does not allow is not at its address either', async () => {
      const seen = await enter(tokens.member as string)
      for (const path of [`/companies/${company.id}/keys`, '/companies', `/companies/${company.id + 1}`]) {
        await seen.open(path)
        await seen.page.getByText(useCommonWords.en.notFound).waitFor()
        await expect.poll(() => seen.page.locator('table').count()).toBe(0)
        await expect.poll(() => seen.page.locator('main').textContent()).not.toContain(company.owner.email)
      }
    })
  })

  describe('Ctrl-K', () => {
    const t = usePaletteWords.en
    const CHOSEN = '[role="option"][aria-selected="true"]'

    let company: TestCompany
    let member: { token: string }

    beforeAll(async () => {
      company = await site.server.diwan.company()
      member = await site.server.diwan.person(company.id)
      const project = await site.server.diwan.project(company, { name: 'Office move' })
      const list = await newList(company, project.id, { title: 'Furniture' })
      await newTask(company, list.id, { title: 'طلبُ الأثاث' })
      const hidden = await site.server.diwan.project(company, { name: 'Merger of offices', is_public: false })
      const secret = await newList(company, hidden.id, { title: 'Furniture for the merger' })
      await newTask(company, secret.id, { title: 'Furniture for two' })
    })

    /** Opens it by the key and types: nothing else is touched. */
    const ask = async (page: Page, text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: t.field }).waitFor()
      await page.keyboard.type(text)
    }
    const options = (page: Page) => page.locator('dialog [role="option"]').allTextContents()

    it('finds a task, however its Arabic is spelled, a view, and what can be done, without the mouse', async () => {
      const { page } = await site.enter(company.ownerToken)
      await ask(page, 'طلب الاثاث')
      await page.getByRole('option', { name: 'طلبُ الأثاث' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'طلبُ الأثاث' }).waitFor()
      await ask(page, 'webhooks')
      await expect.poll(() => page.locator(CHOSEN).textContent()).toContain(useFrameWords.en.views.webhooks)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: useFrameWords.en.views.webhooks }).waitFor()
      await ask(page, 'new project')
      await page.keyboard.press('Enter')
      const line = page.getByLabel(useDoingWords.en.addProject)
      await line.waitFor()
      await expect.poll(() => line.evaluate(field => field === document.activeElement)).toBe(true)
    })

    it('offers a member no view, action or record that is not for them', async () => {
      const { page } = await site.enter(member.token)
      await ask(page, 'furniture')
      await page.getByRole('option', { name: 'Furniture', exact: false }).first().waitFor()
      await expect.poll(() => page.getByRole('status').last().textContent()).toBe('')
      await expect.poll(async () => (await options(page)).join()).not.toContain('merger')
      for (const name of ['new project', 'new api key', 'webhooks', 'audit']) {
        await page.getByRole('combobox', { name: t.field }).fill(name)
        await page.getByText(t.nothing).waitFor()
      }
    })

    it('is found in the menu, fits a phone in Arabic, and has no fault that axe-core finds', async () => {
      const { page } = await site.enter(company.ownerToken, undefined, NARROW)
      const [frame, ar] = [useFrameWords.ar, usePaletteWords.ar]
      await page.getByRole('button', { name: frame.menu, exact: true }).click()
      await page.getByRole('button', { name: frame.palette }).click()
      const field = page.getByRole('combobox', { name: ar.field })
      await field.fill('اثاث')
      await page.getByRole('option', { name: 'طلبُ الأثاث' }).waitFor()
      expect(await overflowing(page)).toEqual([])
      expect(await accessibilityFaults(page)).toEqual([])
      // Views are found by either name.
      await field.fill('webh')
      await page.locator('dialog').getByRole('option', { name: frame.views.webhooks }).click()
      await page.getByRole('heading', { level: 1, name: frame.views.webhooks }).waitFor()
    })
  })

  describe('A session of the console', () => {
    const t = useFrameWords.en

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
      const { page, complaints, strayed } = await site.enter(company.ownerToken)
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
      // The foreign page is no fault of ours, nor is it that the browser complains about what it tried.
      for (const noted of [complaints, strayed]) noted.length = 0
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
})
