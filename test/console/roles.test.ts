import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { COMPANY_ROUTES, type Route, SERVICE_ROUTES } from '../../console/src/frame/routes.ts'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import type { TestCompany } from '../support/diwan.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { describeConsole } from '../support/site.ts'

const t = useFrameWords.en
const inMenu = (routes: Route[]) => routes.filter(({ menu }) => menu)

describeConsole('In the console', site => {
  let company: TestCompany
  const tokens: Record<string, string> = { operator: OPERATOR_TOKEN }

  beforeAll(async () => {
    company = await site.server.diwan.company()
    tokens.owner = company.ownerToken
    tokens.manager = (await site.server.diwan.person(company.id, { role: 'manager' })).token
    tokens.member = (await site.server.diwan.person(company.id)).token
    tokens['key administrator'] = (await site.server.diwan.person(company.id, { can_manage_api_keys: true })).token
  })

  const enter = (token: string) => site.enter(token, `/companies/${company.id}`)

  const menuOf = (page: Page) =>
    page.locator('nav.menu section a').evaluateAll(links => links.map(link => link.textContent))

  it.each(['operator', 'owner', 'manager', 'member', 'key administrator'])(
    'the menu of the %s holds what the server allows, and every entry opens',
    async role => {
      const token = tokens[role] as string
      const { may } = (await site.server.diwan.client('/admin/v1', token).get('/me')).body.data as { may: string[] }
      const allowed = new Set(may.map(name => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())))
      const expected = [...inMenu(COMPANY_ROUTES), ...inMenu(SERVICE_ROUTES)].filter(
        ({ needs }) => !needs || allowed.has(needs),
      )
      const seen = await enter(token)
      await expect.poll(() => menuOf(seen.page)).toEqual(expected.map(({ menu }) => menu && t.views[menu.label]))
      for (const { path } of expected) {
        const answers: number[] = []
        seen.page.on('response', response => answers.push(response.status()))
        await seen.page
          .locator(`nav.menu section a[href="/console${path.replace(':company', String(company.id))}"]`)
          .click()
        await seen.settled()
        await expect.poll(async () => [path, await seen.page.locator('main h1').count()]).toEqual([path, 1])
        expect([path, answers.filter(status => status >= 400)]).toEqual([path, []])
        seen.page.removeAllListeners('response')
      }
    },
    600_000,
  )

  it('a view that the server does not allow is not at its address either', async () => {
    const seen = await enter(tokens.member as string)
    for (const path of [`/companies/${company.id}/keys`, '/companies', `/companies/${company.id + 1}`]) {
      await seen.open(path)
      await seen.page.getByText(useCommonWords.en.notFound).waitFor()
      await expect.poll(() => seen.page.locator('table').count()).toBe(0)
      await expect.poll(() => seen.page.locator('main').textContent()).not.toContain(company.owner.email)
    }
  })
})
