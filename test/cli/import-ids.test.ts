import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Destination, destination, type ImportedTask, manyRows, sample, written } from '../support/importing.ts'
import { type PlannedProxy, startPlannedProxy } from '../support/planned-proxy.ts'

const server = useApp()
let to: Destination
beforeEach(async () => {
  to = await destination(server)
})

const cursor = async () => (await to.company.api.get('/company/changes')).body.meta.next_cursor
const changesAfter = async (after: string) =>
  (await to.company.api.get(`/company/changes?after=${after}`)).body.data.map(
    ({ kind, change, fields }: Record<string, unknown>) => [kind, change, fields],
  )
const run = async (file: string, ...options: string[]) => {
  const { code, stdout, stderr } = await to.run(file, ...options, '--json')
  expect([code, stderr]).toEqual([0, ''])
  const { tasks, created, changed, new_lists } = JSON.parse(stdout)
  return { tasks, created, changed, new_lists }
}
const tasks = async (): Promise<ImportedTask[]> => Object.values(await to.lists()).flat()

describe('An import of rows with ids', () => {
  const CSV =
    'External id,Title,List,Notes,Due,Done,metadata.stage\ncrm-1,Desks,Office,By hand,2027-02-01,yes,review\nعقد ٢,Lease,Papers,,,,\n'

  it('gives the tasks these ids, and leaves nothing beside FILE', async () => {
    const file = written(CSV)
    expect(await run(file)).toEqual({ tasks: 2, created: 2, changed: 0, new_lists: ['Office', 'Papers'] })
    expect(await tasks()).toEqual([
      expect.objectContaining({
        external_id: 'crm-1',
        completed: true,
        notes: 'By hand',
        metadata: { stage: 'review' },
      }),
      expect.objectContaining({ external_id: 'عقد ٢', completed: false, notes: null, metadata: {} }),
    ])
    expect(existsSync(`${file}.diwan-import.json`)).toBe(false)
  })

  it('creates and changes what a newer file says, whatever its name, and only that', async () => {
    await run(written(CSV))
    const after = await cursor()
    const newer = written(
      `${CSV.replace('By hand', 'By lorry').replace('review', 'done').replace('Lease,Papers,,,,', 'Lease,Papers,,,yes,')}crm-3,Chairs,Office,,,,\n`,
      'newer.csv',
    )
    expect(await run(newer)).toEqual({ tasks: 3, created: 1, changed: 2, new_lists: [] })
    expect(await changesAfter(after)).toEqual([
      ['task', 'created', null],
      ['task', 'updated', ['notes', 'metadata']],
      ['task', 'completed', null],
    ])
  })

  it('changes nothing that the file does not say, and creates again what was deleted here', async () => {
    const file = written(CSV)
    await run(file)
    const [desks, lease] = await tasks()
    await to.company.api.patch(`/tasks/${lease?.id}`, { notes: 'Ours', due_at: '2027-03-01', metadata: { ours: 'x' } })
    await to.company.api.post(`/tasks/${lease?.id}/complete`)
    const office = (await to.company.api.get(`/tasks/${desks?.id}`)).body.data.task_list_id
    await to.company.api.post(`/tasks/${lease?.id}/move`, { list_id: office })
    const [before, after] = [await tasks(), await cursor()]
    expect(await run(file)).toMatchObject({ created: 0, changed: 0, new_lists: [] })
    expect([await tasks(), await changesAfter(after)]).toEqual([before, []])
    expect((await to.run(file)).stdout).toContain('0 new, 0 changed, 2 unchanged.\n')

    await to.company.api.delete(`/tasks/${desks?.id}`)
    expect(await run(file)).toMatchObject({ created: 1, changed: 0 })
    expect((await tasks()).map(({ external_id }) => external_id).sort()).toEqual(['crm-1', 'عقد ٢'])
  })

  it('names the rows that have no id, a long one, or that of another row', async () => {
    const file = written(`external_id,Title\na,x\n ,y\na,z\n${'e'.repeat(256)},w\n`)
    const { code, stderr } = await to.run(file)
    expect([code, stderr.split('\n').slice(0, 3)]).toEqual([
      1,
      [
        'row 3: external_id is empty. Give every row one, or use --map external_id= to import without them',
        'row 4: external_id is the same as that of row 2',
        'row 5: external_id has more than 255 characters',
      ],
    ])
    expect(await tasks()).toEqual([])
    expect(await run(file, '--skip-bad')).toMatchObject({ tasks: 1, created: 1 })
    expect(readFileSync(`${file}.rejected.csv`, 'utf8')).toContain('a,z,4,external_id: is the same as that of row 2')
  })

  it('takes them from the column that is named, begins them as it is told, or does without them', async () => {
    const file = written('ID,Title\n7,Desks\n')
    await run(file, '--map', 'external_id=ID', '--id-prefix', 'crm-')
    await run(file, '--map', 'external_id=', '--again')
    const [known, other] = await tasks()
    expect(known).toMatchObject({ external_id: 'crm-7', notes: 'Imported\nID: 7' })
    expect(other?.external_id).toMatch(/^import-[0-9a-f]{16}-0-0$/)
  })

  it('looks up many and long ids in portions', async () => {
    const id = (n: number) => `${'م'.repeat(250)}${n}`
    const file = written(`External id,Title\n${[1, 2, 3, 4, 5, 6].map(n => `${id(n)},Task ${n}`).join('\n')}\n`)
    expect(await run(file)).toMatchObject({ created: 6 })
    expect(await run(file)).toMatchObject({ created: 0, changed: 0 })
    const many = written(manyRows(101, 1, { hasIds: true }))
    expect(await run(many)).toMatchObject({ created: 101 })
    expect(await run(many)).toMatchObject({ created: 0, changed: 0 })
  })
})

