import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { executablePath, launchBrowser, overflowing, signIn, visit } from '../support/browser.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from '../support/server-process.ts'
import { freePort, POSTGRES_TEMPLATE } from '../support/servers.ts'

describe.skipIf(!inject('postgresUrl') || !executablePath)('The console of two cells', () => {
  let databases: Awaited<ReturnType<typeof createPostgresDatabase>>[]
  let cells: ServerProcess[]
  let browser: Browser
  beforeAll(async () => {
    databases = [await createPostgresDatabase(POSTGRES_TEMPLATE), await createPostgresDatabase(POSTGRES_TEMPLATE)]
    const ports = [await freePort(), await freePort()]
    const CELLS = ports.map((port, n) => `${n + 1}=http://127.0.0.1:${port}`).join(',')
    const common = { CELLS, SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0', WORKER: 'off' }
    cells = await Promise.all(
      databases.map(({ url }, n) =>
        serve({ ...common, CELL: String(n + 1), PORT: String(ports[n]), DATABASE_URL: url, DATA_DIR: newFolder() }),
      ),
    )
    await cells[0]?.diwan.company({ name: 'Najd Trading' })
    await cells[1]?.diwan.company({ name: 'شركة الحجاز' })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all(cells?.map(cell => cell.end('SIGKILL')) ?? [])
    await Promise.all(databases?.map(database => database.drop()) ?? [])
  })

  it.each(['en', 'ar'] as const)(
    'lists the companies of both with their cell, opens either, and says which cell is away: %s',
    async language => {
      const cell = language === 'en' ? 'Cell' : 'الخلية'
      const [first, second] = cells as [ServerProcess, ServerProcess]
      const seen = await visit(browser, first.url, { language, width: 1280, appearance: 'light' })
      const { page, open, settled, complaints } = seen
      await signIn(seen, OPERATOR_TOKEN)
      await open('/companies')
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      await expect.poll(() => row('Najd Trading').textContent()).toContain(`${cell} 1`)
      await expect.poll(() => row('شركة الحجاز').textContent()).toContain(`${cell} 2`)
      expect(await overflowing(page)).toEqual([])
      await row('شركة الحجاز').getByRole('link').first().click()
      await page.getByRole('heading', { level: 1 }).filter({ hasText: 'شركة الحجاز' }).waitFor()
      await settled()

      process.kill(second.pid, 'SIGSTOP')
      await open('/companies')
      await page.getByText(language === 'en' ? 'These cells do not answer' : 'لا تستجيب هذه الخلايا').waitFor()
      process.kill(second.pid, 'SIGCONT')
      // It is back: nothing was pressed here.
      await row('شركة الحجاز').waitFor()
      expect(complaints).toEqual([])
      await seen.context.close()
    },
  )
})
