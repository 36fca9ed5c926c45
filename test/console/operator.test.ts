import { expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useCompaniesWords } from '../../console/src/views/companies/words.ts'
import { useSessionWords } from '../../console/src/views/people/words.ts'
import { useServiceWords } from '../../console/src/views/service/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { describeConsoleWith } from '../support/site.ts'
import { leaveFailedJobs } from './left-jobs.ts'

const t = useServiceWords.en

describeConsoleWith(
  { env: { WORKER: 'off' }, prepare: env => leaveFailedJobs(env, ['connect ECONNREFUSED 127.0.0.1:25', 'time-out']) },
  'In the console',
  site => {
    it('the operator runs a failed job again, and gives another up when asked twice', async () => {
      const { page } = await site.enter(OPERATOR_TOKEN, '/jobs')
      const failed = async () =>
        (await site.server.diwan.operator.get('/jobs/failed')).body.data.map(({ error }: { error: string }) => error)
      const waiting = async () =>
        (await site.server.diwan.operator.get('/health')).body.data.parts.find(
          ({ name }: { name: string }) => name === 'jobs',
        ).message
      await expect.poll(failed).toEqual(['time-out', 'connect ECONNREFUSED 127.0.0.1:25'])

      const row = page.getByRole('row').filter({ hasText: 'ECONNREFUSED' })
      await row.getByRole('button', { name: t.runAgain }).click()
      await page.getByText(t.willRun).waitFor()
      await row.waitFor({ state: 'detached' })
      await expect.poll(failed).toEqual(['time-out'])
      await expect.poll(waiting, { timeout: 30_000 }).toContain('1 waiting, 1 failed.')

      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: t.giveUp }).click()
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(failed).toEqual(['time-out'])
      await page.getByRole('button', { name: t.giveUp }).click()
      await dialog.getByRole('button', { name: t.giveUp }).click()
      await page.getByText(t.noJobs).waitFor()
      await expect.poll(failed).toEqual([])
    })

    it('the operator ends a session of another browser, which is signed out', async () => {
      const other = await site.enter(OPERATOR_TOKEN, '/companies')
      const { page } = await site.enter(OPERATOR_TOKEN, '/sessions')
      const ends = page.getByRole('button', { name: t.end, exact: true })
      // The oldest stands first; one's own, the newest, is ended by signing out.
      await ends.last().click()
      await page.getByText(t.wasEnded).waitFor()
      await expect
        .poll(async () => (await other.page.request.get(`${site.server.url}/admin/v1/me`)).status(), {
          timeout: 30_000,
        })
        .toBe(401)
      await expect.poll(async () => (await page.request.get(`${site.server.url}/admin/v1/me`)).status()).toBe(200)
    })

    it('an owner ends the session of a person, who is asked to sign in at the next step', async () => {
      const company = await site.server.diwan.company()
      const person = await site.server.diwan.person(company.id)
      const theirs = await site.enter(person.token, `/companies/${company.id}`)
      const words = useSessionWords.en
      const { page } = await site.enter(company.ownerToken, `/companies/${company.id}/people/${person.id}`)
      const sessions = page.getByRole('table', { name: words.title })
      await sessions.getByRole('button', { name: words.end }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.end }).click()
      await page.getByText(words.ended).waitFor()
      await page.getByText(words.empty).waitFor()
      await expect.poll(async () => (await company.admin.get(`/users/${person.id}/sessions`)).body.data).toEqual([])
      await expect
        .poll(async () => (await theirs.page.request.get(`${site.server.url}/admin/v1/me`)).status())
        .toBe(401)
      await theirs.page.reload()
      await theirs.page.getByLabel(useFrameWords.en.token).waitFor()
    })

    it('the operator makes a company, is shown the token of its owner once, changes its terms, closes and reopens it', async () => {
      const [c, common] = [useCompaniesWords.en, useCommonWords.en]
      const name = 'شركة نجد <b>Trading</b>'
      const { page, open, settled } = await site.enter(OPERATOR_TOKEN, '/companies')
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await button(c.create).click()
      await page.getByLabel(common.name, { exact: true }).fill(name)
      await page.getByLabel(c.zone, { exact: true }).fill('Asia/Riyadh')
      await page.getByLabel(c.ownerName).fill('Layla Haddad')
      await page.getByLabel(c.ownerEmail).fill('nobody')
      await button(c.createVerb).click()
      await page.getByText('owner.email must be an e-mail address').first().waitFor()
      await page.getByLabel(c.ownerEmail).fill('layla@example.com')
      await button(c.createVerb).click()
      const token = (await page.getByRole('group', { name: c.ownerToken }).textContent())?.trim() ?? ''
      await button(common.copy).click()
      await button(common.close).click()
      await settled()
      expect(await page.content()).not.toContain(token)
      const owner = await site.enter(token)
      await owner.page.locator('nav.menu .whose').getByText(name).waitFor({ state: 'attached' })

      const company = (await site.server.diwan.operator.get('/companies')).body.data.at(-1)
      const stored = async () => (await site.server.diwan.operator.get(`/companies/${company.id}`)).body.data
      const { plan } = await stored()
      await open(`/companies/${company.id}/terms`)
      await page.getByLabel(c.plan, { exact: true }).selectOption('enterprise')
      await page.getByLabel(c.dailyCalls).fill('500')
      await button(common.save).click()
      // It does not go from under the mouse.
      await button(common.undo).hover()
      await expect.poll(async () => (await stored()).plan).toBe('enterprise')
      await button(common.undo).click()
      await expect.poll(async () => (await stored()).plan).toBe(plan)

      await button(c.closeVerb).click()
      await page.getByLabel(common.name, { exact: true }).fill('another')
      await expect.poll(() => button(c.closeVerb).last().isDisabled()).toBe(true)
      await page.getByLabel(common.name, { exact: true }).fill(name)
      await button(c.closeVerb).last().click()
      await page.getByText(c.closedLead).waitFor()
      // Every view says so, and offers nothing that would be refused.
      const isClosed = page.locator('.above-view .note.bad')
      for (const view of ['', '/keys', '/people', '/settings']) {
        await open(`/companies/${company.id}${view}`)
        await expect.poll(async () => [view, await isClosed.count()]).toEqual([view, 1])
        await expect.poll(async () => [view, await page.locator('main button.main').count()]).toEqual([view, 0])
      }
      await isClosed.getByRole('link').click()
      await button(c.reopen).click()
      await isClosed.waitFor({ state: 'detached' })
      await button(c.closeVerb).waitFor()
    })
  },
)
