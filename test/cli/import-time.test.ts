import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Destination, destination, written } from '../support/importing.ts'

const server = useApp()

async function times({ company, project }: Destination): Promise<Record<string, [number | null, string | null]>> {
  const { data } = (await company.api.get(`/projects/${project}/tasks?limit=100`)).body
  return Object.fromEntries(
    data.map((task: { external_id: string; time_spent_minutes: number | null; notes: string | null }) => [
      task.external_id,
      [task.time_spent_minutes, task.notes],
    ]),
  )
}
const minutes = async (to: Destination) =>
  Object.fromEntries(Object.entries(await times(to)).map(([id, [spent]]) => [id, spent]))
const run = async (to: Destination, file: string, ...options: string[]) => {
  const { code, stdout, stderr } = await to.run(file, '--format', 'redmine', '--json', ...options)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
describe('The time spent on issues of Redmine', () => {
  const csv = (first = '2.50') =>
    written(`#,Subject,Spent time\n1,Desks,${first}\n2,Chairs,1:05\n3,Lamps,"0,33"\n4,Paint,0.00\n5,Rugs,\n6,Doors,2\n`)

  it('becomes that of the tasks, and a second import changes nothing', async () => {
    const to = await destination(server)
    expect(await run(to, csv())).toMatchObject({ created: 6, timed: 4 })
    const spent = { 'redmine-1': 150, 'redmine-2': 65, 'redmine-3': 20, 'redmine-4': null, 'redmine-5': null }
    expect(await minutes(to)).toEqual({ ...spent, 'redmine-6': 120 })
    for (const [, notes] of Object.values(await times(to))) expect(notes ?? '').not.toContain('Spent')
    expect(await run(to, csv())).toMatchObject({ created: 0, changed: 0 })
    expect(await run(to, csv('3'))).toMatchObject({ created: 0, changed: 1 })
    expect((await minutes(to))['redmine-1']).toBe(180)
  })

  it('comes from the JSON of the issues, or from all of their time entries, page after page', async () => {
    const to = await destination(server)
    const issue = (id: number, more: object = {}) => ({ id, subject: `Issue ${id}`, ...more })
    const issues = written(
      JSON.stringify({ issues: [issue(1, { spent_hours: 0.5 }), issue(2), issue(3)] }),
      'issues.json',
    )
    expect(await run(to, issues)).toMatchObject({ created: 3, timed: 1 })
    expect(await minutes(to)).toEqual({ 'redmine-1': 30, 'redmine-2': null, 'redmine-3': null })

    const page = (...all: [issue: number | undefined, hours: number][]) =>
      JSON.stringify({
        time_entries: all.map(([id, hours], n) => ({ id: n, ...(id && { issue: { id } }), hours, comments: 'x' })),
        total_count: 4,
      })
    const time = written(`${page([1, 1.25], [2, 0.1])}\n${page([1, 0.25], [undefined, 9])}\n`, 'time.json')
    expect(await run(to, issues, '--time-entries', time)).toMatchObject({ created: 0, changed: 2 })
    expect(await minutes(to)).toEqual({ 'redmine-1': 90, 'redmine-2': 6, 'redmine-3': null })
    expect(await run(to, issues, '--time-entries', time)).toMatchObject({ created: 0, changed: 0 })
  })

  it('goes into the description where the plan has no time tracking', async () => {
    const to = await destination(server, { plan: 'advanced' })
    expect(await run(to, csv())).toMatchObject({ created: 6, timed: 0 })
    expect((await times(to))['redmine-1']).toEqual([null, expect.stringContaining('Spent time: 2.50')])
    const time = written('{"time_entries": []}', 'time.json')
    const { code, stderr } = await to.run(csv(), '--format', 'redmine', '--time-entries', time)
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not include time tracking')])
  })

  it('is refused where it is no time, or in a file that has none', async () => {
    const to = await destination(server)
    const { code, stderr } = await to.run(csv('much'), '--format', 'redmine')
    expect([code, stderr]).toEqual([1, expect.stringContaining('row 2: time "much" is not a number of hours')])
    const wrong = [
      [['--format', 'redmine', '--time-entries', written('{"issues": [{"id": 1}]}', 'x.json')], 'cannot be read'],
      [['--format', 'redmine', '--time-entries', '/nowhere.json'], 'cannot be read'],
      [['--format', 'csv', '--map', 'title=Subject', '--time-entries', csv()], 'is for --format redmine'],
      [['--format', 'redmine', '--map', 'external_id=', '--time-entries', csv()], 'finds issues by their numbers'],
    ] as const
    for (const [options, said] of wrong) {
      const ended = await to.run(csv(), ...options)
      expect([options, ended.code, ended.stderr]).toEqual([
        options,
        2,
        expect.stringContaining(`--time-entries ${said}`),
      ])
    }
    expect(await to.count()).toBe(0)
  })
})
