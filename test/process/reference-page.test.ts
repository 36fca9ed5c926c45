import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accessibilityFaults, launchBrowser } from '../support/browser.ts'
import { describeWith } from '../support/describe-with.ts'
import { type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'

describeWith('chromium', 'In a browser', () => {
  let server: ServerProcess
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let requests: string[]
  let complaints: string[]

  beforeAll(async () => {
    server = await serve(withoutJobs())
    browser = await launchBrowser()
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(120_000)
  })

  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
  })

  beforeEach(async () => {
    requests = []
    complaints = []
    page = await context.newPage()
    page.on('request', request => requests.push(request.url()))
    page.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
  })

  const open = (query = '') => page.goto(`${server.url}/docs${query}`, { waitUntil: 'networkidle' })
  const choose = async (...names: string[]) => {
    for (const name of names) await page.getByRole('navigation').getByText(name, { exact: true }).first().click()
  }
  const outside = () => requests.filter(url => /^(https?|wss?):/.test(url) && !url.startsWith(`${server.url}/`))
  const expectHeading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

  it('the front page leads to the reference page, which asks no other machine for anything and makes no complaint', async () => {
    await page.goto(server.url)
    await page.locator('a[href="/docs?lang=en"]').click()
    await choose('Projects')
    await page.getByText('Create a project').first().waitFor()
    // The samples have the address under which the page was opened.
    await page.getByText(`${server.url}/api/v1/projects`).first().waitFor()
    for (const left of ['$DIWAN_URL', /Generate SDKs|^Share$/]) expect(await page.getByText(left).count()).toBe(0)
    const answer = await open('?api=administration')
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy.split('; ').find(each => each.startsWith('script-src'))).toMatch(/^script-src 'self' 'sha256-[^ ]+'$/)
    await choose('Your account')
    await page.getByText(`curl ${server.url}/admin/v1/me`).filter({ visible: true }).first().waitFor()
    expect([outside(), complaints]).toEqual([[], []])
  })

  it('the reference page asks for a key once: it holds for every endpoint, and after the page is loaded again', async () => {
    const { key } = await server.diwan.company()
    await open()
    await page.getByPlaceholder('Token').filter({ visible: true }).first().click()
    await page.keyboard.type(key)
    await page.waitForFunction(typed => JSON.stringify(localStorage).includes(typed), key)
    await page.reload({ waitUntil: 'networkidle' })
    await page.getByText('Test Request').filter({ visible: true }).first().click()
    const answered = page.waitForResponse(`${server.url}/api/v1/me`)
    await page.getByText('Send', { exact: true }).filter({ visible: true }).first().click()
    expect((await answered).status()).toBe(200)
    expect(complaints).toEqual([])
  })

  it('in Arabic the reference page is mirrored around code, and has no English words besides names, values and code', async () => {
    await open('?lang=ar')
    await choose('المشاريع', 'إنشاء مشروع')
    await expectHeading('إنشاء مشروع')
    const directionOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(element => getComputedStyle(element).direction)
    expect(await directionOf('html')).toBe('rtl')
    for (const code of ['.section pre', '.markdown code', '.scalar-code-block'])
      expect([code, await directionOf(code)]).toEqual([code, 'ltr'])
    await page.getByText('عرض الحقول الفرعية').filter({ visible: true }).first().click()
    await expect.poll(englishWords).toEqual([])
    await page.getByText('تجربة الطلب').filter({ visible: true }).first().click()
    await page.getByText('إرسال', { exact: true }).filter({ visible: true }).first().waitFor()
    await expect.poll(englishWords).toEqual([])
    expect([outside(), complaints]).toEqual([[], []])
  })

  it('the reference page is searched in Arabic, and leads to the same place in the other language', async () => {
    await open('?lang=ar')
    await page.getByText('بحث', { exact: true }).filter({ visible: true }).first().click()
    await page.getByPlaceholder('بحث…').fill('إكمال')
    const found = page.getByRole('option').first()
    await expect.poll(() => found.textContent()).toMatch(/إكمال مهمة/)
    await found.click()
    await expectHeading('إكمال مهمة')
    await choose('المشاريع', 'إنشاء مشروع')
    await page.waitForURL(/#api\/tag\/projects\/POST\/projects$/)
    await page.getByRole('link', { name: 'English', exact: true }).click()
    await page.waitForURL(/lang=en#api\/tag\/projects\/POST\/projects$/)
    await expectHeading('Create a project')
  })

  it('the reference page, narrow and dark, fits its window, and can be read in Arabic by everyone who can read it in English', async () => {
    await page.setViewportSize({ width: 390, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    const faults = async () => (await accessibilityFaults(page)).map(fault => fault.split(':')[0])
    const openIn = async (language: string) => {
      await open(`?lang=${language}`)
      await page.locator('.markdown table').first().waitFor()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    }
    await openIn('ar')
    const inArabic = await faults()
    await openIn('en')
    // Scalar has faults of its own, which show once it has drawn all of the page.
    const onlyInArabic = async () => {
      const inEnglish = await faults()
      return inArabic.filter(fault => !inEnglish.includes(fault))
    }
    await expect.poll(onlyInArabic, { timeout: 120_000 }).toEqual([])
  })

  /** What can be seen outside of code in Latin letters alone, except names and values. */
  function englishWords(): Promise<string[]> {
    return page.evaluate(() => {
      const names =
        'script, style, pre, code, kbd, .cm-line, .language, .badge, .property-name, .property-detail-value, .property-enum-value, .endpoint-path, .operation-path, .endpoint-method, .request-method, .sidebar-heading-type, .scalar-address-bar, .whitespace-pre, .sr-only, .screenreader-only'
      const known =
        /^(API|MIT|bearer|curl|true|false|application\/json|Accept|Standard Webhooks|https?:.*|[a-z]+-[a-z0-9-]+|\/.*|(GET|POST|PUT|PATCH|DEL))$/
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found = new Set<string>()
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.nodeValue?.trim() ?? ''
        const parent = node.parentElement
        if (!parent || !/[a-z]{2}/i.test(text) || /\p{Script=Arabic}/u.test(text) || known.test(text)) continue
        if (parent.closest(names) || node.previousSibling?.nodeName === 'WBR' || !parent.checkVisibility()) continue
        const { width, height } = parent.getBoundingClientRect()
        if (width > 1 && height > 1) found.add(text)
      }
      return [...found]
    })
  }
})
