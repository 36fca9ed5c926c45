import { describe, expect, it } from 'vitest'
import { AGED_TABLES, removeOld } from '../../src/domain/upkeep/retention.ts'
import { useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newDiscussion, newList, newTask } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { startTestWorker } from '../support/worker.ts'

// What a server does about a company that `diwan company move` is working on. The command is tested in test/process.

const app = useOwnApp()

const set = ({ id }: TestCompany, moving: string | null, cell: number | null = 2) =>
  app.database.pool.query('update companies set moving = $2, moved_to = $3 where id = $1', [id, moving, cell])

describe('A company that is being copied to another cell', () => {
  it('is only read, whoever writes and however, and goes on as before when that is over', async () => {
    const [company, other] = [await app.diwan.company(), await app.diwan.company()]
    const invited = await created(company.admin.post('/users', { name: 'x', email: 'x@example.com' }))
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    const task = await newTask(company, list.id)
    const event = { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
    const { id } = (await created(company.api.post('/events', event))).data
    const { browser } = await signIn(app.diwan, { token: company.ownerToken })
    await set(company, 'leaving')

    const [key] = (await company.admin.get('/keys')).body.data
    const nobody = app.diwan.client('/admin/v1')
    const below = `/companies/${company.id}`
    const { name } = (await app.diwan.operator.get(below)).body.data
    const writes = {
      'a new project': await company.api.post('/projects', { name: 'x' }),
      'a new task': await company.api.post(`/lists/${list.id}/tasks`, { title: 'x' }),
      'a task done': await company.api.post(`/tasks/${task.id}/complete`),
      'a task gone': await company.api.delete(`/tasks/${task.id}`),
      'a list gone': await company.api.delete(`/lists/${list.id}`),
      'an event gone': await company.api.delete(`/events/${id}`),
      'a file': await company.api.post(`/projects/${project.id}/files`, { name: 'a.txt', content: 'x' }),
      'a comment': await company.api.post(`/tasks/${task.id}/comments`, { content: 'x' }),
      settings: await company.admin.patch('', { name: 'x' }),
      'a sandbox': await company.admin.post('/sandbox'),
      'a key revoked': await company.admin.delete(`/keys/${key.id}`),
      'signing in': await nobody.post('/sessions', { token: company.ownerToken }),
      'signing out': await browser.delete('/sessions/current'),
      'an invitation': await nobody.post('/invitations/accept', { code: invited.data.invitation.code }),
      'by the operator': await app.diwan.operator.post(`${below}/users`, { name: 'y', email: 'y@example.com' }),
      closing: await app.diwan.operator.post(`${below}/close`, { name }),
    }
    // That header is for 429 alone.
    for (const [what, { status, headers, body }] of Object.entries(writes))
      expect([what, status, body.error?.code, headers.get('retry-after')]).toEqual([what, 503, 'unavailable', null])
    const inArabic = await company.api.post('/projects', { name: 'x' }, { 'accept-language': 'ar' })
    expect(inArabic.body.error.message).toContain('يجري نقل الشركة')
    for (const path of ['/me', '/projects', `/tasks/${task.id}`, '/company/changes'])
      expect([path, (await company.api.get(path)).status]).toEqual([path, 200])
    expect([(await company.admin.get('')).status, (await browser.get('/me')).status]).toEqual([200, 200])
    await app.diwan.project(other)

    await set(company, null, null)
    expect((await company.api.get(`/tasks/${task.id}`)).body.data).toEqual(task)
    await created(company.api.post(`/lists/${list.id}/tasks`, { title: 'x' }))
    await created(nobody.post('/sessions', { token: company.ownerToken }))
  })

  it('has no jobs from the moment that it is about to be, and they wait for seconds only', async () => {
    const company = await app.diwan.company()
    await app.diwan.person(company.id)
    await set(company, null)
    await newDiscussion(company, (await app.diwan.project(company)).id)
    const worker = startTestWorker(app, {
      scan: () => Promise.reject(new Error('Nothing is scanned')),
      check: async () => ({ state: 'ok', message: 'Reads and writes.' }),
      close: async () => {},
    })
    const jobs = () =>
      app.database.db.raw<{ state: string; is_soon: boolean }>(
        `select state, start_after < now() + interval '6 seconds' as is_soon from pgboss.job
         where (data ->> 'company_id')::bigint = $1`,
        [company.id],
      )
    try {
      await until(async () => (await jobs()).every(({ state }) => state === 'retry'))
      expect(await jobs()).toEqual([{ state: 'retry', is_soon: true }])
      await set(company, null, null)
      await until(async () => (await jobs()).length === 0)
    } finally {
      await worker.stop()
    }
  })

  it('takes no write that comes late where it has left or still arrives, and what is old goes all the same', async () => {
    const ask = (text: string, { id }: TestCompany) => app.database.pool.query(text, [id])
    for (const moving of ['left', 'arriving']) {
      const company = await app.diwan.company()
      await signIn(app.diwan, { token: company.ownerToken })
      await app.diwan.project(company)
      const expiring = `update console_sessions set expires_at = now() - interval '1 day' where company_id = $1`
      for (const text of [expiring, 'update companies set closed_at = now() where id = $1']) await ask(text, company)
      await set(company, moving)
      for (const late of [
        'delete from projects where company_id = $1',
        `update projects set name = 'x' where company_id = $1`,
        `update companies set name = 'x' where id = $1`,
        `insert into companies (name, time_zone, plan, sandbox_of) values ('x', 'UTC', 'pro', $1)`,
      ])
        await expect(ask(late, company), late).rejects.toMatchObject({ code: 'DW001' })
      for (const table of AGED_TABLES) for await (const _ of removeOld(app.database.db, table));
      expect((await ask('select from console_sessions where company_id = $1', company)).rowCount).toBe(0)
    }
  })

  it('is closed where it has left, shows where it went, and is reopened neither there nor where it still arrives', async () => {
    const { operator } = app.diwan
    const [gone, coming] = [await app.diwan.company(), await app.diwan.company()]
    for (const { id } of [gone, coming])
      await app.database.pool.query(`update companies set closed_at = now() where id = $1`, [id])
    await set(gone, 'left')
    await set(coming, 'arriving', null)
    expect((await operator.get(`/companies/${gone.id}`)).body.data.moved_to).toBe(2)
    expectRefusal(await gone.api.get('/me'), 404, 'not_found')
    expectRefusal(await coming.api.get('/me'), 404, 'not_found')
    const refused = [
      await operator.post(`/companies/${gone.id}/reopen`),
      await operator.post(`/companies/${coming.id}/reopen`),
    ]
    expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual([
      [409, 'The company has moved to cell 2, which serves it. It cannot be reopened here.'],
      [409, 'The company is still being moved here. Finish the move, or undo it.'],
    ])
  })
})
