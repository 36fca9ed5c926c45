import { beforeAll, describe, expect, it } from 'vitest'
import { drawnLines, type Line } from '../../console/src/parts/chart-drawing.ts'
import { accessibilityFaults, executablePath, type Look, overflowing, signIn } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { useConsole } from '../support/site.ts'

const LOOKS: Look[] = [
  { language: 'en', width: 1280, appearance: 'light' },
  { language: 'ar', width: 390, appearance: 'dark' },
]

/** Keeps what is written on a canvas, which cannot be read otherwise. */
function keepDrawnText() {
  const drawn: string[] = []
  Object.assign(globalThis, { drawn })
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    drawn.push(text)
    fillText.call(this, text, x, y)
  }
}

describe('What is stacked', () => {
  const line = (label: string, values: number[], as: Line['as']): Line => ({ label, values, colour: 'accent', as })

  it('stands on what comes before it, and is drawn before it is covered', () => {
    const lines = [line('a', [1, 2], 'stacked bars'), line('b', [3, 0], 'stacked bars'), line('limit', [9, 9], 'line')]
    expect(drawnLines(lines).map(({ label, values }) => [label, values])).toEqual([
      ['b', [4, 2]],
      ['a', [1, 2]],
      ['limit', [9, 9]],
    ])
  })
})

describe.skipIf(!executablePath)('A chart', () => {
  const site = useConsole()
  let company: TestCompany

  beforeAll(async () => {
    company = await site.server.diwan.company()
    for (const [name, calls] of Object.entries({ Zapier: 3, Reporting: 2 })) {
      const { key } = (await created(company.admin.post('/keys', { name, access: 'read' }))).data
      for (let n = 0; n < calls; n++) await site.server.diwan.api(key).get('/projects')
      if (name === 'Zapier') await site.server.diwan.api(key).post('/projects', { name: 'Denied' })
    }
    const counted = async () => {
      const { data } = (await company.admin.get('/usage?by=status&days=1')).body
      return data[0].by.some(({ status }: { status: number | null }) => status === 403)
    }
    await until(counted, 60_000)
  })

  const enter = async (look: Look, { id, ownerToken } = company) => {
    const seen = await site.visit(look)
    await seen.page.addInitScript(keepDrawnText)
    await signIn(seen, ownerToken)
    await seen.open(`/companies/${id}/usage?days=7`)
    await seen.page.locator('.chart canvas').waitFor()
    return seen
  }

  it.each(LOOKS)(
    'tells its values to the keyboard and the pointer, and has them in a table ($language, $width wide)',
    async look => {
      const { page, context, complaints } = await enter(look)
      const chart = page.getByRole('slider')
      const said = page.locator('.chart-values')
      // A stack of the keys; the denied calls among them are red.
      for (const name of ['Zapier', 'Reporting']) await said.getByText(name).waitFor()
      await expect.poll(() => said.locator('.swatch.bad').count()).toBe(1)

      await chart.focus()
      await expect.poll(() => said.textContent()).toMatch(/Zapier\s*4.*Reporting\s*2.*1$/)
      const today = await said.locator('time').getAttribute('datetime')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => said.textContent()).toMatch(/Zapier\s*0/)
      const before = await said.locator('time').getAttribute('datetime')
      expect(Date.parse(String(today)) - Date.parse(String(before))).toBe(86_400_000)
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('0')
      await page.keyboard.press('Escape')
      await expect.poll(() => said.locator('time').count()).toBe(0)
      await expect.poll(() => said.getAttribute('role')).toBe('status')

      const box = await page.locator('.chart .u-over').boundingBox()
      if (!box) throw new Error('There is no chart to point at')
      await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2)
      await expect.poll(() => said.textContent()).toMatch(/Zapier\s*4/)

      await page.locator('.chart-table summary').click()
      const rows = page.locator('.chart-table tbody tr')
      await expect.poll(() => rows.count()).toBe(1)
      await expect.poll(async () => (await rows.locator('td').allTextContents()).slice(1, 4)).toEqual(['4', '2', '1'])
      expect([await overflowing(page), await accessibilityFaults(page), complaints]).toEqual([[], [], []])
      await context.close()
    },
  )

  it('of days has no fraction of a call on its axis', async () => {
    const other = await site.server.diwan.company()
    await other.api.get('/projects')
    await until(async () => (await other.admin.get('/usage?days=1')).body.data[0].calls > 0, 60_000)
    const seen = await enter(LOOKS[0] as Look, other)
    const labels = () => seen.page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn)
    await expect.poll(labels).toContain('1')
    await expect.poll(async () => (await labels()).filter(label => label.includes('.'))).toEqual([])
    await seen.context.close()
  })

  it('of another kind has a table too: that of a key, and each of the live figures', async () => {
    const seen = await site.enter(OPERATOR_TOKEN, LOOKS[0] as Look)
    for (const path of [
      `/companies/${company.id}/keys/${(await company.admin.get('/keys')).body.data[1].id}`,
      '/figures',
    ]) {
      await seen.open(path)
      const charts = seen.page.locator('.charted')
      await charts.first().waitFor()
      for (const chart of await charts.all()) {
        await chart.locator('.chart-table summary').click()
        await chart.locator('.chart-table').locator('table, p').waitFor()
      }
    }
    await seen.context.close()
  })
})
