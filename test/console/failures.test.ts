import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { COMPANY_ROUTES, SERVICE_ROUTES } from '../../console/src/frame/routes.ts'
import { useCalendarWords } from '../../console/src/views/calendars/words.ts'
import { useCompaniesWords } from '../../console/src/views/companies/words.ts'
import { useKeysWords } from '../../console/src/views/keys/words.ts'
import { usePeopleWords, useTokenWords } from '../../console/src/views/people/words.ts'
import { useTrashWords } from '../../console/src/views/trash/words.ts'
import { useWebhooksWords } from '../../console/src/views/webhooks/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { describeConsoleWith } from '../support/site.ts'
import { furnishCompany, type Places } from './furnished.ts'

const t = useCommonWords.en

/** How a server answers that is not well, and what the view says to it. */
const TROUBLES = {
  busy: { status: 503, words: t.busy },
  throttling: { status: 429, words: t.throttled },
  gone: { status: 0, words: t.unreachable },
  'gone behind a proxy': { status: 502, words: t.unreachable },
} as const
type Trouble = keyof typeof TROUBLES

/** Views that ask for nothing until something was typed. */
const TYPED: Record<string, string> = { '/companies/:company/search': '?q=desk' }
/** The operator looks at them, and so not at what is a person's own. */
const PATHS = [...COMPANY_ROUTES, ...SERVICE_ROUTES]
  .filter(({ needs }) => !needs?.startsWith('listMy'))
  .map(({ path }) => path)
/** Every form: where it is, and what opens it where it does not stand there already. */
const FORMS: [path: string, opener?: string][] = [
  ['/companies/:company/keys/new'],
  ['/companies/:company/keys/:key/edit'],
  ['/companies/:company/keys/:key', useKeysWords.en.rotate],
  ['/companies/:company/keys/:key', useKeysWords.en.revoke],
  ['/companies/:company/webhooks/new'],
  ['/companies/:company/webhooks/:webhook/edit'],
  ['/companies/:company/webhooks/:webhook', useWebhooksWords.en.replayMany],
  ['/companies/:company/webhooks/:webhook', useWebhooksWords.en.delete],
  ['/companies/:company/settings'],
  ['/companies/:company/terms'],
  ['/companies/:company/terms', useCompaniesWords.en.closeVerb],
  ['/companies/:company/people', usePeopleWords.en.add],
  ['/companies/:company/people/:user', usePeopleWords.en.edit],
  ['/companies/:company/people/:user', useTokenWords.en.create],
  ['/companies/:company/projects/:project/members'],
  ['/companies/:company/calendars', useCalendarWords.en.connect],
  ['/companies', useCompaniesWords.en.create],
]
/** What is typed into a field, by its type. */
const TYPED_TEXT: Record<string, string> = {
  email: 'typed@example.com',
  url: 'https://typed.example.com/hook',
  'datetime-local': '2026-01-02T03:04',
}

/** So many views are looked at beside each other: most of the time is spent waiting for the next try. */
const AT_ONCE = 6

