import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useInvitationWords, usePeopleWords } from '../../console/src/views/people/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults, overflowing, signIn } from '../support/browser.ts'
import type { TestCompany } from '../support/diwan.ts'
import { describeConsole } from '../support/site.ts'

describeConsole('An invitation', site => {
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

    // Whoever closes it before anything was copied is asked.
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
    const seen = await site.enter(company.ownerToken)
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
