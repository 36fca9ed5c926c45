import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { COMPANY_ROUTES, SERVICE_ROUTES } from '../../console/src/frame/routes.ts'
import type { Language } from '../../console/src/words/language.ts'
import { accessibilityFaults, LOOKS, type Look, nameOf, overflowing, type Visit } from '../support/browser.ts'
import { PASSWORD, USERNAME } from '../support/caldav-server.ts'
import { startRadicale } from '../support/radicale.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { describeConsoleWith } from '../support/site.ts'
import { furnishCompany, hostileNaming, type Places } from './furnished.ts'
import { leaveFailedJobs } from './left-jobs.ts'

/** `npm run screenshots` asks for a picture of every view in every look. */
const PICTURES = process.env.SCREENSHOTS

/** All eight when pictures are asked for. Else both widths in each language, the wide one light and the narrow one dark. */
const looksIn = (language: Language) =>
  LOOKS.filter(
    look => look.language === language && (PICTURES || (look.width === 390) === (look.appearance === 'dark')),
  )

/** What axe-core finds depends on the language and on the colours, and takes it long: each of these is tried once. */
const isExamined = ({ language, appearance }: Look) => (language === 'en') === (appearance === 'light')

const LANGUAGES = ['en', 'ar'] as const
const LONG = { tags: 'long', timeout: 600_000 }

/** Views that show something else once something was asked of them. */
const ASKED = ['/companies/:company/search?q=desk', '/companies/:company/explorer?endpoint=createTask']
const PATHS = [...[...COMPANY_ROUTES, ...SERVICE_ROUTES].map(({ path }) => path), ...ASKED]
const filled = (path: string, places: Places) => path.replace(/:(\w+)/g, (_, name) => String(places[name]))

describeConsoleWith(
  {
    needs: ['radicale'],
    env: { ALLOW_PRIVATE_WEBHOOKS: 'on', ALLOW_PRIVATE_CALENDARS: 'on' },
    prepare: env => leaveFailedJobs(env, ['connect ECONNREFUSED 127.0.0.1:25', `550 ${'W'.repeat(255)}`]),
  },
  'Every view',
  (site, { radicale }) => {
    const furnished: Record<'usual' | 'hostile', Places> = { usual: {}, hostile: {} }

    beforeAll(async () => {
      const calendars = await startRadicale(radicale)
      const calendarOf = async (name: string) => ({
        url: await calendars.calendar(name),
        username: USERNAME,
        password: PASSWORD,
      })
      furnished.usual = (await furnishCompany(site.server.diwan, undefined, await calendarOf('usual'))).places
      furnished.hostile = (await furnishCompany(site.server.diwan, hostileNaming(), await calendarOf('hostile'))).places
    })

    /** Goes to each view in turn, changes the window from look to look, and tells what is wrong. */
    async function faultsOfAll(
      language: Language,
      places: Places,
      lookAt: (seen: Visit, look: Look, path: string) => Promise<string[]>,
    ) {
      const looks = looksIn(language)
      const [first] = looks as [Look]
      const seen = await site.enter(OPERATOR_TOKEN, undefined, first)
      // Every view can be loaded by its address, and reached from another; that it is so in one language is enough.
      const reach = language === 'en' ? seen.open : seen.follow
      const faults: Record<string, string[]> = {}
      for (const path of PATHS) {
        await reach(filled(path, places))
        for (const look of looks) {
          await seen.wear(look)
          const found = [
            ...(await overflowing(seen.page)),
            ...(await lookAt(seen, look, path)),
            ...seen.complaints.splice(0),
          ]
          if ((await seen.page.locator('main h1').count()) !== 1) found.push('has not one heading')
          if (found.length > 0) faults[`${path} ${nameOf(look)}`] = found
        }
      }
      return faults
    }

    for (const language of LANGUAGES) {
      const unlessFirst = language === LANGUAGES[0] ? { timeout: 600_000 } : LONG

      it(`fits, makes no complaint and has no fault that axe-core finds, ${language}`, unlessFirst, async () => {
        const faults = await faultsOfAll(language, furnished.usual, async (seen, look, path) => {
          if (PICTURES) await takePicture(seen, nameOf(look), path)
          return isExamined(look) ? accessibilityFaults(seen.page) : []
        })
        expect(faults).toEqual({})
      })

      it(`runs no script and keeps its layout, whatever things are called, ${language}`, LONG, async () => {
        const faults = await faultsOfAll(language, furnished.hostile, async (seen, look, path) => {
          if (PICTURES) await takePicture(seen, `hostile-${nameOf(look)}`, path)
          return (await seen.page.locator('main img, main script').count()) > 0 ? ['markup became an element'] : []
        })
        expect(faults).toEqual({})
      })
    }

    async function takePicture({ page }: Visit, folder: string, path: string): Promise<void> {
      const target = join(PICTURES as string, folder)
      mkdirSync(target, { recursive: true })
      const file = path.replaceAll(/[/:?=]+/g, '-').replace(/^-/, '')
      await page.screenshot({ path: join(target, `${file}.png`), fullPage: true })
    }
  },
)
