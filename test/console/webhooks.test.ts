import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { useWebhooksWords } from '../../console/src/views/webhooks/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { accessibilityFaults } from '../support/browser.ts'
import { created } from '../support/diwan.ts'
import { type Received, refused, startReceiver, taken } from '../support/receiver.ts'
import { describeConsoleWith } from '../support/site.ts'

const t = useWebhooksWords.en
const common = useCommonWords.en

describeConsoleWith({ env: { ALLOW_PRIVATE_WEBHOOKS: 'on' } }, 'A webhook in the console', site => {
  /** A webhook that has taken one message and refused the next, opened in the console. */
  async function openWebhook() {
    const company = await site.server.diwan.company()
    const receiver = await startReceiver()
    const made = { name: 'Warehouse', url: receiver.url, kinds: ['project.created', 'project.archived'] }
    const { id, secret } = (await created(company.admin.post('/webhooks', made))).data
    const admin = `/webhooks/${id}`
    const statuses = async () =>
      (await company.admin.get(`${admin}/deliveries`)).body.data.map(({ status }: { status: number }) => status)
    const project = await site.server.diwan.project(company)
    await expect.poll(statuses, { timeout: 30_000 }).toEqual([200])
    receiver.answer(refused(500))
    await company.api.post(`/projects/${project.id}/archive`)
    await expect.poll(statuses, { timeout: 30_000 }).toEqual([500, 200])

    const seen = await site.enter(company.ownerToken, `/companies/${company.id}${admin}`)
    const press = async (name: string, within: Pick<Page, 'getByRole'> = seen.page) => {
      await within.getByRole('button', { name, exact: true }).last().click()
      await seen.settled()
    }
    return { company, receiver, secret, page: seen.page, dialog: seen.page.getByRole('dialog'), press }
  }

  it('shows its deliveries by state, in an address that a reload keeps', async () => {
    const { page } = await openWebhook()
    const deliveries = page.getByRole('table', { name: t.deliveries })
    const events = () => deliveries.locator('td.main-cell div > a > code').allTextContents()
    const choose = (state: string) => page.getByLabel(common.state, { exact: true }).selectOption(state)
    await expect.poll(events, { timeout: 30_000 }).toEqual(['project.archived', 'project.created'])
    await choose('retrying')
    await expect.poll(events, { timeout: 30_000 }).toEqual(['project.archived'])
    await choose('delivered')
    await expect.poll(events, { timeout: 30_000 }).toEqual(['project.created'])
    await page.reload()
    await expect.poll(events, { timeout: 30_000 }).toEqual(['project.created'])
    await choose('failed')
    await page.getByText(t.noneInState).waitFor()
  })

  it('shows each attempt with what was sent, and the next one by itself', async () => {
    const { company, receiver, secret, page } = await openWebhook()
    await page.getByRole('link', { name: 'project.archived' }).click()
    const attempts = page.locator('.attempts > li')
    await attempts.getByText('No: 500').first().waitFor()
    const sent = String(await page.getByRole('group', { name: t.sentHeaders, exact: true }).first().textContent())
    // It is tried again every few seconds: which of them the page shows is told by the signature.
    const { headers, text } = receiver.received.find(({ headers }) =>
      sent.includes(`webhook-signature: ${headers['webhook-signature']}`),
    ) as Received
    const body = page.getByRole('group', { name: t.sentBody, exact: true }).first()
    await expect.poll(() => body.textContent()).toBe(text)
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toBeTruthy()
    expect(await accessibilityFaults(page)).toEqual([])

    const shown = await attempts.count()
    receiver.answer(taken)
    const [webhook] = (await company.admin.get('/webhooks')).body.data.map(({ id }: { id: number }) => id)
    await company.admin.post(`/webhooks/${webhook}/replay`, { since: '2026-01-01', failed_only: true })
    // Nothing was pressed here.
    await page.getByText(t.states.delivered, { exact: true }).waitFor()
    await expect.poll(() => attempts.count(), { timeout: 30_000 }).toBeGreaterThan(shown)
  })

  it('is given a new secret, which is shown once and signs beside the old one', async () => {
    const { receiver, secret, page, dialog, press } = await openWebhook()
    await press(t.rotate)
    await press(t.rotate, dialog)
    const shown = dialog.getByRole('group', { name: t.secret, exact: true })
    const next = String(await shown.textContent()).trim()
    expect(next).not.toBe(secret)
    await press(common.copy, dialog)
    await press(t.copied)
    await shown.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(next)

    receiver.answer(taken)
    await press(t.test)
    await dialog.getByText(t.testDelivered).waitFor()
    const message = receiver.received.find(({ body }) => body.type === 'ping')
    for (const key of [secret, next])
      expect(new Webhook(key).verify(message?.text ?? '', message?.headers as Record<string, string>)).toBeTruthy()
  })

  it('is replayed, tested, switched off and on, and deleted', async () => {
    const { receiver, page, dialog, press } = await openWebhook()
    const replayed = receiver.received.length
    await press(t.replayMany)
    await dialog.getByRole('button', { name: t.replay, exact: true }).click()
    // The one that is being retried: the one that was delivered is left alone.
    await page.getByText(t.replayedMany(1)).waitFor()
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(replayed)

    receiver.answer((response, message, received) =>
      (message.body.type === 'ping' ? refused(410) : taken)(response, message, received),
    )
    await press(t.test)
    await dialog.getByText(t.testFailed).waitFor()
    await expect.poll(() => dialog.textContent()).toContain('No: 410')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: t.switchOff, exact: true }).click()
    const undo = page.getByRole('button', { name: common.undo, exact: true })
    // It does not go from under the mouse.
    await undo.hover()
    await page.getByText(t.offByHand).waitFor()
    await undo.click()
    await page.getByText(t.offByHand).waitFor({ state: 'detached' })

    await press(t.delete)
    await dialog.getByLabel(common.name).fill('Warehouse')
    await dialog.getByRole('button', { name: t.delete, exact: true }).click()
    await page.getByText(t.empty).waitFor()
  })
})
