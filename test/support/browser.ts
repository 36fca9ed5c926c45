import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import type { Language } from '../../console/src/words/language.ts'
import { findPart } from './parts.ts'
import { until } from './servers.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Even on a busy machine, whatever takes this long will never come. */
const PATIENCE_MS = 60_000

export function launchBrowser(): Promise<Browser> {
  const executablePath = findPart('chromium') as string
  return chromium.launch({ executablePath, headless: true, args: FLAGS, timeout: 2 * PATIENCE_MS })
}

export interface Look {
  language: Language
  width: number
  appearance: 'light' | 'dark'
}

/** In both languages, wide and narrow, light and dark. */
export const LOOKS: Look[] = (['en', 'ar'] as const).flatMap(language =>
  [1280, 390].flatMap(width => (['light', 'dark'] as const).map(appearance => ({ language, width, appearance }))),
)

export const nameOf = ({ language, width, appearance }: Look) => `${language}-${width}-${appearance}`

/** The console as one person sees it. */
export interface Visit {
  /** Of the server. */
  url: string
  context: BrowserContext
  page: Page
  /** What the browser complained about: errors, blocked content, failed scripts; but not expected refusals by the server. */
  complaints: string[]
  /** Requests that went to any other server. */
  strayed: string[]
  /** Loads a view by its address. */
  open: (path: string) => Promise<void>
  /** Goes to a view within the loaded page, as a link does: a page is loaded in ten times the time. */
  follow: (path: string) => Promise<void>
  /** Changes the window of the loaded page to another width and appearance. */
  wear: (look: Pick<Look, 'width' | 'appearance'>) => Promise<void>
  /** Waits until everything that was asked for is there and shown. */
  settled: () => Promise<void>
}

const HEIGHT = 900

export async function visit(browser: Browser, url: string, look: Look): Promise<Visit> {
  const { language, width, appearance } = look
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: appearance,
    locale: language === 'ar' ? 'ar' : 'en-GB',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const [complaints, strayed] = [[] as string[], [] as string[]]
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => {
    complaints.push(`A dialog opened: ${dialog.message()}`)
    dialog.dismiss()
  })
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', request => {
    if (/^(https?|wss?):/.test(request.url()) && !request.url().startsWith(`${url}/`)) strayed.push(request.url())
  })
  const underway = new Set<Request>()
  // A stream stays open for as long as the page.
  const isStream = (request: Request) => request.headers().accept === 'text/event-stream'
  page.on('request', request => isStream(request) || underway.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', request => underway.delete(request))
  const settled = () => until(async () => (await page.evaluate(isDrawn)) && underway.size === 0, PATIENCE_MS)
  return {
    url,
    context,
    page,
    complaints,
    strayed,
    settled,
    open: async path => {
      // What the last click caused takes a frame: a form that has just been closed would still ask whether to leave it.
      await page.evaluate(isDrawn)
      await page.goto(`${url}/console${path}`)
      await settled()
    },
    follow: async path => {
      await page.evaluate(to => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, `/console${path}`)
      await settled()
    },
    wear: async ({ width, appearance }) => {
      await page.setViewportSize({ width, height: HEIGHT })
      await page.emulateMedia({ colorScheme: appearance })
      await settled()
    },
  }
}

/**
 * Whether nothing is shown as still loading. It is told after three frames: by then the page has shown what it last received, and
 * has asked for whatever it needs because of that.
 */
async function isDrawn(): Promise<boolean> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  await new Promise(resolve => setTimeout(resolve))
  return document.querySelector('.skeleton, [aria-busy="true"]') === null
}

/** Keeps changes that are sent to such addresses from the server until the returned function is called: what is shown is shown before. */
export async function holding(page: Page, addresses: string): Promise<() => void> {
  let letGo = () => {}
  const isLetGo = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(addresses, async route => {
    if (route.request().method() !== 'GET') await isLetGo
    await route.continue()
  })
  return letGo
}

/** Signs in as the person who has the token, without the form for it, which has tests of its own. */
export async function signIn({ url, context, page, open }: Visit, token: string): Promise<void> {
  const answer = await context.request.post(`${url}/admin/v1/sessions`, { data: { token } })
  if (!answer.ok()) throw new Error(`Not signed in: ${answer.status()} ${await answer.text()}`)
  await open('')
  await page.locator('main#content').waitFor()
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The faults that axe-core finds, each with the elements concerned. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // What is still loading has not got its names yet.
  await until(() => page.evaluate(isDrawn), PATIENCE_MS)
  // Evaluated as the browser's own developer tools do it, because the page's security policy allows no injected scripts.
  const session = await page.context().newCDPSession(page)
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  await evaluate(`${AXE};0`)
  const { result } = await evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  )
  await session.detach()
  return result.value as string[]
}

/** Elements whose content does not fit: a page that is wider than the window, or text that is cut off. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const { documentElement } = document
    if (documentElement.scrollWidth > documentElement.clientWidth + 1)
      found.push(`the page is ${documentElement.scrollWidth} wide in a window of ${documentElement.clientWidth}`)
    for (const element of document.querySelectorAll<HTMLElement>('main *, nav *, dialog[open] *')) {
      const { overflowX } = getComputedStyle(element)
      const isScrolled = overflowX === 'auto' || overflowX === 'scroll'
      if (
        element.clientWidth > 0 &&
        element.scrollWidth > element.clientWidth + 1 &&
        !isScrolled &&
        overflowX !== 'visible'
      )
        if (!element.closest('.read-out, .bar, svg')) found.push(`cut: ${element.outerHTML.slice(0, 150)}`)
      const { left, right } = element.getBoundingClientRect()
      if (
        (left < -1 || right > documentElement.clientWidth + 1) &&
        !element.closest('.read-out, .table-frame, pre, .chart')
      )
        found.push(`outside: ${element.outerHTML.slice(0, 150)}`)
    }
    return found.slice(0, 5)
  })
}