it('Tasks of an export are known again by their numbers there', async () => {
  for (const [format, name, ids] of [
    ['redmine', 'redmine.csv', ['redmine-412', 'redmine-398', 'redmine-377']],
    ['redmine', 'redmine.json', ['redmine-412']],
    ['asana', 'asana.csv', ['asana-1208000000000001', 'asana-1208000000000003', 'asana-1208000000000002']],
    ['asana', 'asana.json', ['asana-1208000000000001', 'asana-1208000000000003']],
  ] as const) {
    to = await destination(server)
    const dates = name === 'redmine.csv' ? 'month-first' : 'iso'
    const options = ['--format', format, '--dates', dates]
    const file = sample(name)
    expect(await run(file, ...options)).toMatchObject({ created: ids.length, changed: 0 })
    expect((await tasks()).map(({ external_id }) => external_id)).toEqual(ids)
    expect(await run(file, ...options)).toMatchObject({ created: 0, changed: 0 })
  }
})

describe('When somebody else writes at the same time', () => {
  let proxy: PlannedProxy
  beforeAll(async () => {
    proxy = await startPlannedProxy(server.url)
  })

  it('a task that came to be after the look-up is not created twice, and what it lacks is added', async () => {
    const list = (await to.company.api.post(`/projects/${to.project}/lists`, { title: 'Office' })).body.data.id
    const create = () => to.company.api.post(`/lists/${list}/tasks`, { title: 'Old', external_id: 'a' })
    // The project, its members, the look-up and the lists; then the batch comes too late.
    proxy.fates = ['pass', 'pass', 'pass', 'pass', response => create().then(() => response.writeHead(503).end())]
    const file = written('External id,Title,List\na,New,Office\nb,Other,Office\n')
    const { code, stderr } = await to.run(file, '--url', proxy.url)
    expect([code, stderr]).toEqual([0, expect.stringContaining('Retrying')])
    expect((await tasks()).map(({ external_id, title }) => [external_id, title])).toEqual([
      ['a', 'New'],
      ['b', 'Other'],
    ])
  })

  it('a refusal of a change is explained by its row', async () => {
    const file = written('External id,Title,Assignee\na,x,\nb,y,\n')
    await run(file)
    writeFileSync(file, 'External id,Title,Assignee\na,x,\nb,y,Omar Aziz\n')
    const { body } = await to.company.admin.get('/users')
    const omar = body.data.find(({ email }: { email: string }) => email === to.omar)
    const leaves = () => to.company.admin.patch(`/users/${omar.id}`, { active: false })
    proxy.fates = ['pass', 'pass', 'pass', response => leaves().then(() => response.writeHead(503).end())]
    const { code, stderr } = await to.run(file, '--url', proxy.url)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`row 3: assignee_email ${to.omar} is not a member`)])
  })
})
