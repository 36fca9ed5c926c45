import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useWebhooksWords } from '../../console/src/views/webhooks/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { executablePath, type Look, launchBrowser, settled, signIn, visit } from '../support/browser.ts'
import { refused, startReceiver, taken } from '../support/receiver.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'

/** Each language once, and each width once. */
const LOOKS: Look[] = [
  { language: 'en', width: 390, appearance: 'light' },
  { language: 'ar', width: 1280, appearance: 'dark' },
]

describe.skipIf(!executablePath)('A webhook in the console', () => {
  let server: ServerProcess
  let browser: Browser

  beforeAll(async () => {
    const environment = { ALLOW_PRIVATE_WEBHOOKS: 'on', BURST_PER_MINUTE: '0', DEMO: 'off' }
    server = await serve({ ...embedded(), ...environment })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
  })

  it.each(LOOKS.map(look => [look.language, look] as const))(
    'is created, told of a change, replayed, tested, switched off and on, and deleted, in %s',
    async (language, look) => {
      const [t, common] = [useWebhooksWords[language], useCommonWords[language]]
      const company = await server.diwan.company()
      const receiver = await startReceiver(refused(500))
      const seen = await visit(browser, server.url, look)
      const { page, open } = seen
      await signIn(seen, company.ownerToken, look)
      const press = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).last().click()
        await settled(page)
      }

      await open(`/companies/${company.id}/webhooks/new`)
      await page.getByLabel(common.name, { exact: true }).fill('Warehouse')
      await page.getByLabel(t.url, { exact: true }).fill(receiver.url)
      await page.locator('input[name="project.created"]').check()
      await page.locator('input[name="task.*"]').check()
      await press(t.create)
      const secret = page.getByRole('group', { name: t.secret, exact: true })
      expect(await secret.textContent()).toMatch(/^whsec_/)
      await press(t.copied)

      await server.diwan.project(company, { name: 'Told' })
      await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(0)
      await open(new URL(page.url()).pathname.replace('/console', ''))
      const deliveries = page.getByRole('table', { name: t.deliveries })
      await expect.poll(() => deliveries.textContent()).toContain('project.created')
      expect(await deliveries.textContent()).toContain('500')
      receiver.answer(taken)
      const before = receiver.received.length
      await deliveries.getByRole('button', { name: t.replay }).click()
      await deliveries.getByText(t.states.delivered).waitFor({ timeout: 30_000 })
      expect(receiver.received.length).toBeGreaterThan(before)
      expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])

      const replayed = receiver.received.length
      await press(t.replayMany)
      await page.getByLabel(t.failedOnly).uncheck()
      await page.getByRole('dialog').getByRole('button', { name: t.replay, exact: true }).click()
      await page.getByText(t.replayedMany(1)).waitFor()
      // What is still under way would be answered 410 too, and switch the webhook off.
      await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(replayed)

      receiver.answer(refused(410))
      await press(t.test)
      await page.getByRole('dialog').getByText(t.testFailed).waitFor()
      expect(await page.getByRole('dialog').textContent()).toContain('No: 410')
      await page.keyboard.press('Escape')
      receiver.answer(taken)

      await press(t.switchOff)
      await page.getByText(t.offByHand).waitFor()
      await page.getByRole('button', { name: common.undo, exact: true }).click()
      await page.getByText(t.offByHand).waitFor({ state: 'detached' })

      await press(t.delete)
      await page.getByRole('dialog').getByLabel(common.name).fill('Warehouse')
      await page.getByRole('dialog').getByRole('button', { name: t.delete, exact: true }).click()
      await page.getByText(t.empty).waitFor()
      expect([seen.complaints, seen.strayed]).toEqual([[], []])
      await seen.context.close()
    },
  )
})
