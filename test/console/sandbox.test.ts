import { describe, expect, it } from 'vitest'
import { useSandboxWords } from '../../console/src/views/settings/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { executablePath } from '../support/browser.ts'
import { useConsole } from '../support/site.ts'

const MARKS = { en: 'This is a sandbox.', ar: 'هذه بيئة تجريبية.' }

describe.skipIf(!executablePath)('An owner in the console', () => {
  const site = useConsole()

  it.each([
    ['en', 1280, 'light'],
    ['ar', 390, 'dark'],
  ] as const)(
    'makes a sandbox, enters it, and sees on every view that it is one: %s',
    async (language, width, appearance) => {
      const look = { language, width, appearance }
      const [t, common] = [useSandboxWords[language], useCommonWords[language]]
      const company = await site.server.diwan.company()
      const seen = await site.enter(company.ownerToken, look)
      const { page, context } = seen
      await seen.open(`/companies/${company.id}/settings`)
      await expect.poll(() => page.getByText(MARKS[language]).count()).toBe(0)

      await page.getByRole('button', { name: t.make, exact: true }).click()
      const dialog = page.locator('dialog')
      const key = (await dialog.getByRole('group', { name: t.key }).textContent())?.trim()
      expect(key).toMatch(/^svc_api_test_/)
      await expect.poll(async () => (await site.server.diwan.api(key).get('/me')).body.data.company.sandbox).toBe(true)
      await dialog.getByRole('button', { name: common.close, exact: true }).click()

      await page.getByRole('button', { name: t.enter, exact: true }).click()
      await page.getByText(MARKS[language]).waitFor()
      const id = (await site.server.diwan.operator.get(`/companies/${company.id}`)).body.data.sandbox_id
      for (const view of ['/home', '/keys', '/settings']) {
        await seen.open(`/companies/${id}${view}`)
        await page.getByText(MARKS[language]).waitFor()
      }
      await expect.poll(() => page.getByRole('button', { name: t.make, exact: true }).count()).toBe(0)
      expect(seen.complaints).toEqual([])
      await context.close()
    },
  )
})