describeConsoleWith({ env: { ALLOW_PRIVATE_WEBHOOKS: 'on' } }, 'With the server in trouble', site => {
  let places: Places

  beforeAll(async () => {
    places = (await furnishCompany(site.server.diwan)).places
  })

  const filled = (path: string) => path.replace(/:(\w+)/g, (_, name) => String(places[name])) + (TYPED[path] ?? '')

  /** A page whose calls are answered by the server, held back, or answered as by one in trouble. */
  async function troubled(page: Page) {
    let trouble: Trouble | 'none' | 'slow' = 'none'
    let held: Route[] = []
    const answer = (route: Route) => {
      if (trouble === 'none') return route.continue()
      if (trouble === 'slow') return void held.push(route)
      const { status } = TROUBLES[trouble]
      if (status === 0) return route.abort('connectionrefused')
      return route.fulfill({ status, json: { error: { code: 'unavailable', message: 'Try again soon.' } } })
    }
    // Who is signed in and whose company it is stand around the view, and are asked for first.
    let asked = new Set<string>()
    const isFrame = (url: string) => {
      const isFirst = !asked.has(url)
      asked.add(url)
      return url.endsWith('/me') || (isFirst && /\/companies\/\d+$/.test(url))
    }
    await page.route(/\/admin\/v1\/|\/openapi\.json$/, route =>
      isFrame(route.request().url()) ? route.continue() : answer(route),
    )
    return {
      open: (path: string) => {
        asked = new Set()
        return page.goto(`${site.server.url}/console${path}`)
      },
      be: async (next: typeof trouble) => {
        trouble = next
        const waiting = held
        held = []
        await Promise.all(waiting.map(answer))
      },
    }
  }

  /** Takes a view through every trouble, and tells what is wrong with how it bears them. */
  async function faultsOf(page: Page, path: string): Promise<string[]> {
    const { open, be } = await troubled(page)
    const faults: string[] = []
    const expectShown = async (what: string, locator: ReturnType<Page['locator']>) =>
      locator
        .first()
        .waitFor({ timeout: 30_000 })
        .catch(() => faults.push(`${what} is not shown`))
    await be('slow')
    await open(filled(path))
    await expectShown('that it is loading', page.getByRole('progressbar'))
    for (const [trouble, { words }] of Object.entries(TROUBLES)) {
      await be(trouble as Trouble)
      const again = page.getByRole('main').getByRole('button', { name: t.tryNow })
      if (await again.count()) await again.first().click()
      await expectShown(`“${words}” (${trouble})`, page.getByRole('main').getByRole('alert').getByText(words))
      await expectShown(`a way to try again (${trouble})`, again)
      if ((await page.locator('main h1').count()) !== 1) faults.push(`the heading is not shown (${trouble})`)
    }
    await be('none')
    await page
      .waitForFunction(() => !document.querySelector('main [role=alert], main .skeleton'), null, { timeout: 60_000 })
      .catch(() => faults.push('does not come back by itself'))
    await page.unrouteAll({ behavior: 'wait' })
    return faults
  }

  it('every view says so, offers to try again, and comes back by itself', { timeout: 600_000 }, async () => {
    const seen = await site.enter(OPERATOR_TOKEN)
    const left = [...PATHS]
    const faults: Record<string, string[]> = {}
    const lookAtNext = async (page: Page): Promise<void> => {
      for (let path = left.shift(); path; path = left.shift()) {
        const found = await faultsOf(page, path)
        if (found.length > 0) faults[path] = found
      }
    }
    const pages = await Promise.all(Array.from({ length: AT_ONCE }, () => seen.context.newPage()))
    await Promise.all(pages.map(lookAtNext))
    expect(faults).toEqual({})
  })

  it.each(['trash', 'nothing-yet'])(
    'a view whose code did not arrive (%s) comes back by itself as soon as the server does',
    async code => {
      const { page, open, follow } = await site.enter(OPERATOR_TOKEN)
      await open('/companies')
      const trash = filled('/companies/:company/trash')
      await page.route(`**/${code}-*.js`, route => route.fulfill({ status: 503, body: 'Later.' }))
      await follow(trash)
      await page.getByRole('main').getByRole('alert').getByText(t.unreachable).waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('heading', { level: 1, name: useTrashWords.en.title }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/console${trash}`)
    },
  )

  it('every form says so, and keeps what was typed into it', { timeout: 600_000 }, async () => {
    const seen = await site.enter(OPERATOR_TOKEN)
    const { page } = seen
    const { be } = await troubled(page)
    for (const [path, opener] of FORMS) {
      await be('none')
      await seen.open(filled(path))
      if (opener) await page.getByRole('button', { name: opener, exact: true }).click()
      const form = page.locator(opener ? 'dialog form' : 'main form').first()
      const submit = form.locator('button[type=submit]')
      await submit.waitFor()
      const values = () =>
        form.locator('input, textarea, select').evaluateAll(all => all.map(one => (one as HTMLInputElement).value))
      const texts = await form.locator('input:not([type=checkbox]), textarea').all()
      const name = form.locator('.typed')
      const confirmed = (await name.count()) > 0 ? await name.textContent() : undefined
      for (const field of texts)
        await field.fill(confirmed ?? TYPED_TEXT[(await field.getAttribute('type')) ?? ''] ?? 'Typed')
      // What is chosen can change which fields a form has.
      if (texts.length === 0) await form.locator('select').selectOption({ index: 1 })
      if (await submit.isDisabled()) await form.locator('input[type=checkbox]').first().check()
      const typed = await values()
      expect([path, opener, typed.length > 0]).toEqual([path, opener, true])
      for (const trouble of ['busy', 'gone'] as const) {
        await be(trouble)
        await submit.click()
        await form.getByRole('alert').getByText(TROUBLES[trouble].words).waitFor()
        await expect.poll(async () => [path, opener, await values()]).toEqual([path, opener, typed])
      }
    }
    await page.unrouteAll({ behavior: 'wait' })
  })
})
