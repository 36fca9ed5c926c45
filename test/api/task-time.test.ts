import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { furnishWork, INSTANT, SLUGS, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let work: Work
let flat: string
let nested: string
beforeAll(async () => {
  work = await furnishWork(app.diwan, { plan: 'productive' })
  flat = `/tasks/${work.task.id}/time`
  nested = `/projects/${SLUGS.project}/lists/${SLUGS.list}/tasks/${SLUGS.task}/time`
})

/** Sends the body exactly as written, so that a JSON number keeps its text. */
const send = (json: string, address = flat) =>
  work.company.api.send('POST', address, { body: json, headers: { 'content-type': 'application/json' } })
const minutes = async () => (await work.company.api.get(`/tasks/${work.task.id}`)).body.data.time_spent_minutes

describe('The time of a task', () => {
  it.each([
    ['"1:30"', 90],
    ['"1.5"', 90],
    ['"90"', 90],
    ['90', 90],
    ['1.5', 90],
    ['1.0', 60],
    ['1', 1],
    ['"١:٣٠"', 90],
    ['"١٫٥"', 90],
    ['"٩٠"', 90],
    ['"۱:۳۰"', 90],
    ['"۱٫۵"', 90],
    ['"۱.۵"', 90],
    ['"۹۰"', 90],
    ['"0:01"', 1],
    ['"0:59"', 59],
    ['"00:30"', 30],
    ['"100:00"', 6_000],
    ['"0.25"', 15],
    ['"1.0"', 60],
    ['"0.1"', 6],
    ['0.5', 30],
    [String(4 / 3), 80],
    [`"${0.1 + 0.2}"`, 18],
    ['"10000000"', 10_000_000],
    ['"166666:40"', 10_000_000],
  ])('sent as %s is %i minutes, nested and flat, in place of what was there', async (json, expected) => {
    for (const address of [flat, nested]) {
      await send('{"time_spent":"7"}')
      const { status, body } = await send(`{"time_spent":${json}}`, address)
      expect([status, body]).toEqual([
        200,
        { data: { ...work.task, time_spent_minutes: expected, updated_at: INSTANT } },
      ])
      expect(await minutes()).toBe(expected)
    }
  })

  it('is replaced, not added to, and cleared by null and by ""', async () => {
    for (const clear of ['null', '""']) {
      await send('{"time_spent":"1:30"}')
      expect((await send('{"time_spent":"1:30"}')).body.data.time_spent_minutes).toBe(90)
      expect((await send(`{"time_spent":${clear}}`)).body.data.time_spent_minutes).toBeNull()
      expect(await minutes()).toBeNull()
    }
  })

  it('stays as it was when the value is zero in any shape, negative, nonsense or missing: 422', async () => {
    await send('{"time_spent":"45"}')
    const zeros = [
      '"0"',
      '0',
      '0.0',
      '-0',
      '"00"',
      '"0:00"',
      '"00:00"',
      '"0.0"',
      '"0.00"',
      '"٠"',
      '"۰"',
      '"٠:٠٠"',
      '"٠٫٠"',
      '"0.001"',
    ]
    const negatives = ['"-90"', '-90', '"-1:30"', '"-1.5"', '-1.5', '"−90"', '"1:-30"']
    const nonsense = [
      '"1:60"',
      '"1:99"',
      '"1:5"',
      '":30"',
      '"1:30:00"',
      '"1:"',
      '"90m"',
      '"1h"',
      '"1.5.5"',
      '"1,5"',
      '"1e2"',
      '1e2',
      '"abc"',
      '"+90"',
      '"9 0"',
      '"0x10"',
      '"٩٠دقيقة"',
      '"99999999999"',
      '"NaN"',
      'true',
      '[90]',
      '{}',
    ]
    for (const json of [...zeros, ...negatives, ...nonsense]) {
      const answer = await send(`{"time_spent":${json}}`)
      expect([json, answer.status, answer.body.error?.code]).toEqual([json, 422, 'unprocessable_entity'])
      expect(answer.body.error.message).toMatch(/^time_spent /)
    }
    for (const body of ['', '{}', '{"time":"90"}', '{"task":{"time_spent":"90"}}'])
      expect([body, (await send(body)).status]).toEqual([body, 422])
    expect(await minutes()).toBe(45)
  })

  it('is told the most that it can be when it is more than that', async () => {
    for (const json of ['"10000001"', '10000001', '"166666:41"', '"166666.7"', '"99999999999"'])
      expectRefusal(
        await send(`{"time_spent":${json}}`),
        422,
        'unprocessable_entity',
        'time_spent must be more than zero and at most 10000000 minutes, as H:MM, decimal hours or whole minutes',
      )
  })
})

describe('A plan without time tracking', () => {
  it('gets 403 plan_upgrade_required before any look-up or reading of the body, and nothing is recorded', async () => {
    const { company, task } = await furnishWork(app.diwan, { plan: 'advanced' })
    const message = expect.stringMatching(/Advanced.*المتقدمة/)
    for (const address of [`/tasks/${task.id}/time`, '/tasks/tsk-0000000000/time', '/projects/x/lists/y/tasks/z/time'])
      for (const body of [{ time_spent: '90' }, { time_spent: '0' }, {}]) {
        const answer = await company.api.post(address, body)
        expectRefusal(answer, 403, 'plan_upgrade_required', message)
        expect(answer.headers.get('retry-after')).toBeNull()
        expect(answer.headers.get('x-ratelimit-limit')).toBe('1000')
      }
    expect((await company.api.get(`/tasks/${task.id}`)).body.data).toEqual({ ...task, time_spent_minutes: null })
  })

  it('still shows the time that was recorded while it had it', async () => {
    const { company, task } = await furnishWork(app.diwan)
    await company.api.post(`/tasks/${task.id}/time`, { time_spent: '1:30' })
    await app.diwan.operator.patch(`/companies/${company.id}`, { plan: 'advanced' })
    expect((await company.api.get(`/tasks/${task.id}`)).body.data.time_spent_minutes).toBe(90)
    expect((await company.api.post(`/tasks/${task.id}/time`, { time_spent: '' })).status).toBe(403)
  })
})
