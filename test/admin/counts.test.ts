import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newDiscussion, newLink, newList, newTask } from '../support/factories.ts'

const app = useApp()

const NONE = {
  people: 1,
  keys: 1,
  expiring_keys: 0,
  denials: 0,
  projects: 0,
  open_tasks: 0,
  overdue_tasks: 0,
  files: { pending: 0, clean: 0, skipped: 0, infected: 0, failed: 0 },
  failing_webhooks: 0,
  switched_off_webhooks: 0,
  trash: 0,
}

it('Everything is counted that is there, and nothing that is deleted, archived, done or revoked', async () => {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company)
  const list = await newList(company, project.id)
  await newTask(company, list.id)
  await newTask(company, list.id, { due_at: '2020-01-01' })
  const done = await newTask(company, list.id, { due_at: '2020-01-01' })
  await company.api.post(`/tasks/${done.id}/complete`)
  await newLink(company, project.id)
  await company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'x' })
  for (const state of ['archived', 'deleted']) {
    const other = await app.diwan.project(company, { name: state })
    await newTask(company, (await newList(company, other.id)).id, { due_at: '2020-01-01' })
    if (state === 'archived') await company.api.post(`/projects/${other.id}/archive`)
    else await company.api.delete(`/projects/${other.id}`)
  }
  const gone = await newList(company, project.id, { title: 'Gone' })
  await newTask(company, gone.id)
  await company.api.delete(`/lists/${gone.id}`)
  await company.api.delete(`/discussions/${(await newDiscussion(company, project.id)).id}`)
  await app.diwan.key(company.id, { expires_at: '2099-01-01T00:00:00Z' })
  await app.diwan.key(company.id)
  const { id } = (await company.admin.get('/keys')).body.data.at(-1)
  await company.admin.delete(`/keys/${id}`)
  await app.diwan.person(company.id)
  await app.diwan
    .person(company.id, { active: true })
    .then(({ id }) => company.admin.patch(`/users/${id}`, { active: false }))
  const webhook = { name: 'x', url: 'https://1.1.1.1/', kinds: ['*'] }
  const { data } = (await company.admin.post('/webhooks', webhook)).body
  await company.admin.post('/webhooks', webhook)
  await app.database.pool.query('update webhooks set failing_since = now() where id = $1', [data.id])
  expect((await company.admin.get('/counts')).body.data).toEqual({
    ...NONE,
    people: 2,
    keys: 2,
    projects: 1,
    open_tasks: 2,
    overdue_tasks: 1,
    files: { ...NONE.files, pending: 1, skipped: 1 },
    failing_webhooks: 1,
    trash: 2,
  })
})

it('Webhooks that are switched off are not failing: those that Diwan switched off are counted by themselves', async () => {
  const company = await app.diwan.company()
  const url = 'https://1.1.1.1/'
  const ids: number[] = []
  for (const name of ['fails', 'off by hand', 'off by Diwan', 'on again'])
    ids.push((await company.admin.post('/webhooks', { name, url, kinds: ['*'] })).body.data.id)
  await app.database.pool.query(
    `update webhooks set failing_since = now(), active = name not like 'off%',
       switched_off_at = case when name = 'off by Diwan' then now() end where company_id = $1`,
    [company.id],
  )
  const [, , byDiwan] = ids
  const { data } = (await company.admin.get('/counts')).body
  expect(data).toMatchObject({ failing_webhooks: 2, switched_off_webhooks: 1 })
  await company.admin.patch(`/webhooks/${byDiwan}`, { active: true })
  const again = (await company.admin.get('/counts')).body.data
  expect(again).toMatchObject({ failing_webhooks: 2, switched_off_webhooks: 0 })
})

it('Denied calls of the last 24 hours are counted however the audit keeps them, and keys that expire within 14 days until they are replaced or revoked', async () => {
  const company = await app.diwan.company()
  const { key } = (await company.admin.post('/keys', { name: 'x', access: 'read' })).body.data
  const denials = async () => (await company.admin.get('/counts')).body.data.denials
  for (let n = 0; n < 3; n++) await app.diwan.api(key).post('/projects', { name: 'x' })
  expect(await denials()).toBe(3)
  const change = (assignment: string, id: string) =>
    app.database.pool.query(
      `update audit_entries set ${assignment} where company_id = $1 and id = (
         select ${id}(id) from audit_entries where company_id = $1 and outcome = 'denied')`,
      [company.id],
    )
  await change('count = 40', 'max')
  expect(await denials()).toBe(42)
  await change(`created_at = now() - interval '25 hours'`, 'min')
  expect(await denials()).toBe(41)
  const expiring = async () => (await company.admin.get('/counts')).body.data.expiring_keys
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const ids: number[] = []
  for (const days of [1, 13, 15])
    ids.push((await company.admin.post('/keys', { name: 'x', access: 'read', expires_at: inDays(days) })).body.data.id)
  expect(await expiring()).toBe(2)
  await company.admin.post(`/keys/${ids[0]}/rotate`, { expires_at: inDays(90) })
  expect(await expiring()).toBe(1)
  await company.admin.delete(`/keys/${ids[1]}`)
  expect(await expiring()).toBe(0)
})
