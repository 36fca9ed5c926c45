import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessibilityFaults, executablePath, launchBrowser } from '../support/browser.ts'
import { type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'

describe.skipIf(!executablePath)('In a browser', () => {
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

  async function openProjects(): Promise<void> {
    await page.getByRole('navigation').getByText('Projects', { exact: true }).first().click()
    await page.getByText('List projects').first().waitFor()
  }

  const outside = () => requests.filter(url => /^(https?|wss?):/.test(url) && !url.startsWith(`${server.url}/`))

  it('the reference page shows the endpoints, asks no other machine for anything, and makes no complaint', async () => {
    const answer = await page.goto(`${server.url}/docs`, { waitUntil: 'networkidle' })
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy.split('; ').find(each => each.startsWith('script-src'))).toMatch(/^script-src 'self' 'sha256-[^ ]+'$/)
    expect(await page.title()).toBe('Diwan API reference')
    await openProjects()
    await page.getByText('Create a project').first().waitFor()
    expect(outside()).toEqual([])
    expect(complaints).toEqual([])
  })

  it('the reference page has samples for the URL under which it was opened', async () => {
    await page.goto(`${server.url}/docs`, { waitUntil: 'networkidle' })
    await openProjects()
    await page.getByText(`${server.url}/api/v1/projects`).first().waitFor()
    expect(await page.getByText('$DIWAN_URL').count()).toBe(0)
  })

  it('the reference page has samples for the administration too, which Scalar makes', async () => {
    await page.goto(`${server.url}/docs?api=administration`, { waitUntil: 'networkidle' })
    await page.getByRole('navigation').getByText('Your account', { exact: true }).first().click()
    await page.getByText(`curl ${server.url}/admin/v1/me`).filter({ visible: true }).first().waitFor()
    expect(complaints).toEqual([])
  })

  it('the reference page begins with chapters, and groups the endpoints in the order of the specification', async () => {
    await page.goto(`${server.url}/docs`, { waitUntil: 'networkidle' })
    const navigation = page.getByRole('navigation').first()
    await navigation.getByText('Introduction').first().click()
    await navigation.getByText('Webhooks').first().waitFor()
    const lines = (await navigation.allInnerTexts()).flatMap(text => text.split('\n'))
    const expected = ['Getting started', 'Errors', 'Limits', 'Pages', 'The feed of changes', 'Webhooks', 'Account']
    const groups = ['Events', 'Projects', 'Task lists', 'Tasks', 'Comments', 'Discussions', 'Files and folders']
    // What is sent to receivers comes after what can be called.
    const all = [...expected, ...groups, 'Webhooks']
    expect(lines.filter(line => all.includes(line))).toEqual(all)
  })

  it('the reference page asks for a key once: it holds for every endpoint, and after the page is loaded again', async () => {
    const { key } = await server.diwan.company()
    await page.goto(`${server.url}/docs`, { waitUntil: 'networkidle' })
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

  it('the reference page offers no tool that would send the description to another machine', async () => {
    await page.goto(`${server.url}/docs`, { waitUntil: 'networkidle' })
    await openProjects()
    expect(await page.getByText(/Generate SDKs|^Share$/).count()).toBe(0)
  })

  const openInArabic = (query = '') => page.goto(`${server.url}/docs?lang=ar${query}`, { waitUntil: 'networkidle' })
  const directionOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => getComputedStyle(element).direction)
  const choose = async (...names: string[]) => {
    for (const name of names) await page.getByRole('navigation').getByText(name, { exact: true }).first().click()
  }

  it('in Arabic the reference page is mirrored around code, which runs from left to right', async () => {
    await openInArabic()
    expect(await page.title()).toBe('مرجع API ديوان')
    await choose('المشاريع', 'إنشاء مشروع')
    await page.getByRole('heading', { name: 'إنشاء مشروع', exact: true }).waitFor()
    expect(await directionOf('html')).toBe('rtl')
    expect((await page.getByRole('navigation').first().boundingBox())?.x).toBeGreaterThan(640)
    for (const code of ['.section pre', '.markdown code', '.scalar-code-block'])
      expect([code, await directionOf(code)]).toEqual([code, 'ltr'])
    // A sample is shown from its beginning.
    const sample = page.locator('pre').filter({ hasText: 'curl -X POST', visible: true }).first()
    const [inside, outside_] = [await sample.boundingBox(), await sample.locator('..').boundingBox()]
    expect(inside?.x).toBeGreaterThanOrEqual(outside_?.x as number)
    expect(outside()).toEqual([])
    expect(complaints).toEqual([])
  })

  it('in Arabic the reference page has no English words besides names, values and code', async () => {
    await openInArabic()
    await choose('المشاريع', 'إنشاء مشروع')
    await page.getByText('عرض الحقول الفرعية').filter({ visible: true }).first().click()
    await expect.poll(englishWords).toEqual([])
    await page.getByText('تجربة الطلب').filter({ visible: true }).first().click()
    await page.getByText('إرسال', { exact: true }).filter({ visible: true }).first().waitFor()
    await expect.poll(englishWords).toEqual([])
  })

  it('in Arabic the reference page shows the administration too, and names of models are left alone', async () => {
    await openInArabic('&api=administration')
    await choose('مفاتيح API', 'تجديد مفتاح API')
    await page.getByRole('heading', { name: 'تجديد مفتاح API', exact: true }).waitFor()
    await choose('النماذج')
    await page.getByRole('navigation').getByText('Key', { exact: true }).first().waitFor()
    expect(complaints).toEqual([])
  })

  it('in Arabic the reference page is searched in Arabic', async () => {
    await openInArabic()
    await page.getByText('بحث', { exact: true }).filter({ visible: true }).first().click()
    await page.getByPlaceholder('بحث…').fill('إكمال')
    const found = page.getByRole('option').first()
    await expect.poll(() => found.textContent()).toMatch(/إكمال مهمة/)
    expect(await found.locator('.inline-flex').evaluate(path => getComputedStyle(path).direction)).toBe('ltr')
    await found.click()
    await page.getByRole('heading', { name: 'إكمال مهمة', exact: true }).waitFor()
  })

  it('the reference page leads to the same place in the other language', async () => {
    await openInArabic()
    await choose('المشاريع', 'إنشاء مشروع')
    await page.waitForURL(/#api\/tag\/projects\/POST\/projects$/)
    await page.getByRole('link', { name: 'English', exact: true }).click()
    await page.waitForURL(/lang=en#api\/tag\/projects\/POST\/projects$/)
    await page.getByRole('heading', { name: 'Create a project', exact: true }).waitFor()
    await page.getByRole('link', { name: 'العربية', exact: true }).click()
    await page.waitForURL(/lang=ar#api\/tag\/projects\/POST\/projects$/)
    await page.getByRole('heading', { name: 'إنشاء مشروع', exact: true }).waitFor()
  })

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)(
    'the reference page, %i wide and %s, fits its window, and can be read by everyone in Arabic who can read it in English',
    async (width, colorScheme) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const openIn = async (language: string) => {
        await page.goto(`${server.url}/docs?lang=${language}`, { waitUntil: 'networkidle' })
        await page.locator('.markdown table').first().waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
      const faults = async () => (await accessibilityFaults(page)).map(fault => fault.split(':')[0])
      await openIn('ar')
      const inArabic = await faults()
      await openIn('en')
      // Scalar has faults of its own, which show once it has drawn all of the page.
      await expect
        .poll(
          async () => {
            const inEnglish = await faults()
            return inArabic.filter(fault => !inEnglish.includes(fault))
          },
          { timeout: 120_000 },
        )
        .toEqual([])
    },
  )

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

  it('the front page leads to the reference page and to the description', async () => {
    await page.goto(server.url)
    const addresses = await page.locator('a').evaluateAll(links => links.map(link => link.getAttribute('href')))
    expect(addresses).toEqual(expect.arrayContaining(['/docs?lang=en', '/openapi.json']))
    await page.locator('a[href="/docs?lang=en"]').click()
    await openProjects()
    expect(outside()).toEqual([])
    expect(complaints).toEqual([])
  })
})
