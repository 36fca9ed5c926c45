import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Look, launchBrowser, signIn, type Visit, visit } from './browser.ts'
import { type Env, embedded, type ServerProcess, serve } from './server-process.ts'

/** A server and a browser for the tests of a suite, which visit its console. */
export interface Site {
  readonly server: ServerProcess
  readonly browser: Browser
  visit: (look: Look) => Promise<Visit>
  /** Visits the console and signs in as the person who has the token. */
  enter: (token: string, look: Look) => Promise<Visit>
}

/** The server is an embedded one, with these settings beside those of every test; `prepare` changes its folder before it starts. */
export function useConsole(settings: Env = {}, prepare: (env: Env) => Promise<unknown> = async () => {}): Site {
  let server: ServerProcess
  let browser: Browser
  beforeAll(async () => {
    const env = { ...embedded(), ...settings }
    await prepare(env)
    server = await serve(env)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.end('SIGKILL')
  })
  return {
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    visit: look => visit(browser, server.url, look),
    async enter(token, look) {
      const seen = await visit(browser, server.url, look)
      await signIn(seen, token)
      return seen
    },
  }
}
