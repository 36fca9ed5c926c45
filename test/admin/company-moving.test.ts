import { expect, it } from 'vitest'
import { useOwnApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

// How a server treats a company that `diwan company move` is working on. The command is tested in test/process.

const app = useOwnApp()

const set = ({ id }: TestCompany, moving: string | null, cell: number | null = 2) =>
  app.database.pool.query('update companies set moving = $2, moved_to = $3 where id = $1', [id, moving, cell])

it('A company that is being copied to another cell is only read, and goes on as before when that is over', async () => {
  const [company, other] = [await app.diwan.company(), await app.diwan.company()]
  const list = await newList(company, (await app.diwan.project(company)).id)
  const task = await newTask(company, list.id)
  const { browser } = await signIn(app.diwan, { token: company.ownerToken })
  await set(company, 'leaving')
  // That header is for 429 alone.
  for (const { status, headers, body } of [
    await company.api.post('/projects', { name: 'x' }),
    await company.api.delete(`/tasks/${task.id}`),
    await company.admin.patch('', { name: 'x' }),
    await app.diwan.client('/admin/v1').post('/sessions', { token: company.ownerToken }),
    await browser.delete('/sessions/current'),
    await app.diwan.operator.post(`/companies/${company.id}/users`, { name: 'y', email: 'y@example.com' }),
  ])
    expect([status, body.error?.code, headers.get('retry-after')]).toEqual([503, 'unavailable', null])
  const answers = [await company.api.get(`/tasks/${task.id}`), await company.admin.get(''), await browser.get('/me')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await app.diwan.project(other)
  await set(company, null, null)
  await created(company.api.post(`/lists/${list.id}/tasks`, { title: 'x' }))
})

it('A company that has left is closed here, shows where it went, and is not reopened, nor where it still arrives', async () => {
  for (const [moving, cell, message] of [
    ['left', 2, 'The company has moved to cell 2, which serves it. It cannot be reopened here.'],
    ['arriving', null, 'The company is still being moved here. Finish the move, or undo it.'],
  ] as const) {
    const company = await app.diwan.company()
    await app.database.pool.query('update companies set closed_at = now() where id = $1', [company.id])
    await set(company, moving, cell)
    const late = app.database.pool.query(`update companies set name = 'x' where id = $1`, [company.id])
    await expect(late).rejects.toMatchObject({ code: 'DW001' })
    expectRefusal(await company.api.get('/me'), 404, 'not_found')
    expect((await app.diwan.operator.get(`/companies/${company.id}`)).body.data.moved_to).toBe(cell)
    expectRefusal(await app.diwan.operator.post(`/companies/${company.id}/reopen`), 409, 'conflict', message)
  }
})
