import { CODE, compile } from './code.js'
import { makePages, PAGES } from './pages.js'
import { unlessUnchanged } from './unchanged.js'

// Builds everything in dist that a start needs. Parts that were already built from the same sources are left alone.

const SAID_AFTER_MS = 1_000

const saying = setTimeout(() => process.stderr.write('Building…\n'), SAID_AFTER_MS)
const parts = [unlessUnchanged('code', CODE, compile), unlessUnchanged('pages', PAGES, makePages)]
for (const { reason } of await Promise.allSettled(parts)) {
  if (reason === undefined) continue
  process.stderr.write(`${reason.message}\n`)
  process.exitCode = 1
}
clearTimeout(saying)
