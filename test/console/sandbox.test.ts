import { expect, it } from 'vitest'
import { useSandboxWords } from '../../console/src/views/settings/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { describeConsole } from '../support/site.ts'

describeConsole('An owner in the console', site => {
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
