import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useAuditWords } from '../../console/src/views/audit/words.ts'
import { useMemberWords } from '../../console/src/views/members/words.ts'
import { useTokenWords } from '../../console/src/views/people/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import type { TestCompany } from '../support/diwan.ts'
import { describeConsole } from '../support/site.ts'

const common = useCommonWords.en

describeConsole('What a company does in the console', site => {
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
    // What could not be taken back can be tried again.
    await page.route('**/members', route => route.abort('connectionrefused'), { times: 1 })
    await button(page, common.undo).click()
    await page.locator('.toast').getByText(common.unreachable).waitFor()
    await button(page, common.undo).click()
    await row.waitFor()
  })
})
