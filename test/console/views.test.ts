import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPANY_ROUTES, SERVICE_ROUTES } from '../../console/src/frame/routes.ts'
import {
  accessibilityFaults,
  executablePath,
  LOOKS,
  type Look,
  launchBrowser,
  nameOf,
  overflowing,
  signIn,
  type Visit,
  visit,
} from '../support/browser.ts'
import { PASSWORD, USERNAME } from '../support/caldav-server.ts'
import { findParts } from '../support/parts.ts'
import { startRadicale } from '../support/radicale.ts'
import { embedded, OPERATOR_TOKEN, type ServerProcess, serve } from '../support/server-process.ts'
import { furnishCompany, hostileNaming, type Places } from './furnished.ts'
import { leaveFailedJobs } from './left-jobs.ts'

/** `npm run screenshots` asks for a picture of every view in every look. */
const PICTURES = process.env.SCREENSHOTS

/** Each language in both widths, and each appearance in both languages; all eight when pictures are asked for. */
const looks = PICTURES ? LOOKS : LOOKS.filter(({ width, appearance }) => (width === 390) === (appearance === 'dark'))

const LONG = { tags: 'long', timeout: 600_000 }
const unlessFirst = (look: Look) => (look === looks[0] ? { timeout: 600_000 } : LONG)

/** Views that show something else once something was asked of them. */
const ASKED = ['/companies/:company/search?q=desk', '/companies/:company/explorer?endpoint=createTask']
const PATHS = [...[...COMPANY_ROUTES, ...SERVICE_ROUTES].map(({ path }) => path), ...ASKED]
const filled = (path: string, places: Places) => path.replace(/:(\w+)/g, (_, name) => String(places[name]))

describe.skipIf(!executablePath)('Every view', () => {
  let server: ServerProcess
  let browser: Browser
  const furnished: Record<'usual' | 'hostile', Places> = { usual: {}, hostile: {} }

  beforeAll(async () => {
    const failed = await leaveFailedJobs(embedded(), ['connect ECONNREFUSED 127.0.0.1:25', `550 ${'W'.repeat(255)}`])
    server = await serve({ ...failed, ALLOW_PRIVATE_WEBHOOKS: 'on', ALLOW_PRIVATE_CALENDARS: 'on' })
    const { radicale } = findParts()
    const calendars = radicale ? await startRadicale(radicale) : undefined
    const calendarOf = async (name: string) =>
      calendars && { url: await calendars.calendar(name), username: USERNAME, password: PASSWORD }
    furnished.usual = (await furnishCompany(server.diwan, undefined, await calendarOf('usual'))).places
    furnished.hostile = (await furnishCompany(server.diwan, hostileNaming(), await calendarOf('hostile'))).places
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
  })

  /** Opens each view in turn, and tells what is wrong with it. */
  async function faultsOfAll(seen: Visit, places: Places, lookAt: (path: string) => Promise<string[]>) {
    const faults: Record<string, string[]> = {}
    for (const path of PATHS) {
      await seen.open(filled(path, places))
      const found = [...(await overflowing(seen.page)), ...(await lookAt(path)), ...seen.complaints.splice(0)]
      if ((await seen.page.locator('main h1').count()) !== 1) found.push('has not one heading')
      if (found.length > 0) faults[path] = found
    }
    expect(seen.strayed).toEqual([])
    return faults
  }

  for (const look of looks)
    it(
      `fits, makes no complaint and has no fault that axe-core finds, ${nameOf(look)}`,
      unlessFirst(look),
      async () => {
        const seen = await visit(browser, server.url, look)
        await signIn(seen, OPERATOR_TOKEN, look)
        const faults = await faultsOfAll(seen, furnished.usual, async path => {
          if (PICTURES) await takePicture(seen, nameOf(look), path)
          return accessibilityFaults(seen.page)
        })
        await seen.context.close()
        expect(faults).toEqual({})
      },
    )

  it.each(
    looks
      .filter(({ language, width }) => (language === 'en') === (width === 390))
      .map(look => [nameOf(look), look] as const),
  )('runs no script and keeps its layout, whatever things are called, %s', LONG, async (name, look) => {
    const seen = await visit(browser, server.url, look)
    await signIn(seen, OPERATOR_TOKEN, look)
    const faults = await faultsOfAll(seen, furnished.hostile, async path => {
      if (PICTURES) await takePicture(seen, `hostile-${name}`, path)
      return (await seen.page.locator('main img, main script').count()) > 0 ? ['markup became an element'] : []
    })
    await seen.context.close()
    expect(faults).toEqual({})
  })

  async function takePicture({ page }: Visit, folder: string, path: string): Promise<void> {
    const target = join(PICTURES as string, folder)
    mkdirSync(target, { recursive: true })
    const file = path.replaceAll(/[/:?=]+/g, '-').replace(/^-/, '')
    await page.screenshot({ path: join(target, `${file}.png`), fullPage: true })
  }
})
