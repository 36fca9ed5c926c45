import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useAppsWords } from '../../console/src/views/apps/words.ts'
import { useOperationWords } from '../../console/src/views/audit/operation-words.ts'
import { useAuditWords } from '../../console/src/views/audit/words.ts'
import { useExplorerWords } from '../../console/src/views/explorer/words.ts'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { useMemberWords } from '../../console/src/views/members/words.ts'
import { useOverviewWords } from '../../console/src/views/overview/words.ts'
import { useInvitationWords, usePeopleWords, useTokenWords } from '../../console/src/views/people/words.ts'
import { useRequestsWords } from '../../console/src/views/requests/words.ts'
import { useSandboxWords } from '../../console/src/views/settings/words.ts'
import { useAccessWords } from '../../console/src/words/access.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { callTool } from '../support/agent.ts'
import { accessibilityFaults, type Look, overflowing, signIn, type Visit } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { startApp } from '../support/oauth-client.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { describeConsole, NARROW } from '../support/site.ts'

describeConsole('A company in the console,', site => {
  describe('What a company does in the console', () => {
    const common = useCommonWords.en

    let company: TestCompany

    beforeAll(async () => {
      company = await site.server.diwan.company()
    })

    const enter = (path: string) => site.enter(company.ownerToken, `/companies/${company.id}${path}`)
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

    it('revokes a token only when its name has been typed', async () => {
      const t = useTokenWords.en
      const path = `/users/${company.owner.id}/tokens`
      await site.server.diwan
        .client(`/admin/v1/companies/${company.id}`, company.ownerToken)
        .post(path, { name: 'Old laptop' })
      const { page } = await enter(`/people/${company.owner.id}`)
      const row = page.getByRole('row', { name: 'Old laptop' })
      await row.getByRole('button').click()
      const revoke = page.locator('dialog').getByRole('button', { name: t.revoke })
      await expect.poll(() => revoke.isDisabled()).toBe(true)
      await page.locator('dialog').getByLabel(common.name).fill('Old laptop')
      await revoke.click()
      await page.getByText(t.revoked).waitFor()
      await row.waitFor({ state: 'detached' })
    })

    it('tells in the audit what was denied, by filters that a reload keeps, and exports what they leave', async () => {
      const t = useAuditWords.en
      const member = await site.server.diwan.person(company.id, { name: 'Omar Aziz' })
      await site.server.diwan.client(`/admin/v1/companies/${company.id}`, member.token).get('/users')
      const { page } = await enter('/audit')
      await page.getByLabel(t.outcome).selectOption(t.outcomes.denied)
      await page.getByLabel(t.by, { exact: true }).selectOption(t.kinds.person)
      await page.getByLabel(t.byPerson, { exact: true }).selectOption(String(member.id))
      await page.waitForURL(({ searchParams }) => searchParams.get('by_id') === String(member.id))
      await page.reload()
      await page.getByText('This is for leaders only.').waitFor()
      await expect.poll(() => page.locator('.day-log li').count()).toBe(1)
      const [file] = await Promise.all([page.waitForEvent('download'), button(page, t.export).click()])
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain('users:read')
    })

    it('removes a member of a private project, and takes that back', async () => {
      const t = useMemberWords.en
      const project = await site.server.diwan.project(company, { is_public: false })
      const person = await site.server.diwan.person(company.id, { name: 'Rami Saleh' })
      const { page } = await enter(`/projects/${project.id}/members`)
      await page.getByLabel(t.person).selectOption(String(person.id))
      await button(page, t.add).click()
      const row = page.getByRole('row', { name: 'Rami Saleh' })
      await row.getByRole('button').click()
      // It does not go from under the mouse.
      await button(page, common.undo).hover()
      await row.waitFor({ state: 'detached' })
      // A failed undo can be tried again.
      await page.route('**/members', route => route.abort('connectionrefused'), { times: 1 })
      await button(page, common.undo).click()
      await page.locator('.toast').getByText(common.unreachable).waitFor()
      await button(page, common.undo).click()
      await row.waitFor()
    })
  })

  describe('An invitation', () => {
    let company: TestCompany

    beforeAll(async () => {
      company = await site.server.diwan.company({ name: 'Najd Trading' })
    })

    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click()

    it('is one link: copied with a message, opened, accepted with one click', async () => {
      const [t, invitation, common] = [usePeopleWords.en, useInvitationWords.en, useCommonWords.en]
      const leader = await site.visit()
      await leader.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.server.url })
      await signIn(leader, company.ownerToken)
      await leader.open(`/companies/${company.id}/people`)
      const { page } = leader
      await press(page, t.add)
      const dialog = page.locator('dialog').first()
      await dialog.getByLabel(common.name, { exact: true }).fill('نورة')
      await dialog.getByLabel(common.email, { exact: true }).fill('noura@example.com')
      await press(page, t.add)
      const link = String(await dialog.getByRole('group', { name: invitation.link }).textContent()).trim()
      expect(link).toMatch(new RegExp(`^${site.server.url}/console#invitation=svc_inv_\\w+$`))
      expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])

      // Closing it before anything was copied asks first.
      await press(page, invitation.done)
      await page.getByText(common.leaveUncopiedWhat).waitFor()
      await press(page, common.stay)
      for (const each of ['en', 'ar'] as const) {
        await press(page, invitation.messageIn[each])
        const message = await page.evaluate(() => navigator.clipboard.readText())
        for (const part of [`${link}&language=${each}\n`, 'Najd Trading', company.owner.name, 'نورة'])
          expect(message).toContain(part)
        expect(message).toContain(each === 'en' ? 'works once, until' : 'يعمل الرابط مرة واحدة، حتى')
      }
      await press(page, invitation.done)
      await page.locator('dialog').waitFor({ state: 'detached' })
      const row = page.getByRole('row').filter({ hasText: 'نورة' })
      await row.getByText(t.invited, { exact: true }).waitFor()

      const invited = await site.visit()
      const asked: string[] = []
      invited.page.on('request', request => asked.push(request.url() + JSON.stringify(request.headers())))
      await invited.page.goto(link)
      const words = useFrameWords.en
      const code = link.split('=')[1] as string
      await expect.poll(() => invited.page.getByLabel(words.invitationCode).inputValue()).toBe(code)
      expect(await accessibilityFaults(invited.page)).toEqual([])
      await press(invited.page, words.acceptInvitation)
      await invited.page.getByRole('group', { name: words.yourToken }).waitFor()
      expect(invited.page.url()).not.toContain(code)
      await press(invited.page, common.copy)
      await press(invited.page, words.goOn)
      await invited.page.locator('main#content').waitFor()
      expect(asked.some(request => request.includes(code))).toBe(false)

      await page.reload()
      await row.getByText(t.active, { exact: true }).waitFor()
    })

    it('that was opened by somebody who is signed in is still for whoever was invited', async () => {
      const added = (await company.admin.post('/users', { name: 'Huda', email: 'huda@example.com' })).body.data
      const seen = await site.enter(company.ownerToken, `/companies/${company.id}/people`)
      // The page is loaded already: only what follows the # changes.
      await seen.page.evaluate(code => {
        location.hash = `invitation=${code}`
      }, added.invitation.code)
      await seen.page.getByRole('heading', { name: useFrameWords.en.acceptInvitation }).waitFor()
      await press(seen.page, useFrameWords.en.acceptInvitation)
      await press(seen.page, useCommonWords.en.copy)
      await press(seen.page, useFrameWords.en.goOn)
      await seen.page.getByRole('link', { name: 'Huda' }).waitFor()
    })

    it('opens in the language that its link names, and the console keeps it', async () => {
      const seen = await site.visit()
      await seen.page.goto(`${site.server.url}/console#invitation=svc_inv_x&language=ar`)
      await seen.page.getByRole('button', { name: useFrameWords.ar.acceptInvitation }).waitFor()
      await expect.poll(() => seen.page.evaluate(() => document.documentElement.dir)).toBe('rtl')
      // The language is taken from the address, so that whoever then chooses another keeps that.
      expect(seen.page.url()).toBe(`${site.server.url}/console#invitation=svc_inv_x`)
      await seen.page.goto(`${site.server.url}/console`)
      await seen.page.getByRole('button', { name: useFrameWords.ar.signIn }).waitFor()
      // Where the console is open already, a link does not load the page again.
      await seen.page.goto(`${site.server.url}/console#language=en`)
      await seen.page.getByRole('button', { name: useFrameWords.en.signIn }).waitFor()
    })

    it('that has expired is offered again where people are listed, to those who may', async () => {
      await company.admin.post('/users', { name: 'Late Omar', email: 'omar@example.com' })
      const manager = await site.server.diwan.person(company.id, { role: 'manager' })
      const seen = await site.enter(manager.token)
      // Seven days later, by the clock of the browser.
      await seen.page.clock.setFixedTime(Date.now() + 8 * 86_400_000)
      await seen.open(`/companies/${company.id}/people`)
      const row = seen.page.getByRole('row').filter({ hasText: 'Late Omar' })
      await row.getByText(usePeopleWords.en.expired).waitFor()
      await row.getByRole('button').click()
      await press(seen.page, useInvitationWords.en.invite)
      await seen.page.getByRole('group', { name: useInvitationWords.en.link }).waitFor()
    })
  })

  describe('An API key in the console', () => {
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

  describe('The API explorer', () => {
    const t = useExplorerWords.en

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

  describe('The audit and the changes of a company', () => {
    /** A sentence without the marks that keep names apart. */
    const plain = (text: string | null) =>
      (text ?? '')
        .replace(/[\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim()

    let company: TestCompany

    beforeAll(async () => {
      company = await site.server.diwan.company()
    })

    const enter = (path: string, look?: Look) => site.enter(company.ownerToken, `/companies/${company.id}${path}`, look)

    it('are told as sentences under their day, with links to what they are about', async () => {
      const key = (await created(company.admin.post('/keys', { name: 'Zapier', access: 'write' }))).data
      const project = await site.server.diwan.project(company)
      const list = await newList(company, project.id)
      const task = await newTask(company, list.id, { title: 'Order desks' })
      await site.server.diwan.api(key.key).post(`/tasks/${task.id}/complete`)

      const { page, follow } = await enter('/audit')
      const sentence = page.locator('.deed', { hasText: 'created the key' }).filter({ hasText: 'Zapier' })
      await expect
        .poll(async () => plain(await sentence.textContent()))
        .toBe(`${company.owner.name} created the key Zapier`)
      await expect.poll(() => page.locator('main').textContent()).not.toContain(' · Write')
      await expect.poll(() => page.getByRole('heading', { level: 2, name: 'Today' }).count()).toBe(1)
      await sentence.getByRole('link', { name: 'Zapier' }).click()
      await page.waitForURL(`**/keys/${key.id}`)

      await follow(`/companies/${company.id}/changes`)
      const done = page.locator('.day-log li', { hasText: 'completed' })
      await expect
        .poll(async () => plain(await done.locator('p').first().textContent()))
        .toBe('The key Zapier completed the task Order desks')
      expect(await accessibilityFaults(page)).toEqual([])
    })

    it('read as well in Arabic, where no verb guesses whether somebody is a woman', async () => {
      await created(company.admin.post('/keys', { name: 'Nightly', access: 'read' }))
      const { page, follow } = await enter('/audit', NARROW)
      const sentence = page.locator('.deed', { hasText: 'Nightly' })
      await expect
        .poll(async () => plain(await sentence.textContent()))
        .toBe(`أُنشئ المفتاح Nightly بواسطة ${company.owner.name}`)
      expect(await accessibilityFaults(page)).toEqual([])
      await follow(`/companies/${company.id}/changes`)
      await expect
        .poll(async () => plain(await page.locator('.day-log li p', { hasText: 'أُكملت' }).textContent()))
        .toBe('أُكملت المهمة Order desks بالمفتاح Zapier')
    })

    it('say who may not do what, and offer to allow it on the key, however many keys there are', async () => {
      const denied = (await created(company.admin.post('/keys', { name: 'Old robot', access: 'read' }))).data
      for (let n = 0; n < 101; n++) await created(company.admin.post('/keys', { name: `Key ${n}`, access: 'read' }))
      await site.server.diwan.api(denied.key).delete('/tasks/tsk-0000000000')
      const { page, settled } = await enter('/audit?outcome=denied')
      const entry = page.locator('.day-log li', { hasText: 'Old robot' })
      await expect
        .poll(async () => plain(await entry.locator('.deed').textContent()))
        .toBe(
          `The key Old robot may not ${useOperationWords.en['tasks:destructive']} ${useAuditWords.en.outcomes.denied}`,
        )
      const allow = entry.getByRole('button', { name: useKeysWords.en.allow('tasks:destructive') })
      await allow.click()
      await page.getByRole('dialog').getByRole('button', { name: useKeysWords.en.allowVerb, exact: true }).click()
      await settled()
      await allow.waitFor({ state: 'detached' })
      const { operations } = (await company.admin.get(`/keys/${denied.id}`)).body.data
      expect(operations).toContain('tasks:destructive')
    })

    it('name the zone beside a time that the reader’s own clock did not show', async () => {
      const { page } = await enter('/audit')
      // The browser of the tests is in the zone of the machine.
      const own = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
      const away = own === 'Asia/Tokyo' ? 'America/Lima' : 'Asia/Tokyo'
      await company.admin.patch('', { time_zone: away })
      await page.reload()
      await page.locator('.day-log .zone').first().waitFor()
      await company.admin.patch('', { time_zone: own })
      await page.reload()
      await page.locator('.day-log li').first().waitFor()
      await expect.poll(() => page.locator('.zone').count()).toBe(0)
    })
  })

  describe('A chart', () => {
    /** Keeps what is written on a canvas, which cannot be read otherwise. */
    function keepDrawnText() {
      const drawn: string[] = []
      Object.assign(globalThis, { drawn })
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        drawn.push(text)
        fillText.call(this, text, x, y)
      }
    }

    let company: TestCompany

    beforeAll(async () => {
      company = await site.server.diwan.company()
      for (const [name, calls] of Object.entries({ Zapier: 3, Reporting: 2 })) {
        const { key } = (await created(company.admin.post('/keys', { name, access: 'read' }))).data
        for (let n = 0; n < calls; n++) await site.server.diwan.api(key).get('/projects')
        if (name === 'Zapier') await site.server.diwan.api(key).post('/projects', { name: 'Denied' })
      }
      const counted = async () => {
        const { data } = (await company.admin.get('/usage?by=status&days=1')).body
        return data[0].by.some(({ status }: { status: number | null }) => status === 403)
      }
      await until(counted, 60_000)
    })

    it('tells its values to the keyboard and the pointer, has them in a table, and no fraction of a call on its axis', async () => {
      const seen = await site.visit()
      const { page } = seen
      await page.addInitScript(keepDrawnText)
      await signIn(seen, company.ownerToken)
      await seen.open(`/companies/${company.id}/usage?days=7`)
      const labels = () => page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn)
      await expect.poll(labels).toContain('2')
      expect((await labels()).filter(label => label.includes('.'))).toEqual([])
      const chart = page.getByRole('slider')
      const said = page.locator('.chart-values')
      // A stack of the keys; the denied calls among them are red.
      for (const name of ['Zapier', 'Reporting']) await said.getByText(name).waitFor()
      await expect.poll(() => said.locator('.swatch.bad').count()).toBe(1)

      await chart.focus()
      await expect.poll(() => said.textContent()).toMatch(/Zapier\s*4.*Reporting\s*2.*1$/)
      const today = await said.locator('time').getAttribute('datetime')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => said.textContent()).toMatch(/Zapier\s*0/)
      const before = await said.locator('time').getAttribute('datetime')
      expect(Date.parse(String(today)) - Date.parse(String(before))).toBe(86_400_000)
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('0')
      await page.keyboard.press('Escape')
      await expect.poll(() => said.locator('time').count()).toBe(0)
      await expect.poll(() => said.getAttribute('role')).toBe('status')

      const box = await page.locator('.chart .u-over').boundingBox()
      if (!box) throw new Error('There is no chart to point at')
      await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2)
      await expect.poll(() => said.textContent()).toMatch(/Zapier\s*4/)

      await page.locator('.chart-table summary').click()
      const rows = page.locator('.chart-table tbody tr')
      await expect.poll(() => rows.count()).toBe(1)
      await expect.poll(async () => (await rows.locator('td').allTextContents()).slice(1, 4)).toEqual(['4', '2', '1'])
      expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
    })
  })

  describe('An owner in the console', () => {
    it('makes a sandbox, enters it, and sees on every view that it is one', async () => {
      const [t, common, mark] = [useSandboxWords.en, useCommonWords.en, 'This is a sandbox.']
      const company = await site.server.diwan.company()
      const seen = await site.enter(company.ownerToken)
      const { page } = seen
      await seen.open(`/companies/${company.id}/settings`)
      await expect.poll(() => page.getByText(mark).count()).toBe(0)

      await page.getByRole('button', { name: t.make, exact: true }).click()
      const dialog = page.locator('dialog')
      const key = (await dialog.getByRole('group', { name: t.key }).textContent())?.trim()
      expect(key).toMatch(/^svc_api_test_/)
      await expect.poll(async () => (await site.server.diwan.api(key).get('/me')).body.data.company.sandbox).toBe(true)
      await dialog.getByRole('button', { name: common.close, exact: true }).click()

      await page.getByRole('button', { name: t.enter, exact: true }).click()
      await page.getByText(mark).waitFor()
      const id = (await site.server.diwan.operator.get(`/companies/${company.id}`)).body.data.sandbox_id
      for (const view of ['/home', '/keys', '/settings']) {
        await seen.open(`/companies/${id}${view}`)
        await page.getByText(mark).waitFor()
      }
      await expect.poll(() => page.getByRole('button', { name: t.make, exact: true }).count()).toBe(0)
    })
  })

  describe('An app', () => {
    const [t, keys, frame] = [useAppsWords.en, useKeysWords.en, useFrameWords.en]
    const NAME = 'Planner \u202eمخطط'

    let company: TestCompany

    beforeAll(async () => {
      company = await site.server.diwan.company({ name: 'Najd Trading' })
    })

    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()

    /** The browser goes back to the app, and to nobody else. */
    const isSentTo = async (address: string, { strayed }: Visit) => {
      await expect.poll(() => strayed).toEqual([expect.stringContaining(address)])
      strayed.length = 0
    }

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
      await isSentTo(app.redirectUrl, seen)
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
      const { app, seen, page } = await askedAs(company.ownerToken)
      const returning = app.callback()
      await button(page, t.deny).click()
      expect(Object.fromEntries(await returning)).toMatchObject({ error: 'access_denied', iss: site.server.url })
      await isSentTo(app.redirectUrl, seen)
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
})
