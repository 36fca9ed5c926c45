import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useEventsWords } from '../../console/src/views/events/words.ts'
import { useCommonWords } from '../../console/src/words/common.ts'
import type { Look } from '../support/browser.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { describeConsole, WIDE } from '../support/site.ts'

const t = useEventsWords.en
const common = useCommonWords.en
const isolated = (name: string) => `\u2068${name}\u2069`

interface Person {
  token: string
  email: string
}

describeConsole('My events', site => {
  /** A company, a member of it and the API as each of them. */
  async function furnish(settings: object = {}) {
    const company: TestCompany = await site.server.diwan.company({ time_zone: 'Asia/Riyadh', ...settings })
    const member: Person = await site.server.diwan.person(company.id, { name: 'Huda Salem' })
    const records = (token: string): Client =>
      site.server.diwan.client(`/admin/v1/companies/${company.id}/records`, token)
    const owner = records(company.ownerToken)
    const newEvent = async (name: string, starts_at: string, ends_at: string, fields: object = {}) =>
      (await created(owner.post('/events', { name, starts_at, ends_at, ...fields }))).data
    return { company, member, owner, records, newEvent, at: `/companies/${company.id}/events` }
  }

  const chosen = (page: Page) => page.locator('[role="grid"] [aria-selected="true"] .read-out').textContent()
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.querySelector('.read-out')?.textContent)

  it('are reached, made and opened by keyboard alone', async () => {
    const { company, owner, newEvent, at } = await furnish()
    await newEvent('Board meeting', '2026-12-03T10:00', '2026-12-03T11:30')
    const { page, settled } = await site.enter(company.ownerToken, `${at}?day=2026-11-26`)
    await page.locator('[role="grid"] [tabindex="0"]').focus()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      await settled()
    }
    await press('ArrowRight', 'ArrowDown', 'ArrowLeft')
    await expect.poll(() => focused(page)).toContain('Thursday, 3 December 2026')
    await expect.poll(() => focused(page)).toContain(`${t.eventsOn(1)}, ${isolated('Board meeting')}`)
    expect(page.url()).toContain('day=2026-12-03')
    await press('Home')
    await expect.poll(() => focused(page)).toContain('Sunday, 29 November')
    await press('End', 'PageDown')
    await expect.poll(() => focused(page)).toContain('Tuesday, 5 January 2027')
    // One day of the grid is reached with Tab.
    await expect.poll(() => page.locator('[role="grid"] [tabindex="0"]').count()).toBe(1)

    // Enter on an empty day begins an event there.
    await press('Enter')
    await page.getByLabel(t.name).waitFor()
    await page.keyboard.type('Inventory')
    await press('Enter')
    await page.getByText(t.created(isolated('Inventory'))).waitFor()
    const { data } = (await owner.get('/events?from=2027-01-05&to=2027-01-05')).body
    expect(data).toMatchObject([{ name: 'Inventory', starts_at: '2027-01-05T09:00:00+03:00', all_day: false }])

    // On a day with events it leads to them.
    await page.locator('[role="grid"] [tabindex="0"]').focus()
    await page.locator('[role="grid"]').getByText('Inventory', { exact: true }).waitFor()
    await press('Enter')
    await page.getByRole('button', { name: t.open(isolated('Inventory')) }).focus()
    await press('Enter')
    await page.getByRole('button', { name: t.edit(isolated('Inventory')) }).waitFor()
  })

  it('turn the arrow keys around in Arabic, and show the second calendar', async () => {
    const { company, at } = await furnish()
    await company.admin.patch('', { second_calendar: 'islamic-umalqura' })
    const look: Look = { ...WIDE, language: 'ar' }
    const { page, settled } = await site.enter(company.ownerToken, `${at}?day=2026-11-17`, look)
    await page.locator('[role="grid"] [tabindex="0"]').focus()
    await page.keyboard.press('ArrowLeft')
    await settled()
    await expect.poll(() => chosen(page)).toContain('الأربعاء، 18 نوفمبر 2026')
    await expect.poll(() => chosen(page)).toContain('1448')
  })

  it('name the company’s zone to those who are in another, and are written in it', async () => {
    const { company, owner, at } = await furnish({ time_zone: 'Asia/Tokyo' })
    const { page } = await site.enter(company.ownerToken, `${at}?day=2027-05-04`)
    await page.getByText('Japan').waitFor()
    await page.getByRole('button', { name: t.add, exact: true }).click()
    await page.getByLabel(t.name).fill('Golden week')
    await page.getByLabel(t.starts).fill('2027-05-04T23:30')
    await page.keyboard.press('Enter')
    await page.getByText(t.created(isolated('Golden week'))).waitFor()
    const { data } = (await owner.get('/events?from=2027-05-04&to=2027-05-05')).body
    // The end went along with the start.
    expect(data).toMatchObject([{ starts_at: '2027-05-04T23:30:00+09:00', ends_at: '2027-05-05T00:30:00+09:00' }])
  })

  it('keep what is being written when another day is chosen, and move it there', async () => {
    const { company, at } = await furnish()
    const { page } = await site.enter(company.ownerToken, `${at}?day=2027-04-06`)
    await page.getByRole('button', { name: t.add, exact: true }).click()
    await page.getByLabel(t.name).fill('Half written')
    await page.getByRole('gridcell', { name: 'Thursday, 15 April 2027' }).click()
    await expect.poll(() => page.getByLabel(t.starts).inputValue()).toBe('2027-04-15T09:00')
    await expect.poll(() => page.getByLabel(t.name).inputValue()).toBe('Half written')
  })

  it('are made by members, who invite others, change them and delete them again', async () => {
    const { member, company, records, at } = await furnish()
    const { page, settled } = await site.enter(member.token, `${at}?day=2027-02-10`)
    await page.getByRole('button', { name: t.add, exact: true }).click()
    await page.getByLabel(t.name).fill('Workshop')
    await page.getByLabel(t.allDay).check()
    await page.getByLabel(t.lastDay).fill('2027-02-12')
    await page.getByLabel(t.invited).fill('nobody@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: t.create }).click()
    await page.getByRole('alert').getByText('nobody@example.com').waitFor()
    await page.getByRole('button', { name: `${common.remove} ${isolated('nobody@example.com')}` }).click()
    await page.getByLabel(t.invited).fill(company.owner.email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: t.create }).click()
    await page.getByText(t.created(isolated('Workshop'))).waitFor()
    const stored = async () => (await records(member.token).get('/events?from=2027-02-01')).body.data
    await expect.poll(stored).toMatchObject([
      {
        name: 'Workshop',
        all_day: true,
        starts_at: expect.stringMatching(/^2027-02-10/),
        ends_at: expect.stringMatching(/^2027-02-12/),
        attendees: [{ email: company.owner.email }],
      },
    ])

    await page.getByRole('button', { name: t.open(isolated('Workshop')) }).click()
    await page.getByRole('button', { name: t.edit(isolated('Workshop')) }).click()
    await page.getByLabel(t.name).fill('Winter workshop')
    await page.getByRole('button', { name: common.save }).click()
    await page.getByText(t.changed(isolated('Winter workshop'))).waitFor()
    await expect.poll(stored).toMatchObject([{ name: 'Winter workshop', attendees: [{ email: company.owner.email }] }])

    await settled()
    await page.getByRole('button', { name: t.delete(isolated('Winter workshop')) }).click()
    await page.getByRole('dialog').getByRole('button', { name: t.deleteVerb }).click()
    await page.getByText(t.noneOnDay).waitFor()
    await expect.poll(stored).toEqual([])
  })

  it('offer no change to those who are only invited', async () => {
    const { member, newEvent, at } = await furnish()
    await newEvent('All hands', '2027-03-03T10:00', '2027-03-03T11:00', { attendee_emails: [member.email] })
    const { page } = await site.enter(member.token, `${at}?day=2027-03-03`)
    await page.getByRole('button', { name: t.open(isolated('All hands')) }).click()
    await page.getByText(t.notYours).waitFor()
    await expect.poll(() => page.getByRole('button', { name: t.editVerb }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: t.deleteVerb }).count()).toBe(0)
  })

  it('begin with the agenda where it is narrow, and with what goes on', async () => {
    const { company, newEvent, at } = await furnish()
    await newEvent('Long project', '2026-11-01', '2026-12-20', { all_day: true })
    await newEvent('Soon', '2026-12-24T10:00', '2026-12-24T11:00')
    await newEvent('Over', '2026-12-01T10:00', '2026-12-01T11:00')
    const { page } = await site.enter(company.ownerToken, `${at}?day=2026-12-15`, { ...WIDE, width: 390 })
    await expect
      .poll(() => page.locator('.agenda-day h2').allTextContents())
      .toEqual([expect.stringContaining('15 December'), expect.stringContaining('24 December')])
    await expect.poll(() => page.getByText('Over', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: t.month, exact: true }).click()
    await page.getByRole('grid', { name: 'December 2026' }).waitFor()
  })
})
