import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Look, launchBrowser, signIn, type Visit, visit } from './browser.ts'
import { describeWith } from './describe-with.ts'
import type { Part } from './parts.ts'
import { type Env, embedded, type ServerProcess, serve } from './server-process.ts'

export const WIDE: Look = { language: 'en', width: 1280, appearance: 'light' }
export const NARROW: Look = { language: 'ar', width: 390, appearance: 'dark' }

/** A server and a browser for the tests of a suite, which visit its console. */
export interface Site {
  readonly server: ServerProcess
  /** As in the wide English look where none is named, and at the server unless it is reached through a proxy. */
  visit: (look?: Look, url?: string) => Promise<Visit>
  /** Visits the console, signs in as the person who has the token, and goes to a view. */
  enter: (token: string, path?: string, look?: Look, url?: string) => Promise<Visit>
}

interface Settings {
  /** Settings of the server, added to those of every test. */
  env?: Env
  /** Changes the folder of the server before it starts. */
  prepare?: (env: Env) => Promise<unknown>
  /** Programs beside the browser. */
  needs?: Part[]
}

/**
 * A `describe` with a site, which is skipped where there is no browser. After each test its visits end: none of them may have met an
 * error, or asked another server for anything.
 */
export const describeConsole = (name: string, body: (site: Site) => void) => describeConsoleWith({}, name, body)

export function describeConsoleWith(
  { needs = [], ...settings }: Settings,
  name: string,
  body: (site: Site, paths: Record<Part, string>) => void,
): void {
  describeWith(['chromium', ...needs], name, paths => body(useConsole(settings), paths))
}

function useConsole({ env: own = {}, prepare = async () => {} }: Omit<Settings, 'needs'>): Site {
  let server: ServerProcess
  let browser: Browser
  const visits: Visit[] = []
  beforeAll(async () => {
    const env = { ...embedded(), ...own }
    await prepare(env)
    server = await serve(env)
    browser = await launchBrowser()
  })
  afterEach(async () => {
    const ended = visits.splice(0)
    await Promise.all(ended.map(({ context }) => context.close()))
    expect(ended.flatMap(({ complaints, strayed }) => [...complaints, ...strayed])).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
  })
  const site: Site = {
    get server() {
      return server
    },
    async visit(look = WIDE, url = server.url) {
      const seen = await visit(browser, url, look)
      visits.push(seen)
      return seen
    },
    async enter(token, path, look, url) {
      const seen = await site.visit(look, url)
      await signIn(seen, token)
      if (path !== undefined) await seen.open(path)
      return seen
    },
  }
  return site
}
