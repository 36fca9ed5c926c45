import { describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useSessionWords } from '../../console/src/views/people/words.ts'
import { useServiceWords } from '../../console/src/views/service/words.ts'
import { executablePath, type Look } from '../support/browser.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { useConsole } from '../support/site.ts'
import { leaveFailedJobs } from './left-jobs.ts'

const LOOK: Look = { language: 'en', width: 1280, appearance: 'light' }
const t = useServiceWords.en

describe.skipIf(!executablePath)('In the console', () => {
  const site = useConsole({ WORKER: 'off' }, env =>
    leaveFailedJobs(env, ['connect ECONNREFUSED 127.0.0.1:25', 'time-out']),
  )

  const enter = async (token: string, path: string) => {
    const seen = await site.enter(token, LOOK)
    await seen.open(path)
    return seen
  }

  it('the operator runs a failed job again, and gives another up when asked twice', async () => {
    const { page, context } = await enter(OPERATOR_TOKEN, '/jobs')
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
    await context.close()
  })

  it('the operator ends a session of another browser, which is signed out', async () => {
    const other = await enter(OPERATOR_TOKEN, '/companies')
    const { page, context } = await enter(OPERATOR_TOKEN, '/sessions')
    const ends = page.getByRole('button', { name: t.end, exact: true })
    // The oldest stands first; one's own, the newest, is ended by signing out.
    await ends.last().click()
    await page.getByText(t.wasEnded).waitFor()
    await expect
      .poll(async () => (await other.page.request.get(`${site.server.url}/admin/v1/me`)).status(), { timeout: 30_000 })
      .toBe(401)
    await expect.poll(async () => (await page.request.get(`${site.server.url}/admin/v1/me`)).status()).toBe(200)
    await Promise.all([context.close(), other.context.close()])
  })

  it('an owner ends the session of a person, who is asked to sign in at the next step', async () => {
    const company = await site.server.diwan.company()
    const person = await site.server.diwan.person(company.id)
    const theirs = await enter(person.token, `/companies/${company.id}`)
    const words = useSessionWords.en
    const { page, context } = await enter(company.ownerToken, `/companies/${company.id}/people/${person.id}`)
    const sessions = page.getByRole('table', { name: words.title })
    await sessions.getByRole('button', { name: words.end }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.end }).click()
    await page.getByText(words.ended).waitFor()
    await page.getByText(words.empty).waitFor()
    await expect.poll(async () => (await company.admin.get(`/users/${person.id}/sessions`)).body.data).toEqual([])
    await expect.poll(async () => (await theirs.page.request.get(`${site.server.url}/admin/v1/me`)).status()).toBe(401)
    await theirs.page.reload()
    await theirs.page.getByLabel(useFrameWords.en.token).waitFor()
    await Promise.all([context.close(), theirs.context.close()])
  })
})
