import { beforeAll, expect, it } from 'vitest'
import { accessibilityFaults, overflowing, signIn } from '../support/browser.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { until } from '../support/servers.ts'
import { describeConsole } from '../support/site.ts'

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

describeConsole('A chart', site => {
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

  it('tells its values to the keyboard and the pointer, has them in a table, and no fraction of a call on its axis', async () => {
    const seen = await site.visit()
    const { page } = seen
    await page.addInitScript(keepDrawnText)
    await signIn(seen, company.ownerToken)
    await seen.open(`/companies/${company.id}/usage?days=7`)
    const labels = () => page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn)
    await expect.poll(labels).toContain('2')
    expect((await labels()).filter(label => label.includes('.'))).toEqual([])
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
    expect([await overflowing(page), await accessibilityFaults(page)]).toEqual([[], []])
  })
})
