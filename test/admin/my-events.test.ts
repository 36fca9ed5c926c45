import { beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { type Client, created, type TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Client
beforeAll(async () => {
  company = await app.diwan.company({ time_zone: 'Asia/Riyadh' })
  work = recordsFor(company, company.ownerToken)
  await newEvent('Fair', '2030-01-28', '2030-02-03', { all_day: true })
  await newEvent('Night shift', '2030-01-31T22:00', '2030-02-01T02:00')
  await newEvent('Lunch', '2030-02-14T12:00', '2030-02-14T13:00')
  await newEvent('Ended', '2030-01-31T09:00', '2030-01-31T23:59')
  await newEvent('Last evening', '2030-02-28T21:00', '2030-03-01T01:00')
  await newEvent('March', '2030-03-01T00:00', '2030-03-01T01:00')
})

const recordsFor = ({ id }: TestCompany, token: string) => app.diwan.client(`/admin/v1/companies/${id}/records`, token)
const newEvent = async (name: string, starts_at: string, ends_at: string, fields: object = {}) =>
  created(work.post('/events', { name, starts_at, ends_at, ...fields }))
const names = async (query: string, of = work) =>
  (await of.get(`/me/events?${query}`)).body.data.map(({ name }: { name: string }) => name)

describe('My events', () => {
  it('are those that take place in a period of the company’s days, also if they started earlier', async () => {
    expect(await names('from=2030-02-01&to=2030-02-28')).toEqual(['Fair', 'Night shift', 'Lunch', 'Last evening'])
    expect(await names('from=2030-02-04&to=2030-02-13')).toEqual([])
    // The last day of an all-day event is one of its days.
    expect(await names('from=2030-02-03&to=2030-02-03')).toEqual(['Fair'])
  })

  it('are what goes on or is to come, without a period', async () => {
    expect(await names('')).toEqual(['Fair', 'Ended', 'Night shift', 'Lunch', 'Last evening', 'March'])
  })

  it('come in pages, ordered by their start', async () => {
    const first = await work.get('/me/events?from=2030-02-01&to=2030-02-28&limit=3')
    expect(first.body.meta).toMatchObject({ total: 4, count: 3 })
    const cursor = first.body.meta.next_cursor
    expect(await names(`from=2030-02-01&to=2030-02-28&limit=3&cursor=${cursor}`)).toEqual(['Last evening'])
  })

  it('are nobody else’s: members see their own, and the operator is refused', async () => {
    const { token } = await app.diwan.person(company.id)
    expect(await names('from=2030-02-01', recordsFor(company, token))).toEqual([])
    expectRefusal(await recordsFor(company, OPERATOR_TOKEN).get('/me/events'), 403, 'forbidden')
  })

  it('refuse a period that cannot be read', async () => {
    expectRefusal(await work.get('/me/events?from=nonsense'), 422, 'unprocessable_entity')
  })
})
