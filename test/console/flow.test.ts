import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useAuditWords } from '../../console/src/views/audit/words.ts'
import { useExplorerWords } from '../../console/src/views/explorer/words.ts'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { useTrashWords } from '../../console/src/views/trash/words.ts'
import { useUsageWords } from '../../console/src/views/usage/words.ts'
import { useWebhooksWords } from '../../console/src/views/webhooks/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { overflowing } from '../support/browser.ts'
import { newDiscussion } from '../support/factories.ts'
import { refused, startReceiver, taken } from '../support/receiver.ts'
import { until } from '../support/servers.ts'
import { describeConsoleWith } from '../support/site.ts'

const KEY = 'Robot \u202eأحمر'
const OPERATIONS = ['tasks:read', 'discussions:read', 'discussions:destructive']
const DISCUSSION = 'موعد الانتقال'
/** What is done behind the scenes takes less. `until` waits for it, because `expect.poll` does not know its test where several run at once. */
const LATE_MS = 60_000

/** What an owner does with the console from the first key to the last. */
describeConsoleWith({ env: { ALLOW_PRIVATE_WEBHOOKS: 'on' } }, 'The owner of a company', site => {
  /** Signed in as the owner of a new company, with buttons found by what they say. */
  async function enter() {
    const company = await site.server.diwan.company()
    const seen = await site.enter(company.ownerToken)
    const { page } = seen
    const open = async (path: string) => {
      await seen.open(`/companies/${company.id}${path}`)
      expect([path, await overflowing(page)]).toEqual([path, []])
    }
    const press = async (name: string, within: Pick<Page, 'getByRole'> = page) => {
      await within.getByRole('button', { name, exact: true }).last().click()
      await seen.settled()
    }
    const shown = async (label: string) =>
      String(await page.getByRole('group', { name: label, exact: true }).textContent()).trim()
    return { company, seen, page, open, press, shown }
  }
  type Walk = Awaited<ReturnType<typeof enter>>

  async function mintKey({ page, open, press, shown }: Walk): Promise<string> {
    const t = useKeysWords.en
    await open('/keys/new')
    await page.getByLabel(t.name, { exact: true }).fill(KEY)
    await page.getByLabel(t.access, { exact: true }).selectOption('write')
    await press(t.nothing)
    for (const operation of OPERATIONS) await page.locator(`input[name="${operation}"]`).check()
    await press(t.create)
    const key = await shown(t.theKey)
    await press(useCommonWords.en.copy)
    return key
  }

  /** Calls the API from the explorer, with values for its parameters, and tells the status that is shown. */
  async function callApi({ page, open, press }: Walk, key: string, endpoint: string, values = {}) {
    const t = useExplorerWords.en
    await open(`/explorer?endpoint=${endpoint}`)
    await page.getByLabel(t.key, { exact: true }).fill(key)
    for (const [name, value] of Object.entries<string>(values)) await page.getByLabel(name, { exact: true }).fill(value)
    await press(t.send, page.locator('main form'))
    // What deletes asks first.
    if (endpoint.startsWith('delete')) await press(t.send, page.getByRole('dialog'))
    const answer = page.locator('.card', { has: page.getByRole('heading', { name: t.answer }) })
    return Number((await answer.locator('h2 .badge').textContent())?.trim())
  }

  async function seeUsage({ company, page, open }: Walk) {
    const view = '/usage?by=key&days=7'
    await until(async () => JSON.stringify((await company.admin.get(view)).body).includes('Robot'), LATE_MS)
    await open(view)
    await page.getByRole('table', { name: useUsageWords.en.byTitle.key }).getByText('Robot').waitFor()
  }

  async function seeDenial({ page, open }: Walk, request: string) {
    const t = useAuditWords.en
    await open('/audit?outcome=denied')
    const entry = await page.locator('.day-log li').filter({ hasText: 'Robot' }).first().textContent()
    expect(entry).toContain(t.outcomes.denied)
    expect(entry).toContain(request)
  }

  /** Refused at first, replayed, and then taken. */
  async function receiveWebhook({ company, seen, page, open, press, shown }: Walk) {
    const [t, common] = [useWebhooksWords.en, useCommonWords.en]
    const receiver = await startReceiver(refused(500))
    await open('/webhooks/new')
    await page.getByLabel(common.name, { exact: true }).fill('Warehouse')
    await page.getByLabel(t.url, { exact: true }).fill(receiver.url)
    await page.locator('input[name="project.created"]').check()
    await press(t.create)
    await expect.poll(() => shown(t.secret)).toMatch(/^whsec_/)
    // Nothing that is shown only now goes by mistake.
    await press(t.copied)
    await press(common.stay)
    await press(common.copy, page.locator('.note.warn'))
    await press(t.copied)
    await page.waitForURL(/\/webhooks\/\d+$/)

    const path = new URL(page.url()).pathname.replace('/console', '')
    const kept = `${path.replace(/^\/companies\/\d+/, '')}/deliveries`
    const deliveries = page.getByRole('table', { name: t.deliveries })
    const showsDelivery = async (status: number, words: string) => {
      await until(async () => (await company.admin.get(kept)).body.data[0]?.status === status, LATE_MS)
      await seen.open(path)
      await deliveries.getByText(words).first().waitFor()
    }
    await site.server.diwan.project(company, { name: 'Told' })
    await showsDelivery(500, '500')
    receiver.answer(taken)
    await deliveries.getByRole('button', { name: t.replay }).click()
    await page.getByText(t.replayed).waitFor()
    await showsDelivery(200, t.states.delivered)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length > 1, new Set(ids).size]).toEqual([true, 1])
  }

  async function restoreDiscussion({ page, open }: Walk) {
    const t = useTrashWords.en
    await open('/trash')
    await page.getByRole('row', { name: DISCUSSION }).getByRole('button').click()
    await page.getByText(t.empty).waitFor()
  }

  /** Gives the new key. */
  async function rotateKey({ page, open, press, shown }: Walk): Promise<string> {
    const t = useKeysWords.en
    await open('/keys')
    await page.getByRole('link', { name: /Robot/ }).click()
    await page.getByText('GET /api/v1/projects').first().waitFor()
    await press(t.rotate)
    await press(t.rotate, page.getByRole('dialog'))
    const next = await shown(t.theKey)
    await press(useCommonWords.en.copy)
    await press(t.toTheKey)
    return next
  }

  async function revokeKey({ page, press }: Walk) {
    const t = useKeysWords.en
    await press(t.revoke)
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: t.revoke, exact: true })
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    // Nobody can type the mark that turns the direction.
    await dialog.getByLabel(useCommonWords.en.name).fill('Robot أحمر')
    await confirm.click()
    await page.getByText(t.revoked, { exact: true }).waitFor()
  }

  it('mints a key, uses it, is denied, receives a webhook, restores a discussion, rotates the key and revokes it', async () => {
    const walk = await enter()
    const { company } = walk
    const project = await site.server.diwan.project(company)
    const { id: discussion } = await newDiscussion(company, project.id, { title: DISCUSSION })
    const discussionStatus = async () => (await company.api.get(`/discussions/${discussion}`)).status

    const key = await mintKey(walk)
    expect(await callApi(walk, key, 'listCompanyTasks')).toBe(200)
    expect(await callApi(walk, key, 'listProjects')).toBe(403)
    await seeUsage(walk)
    await seeDenial(walk, 'GET /api/v1/projects')
    await receiveWebhook(walk)
    expect(await callApi(walk, key, 'deleteDiscussion', { discussion })).toBe(200)
    expect(await discussionStatus()).toBe(404)
    await restoreDiscussion(walk)
    expect(await discussionStatus()).toBe(200)

    const next = await rotateKey(walk)
    const statuses = () =>
      Promise.all([key, next].map(async one => (await site.server.diwan.api(one).get('/company/tasks')).status))
    expect(await statuses()).toEqual([200, 200])
    await revokeKey(walk)
    expect(await statuses()).toEqual([200, 401])
    expect(await callApi(walk, next, 'listCompanyTasks')).toBe(401)
  })
})
