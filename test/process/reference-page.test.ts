import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findParts } from '../support/parts.ts'
import { newFolder, type ServerProcess, serve, withoutJobs } from '../support/server-process.ts'

const { chromium: executablePath } = findParts()
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

describe.skipIf(!executablePath)('In a browser', () => {
  let server: ServerProcess
  let browser: BrowserContext
  let page: Page
  let requests: string[]
  let complaints: string[]

  beforeAll(async () => {
    server = await serve(withoutJobs())
    browser = await chromium.launchPersistentContext(newFolder(), {
      executablePath: executablePath as string,
      headless: true,
      args: FLAGS,
      viewport: { width: 1280, height: 900 },
    })
  })

  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
  })

  beforeEach(async () => {
    requests = []
    complaints = []
    page = await browser.newPage()
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

  it('the front page leads to the reference page and to the description', async () => {
    await page.goto(server.url)
    const addresses = await page.locator('a').evaluateAll(links => links.map(link => link.getAttribute('href')))
    expect(addresses).toEqual(expect.arrayContaining(['/docs', '/openapi.json']))
    await page.locator('a[href="/docs"]').click()
    await openProjects()
    expect(outside()).toEqual([])
    expect(complaints).toEqual([])
  })
})
