import { describe, expect, it } from 'vitest'
import { OPERATOR_TOKEN, useApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import type { Answer } from '../support/diwan.ts'
import { doStep } from '../support/upkeep.ts'

const app = useApp()
/** Races show on PostgreSQL only; the embedded database has one session. */
const ROUNDS = process.env.TEST_ENGINE === 'postgres' ? 10 : 2
const AT_ONCE = 4

/** Keeps the same call in flight, several at once, until something else is done; then counts what it has done. */
async function during(keepTrying: () => Promise<Answer>, doing: () => Promise<Answer>, count: () => Promise<number>) {
  let isOver = false
  const statuses: number[] = []
  const trying = Array.from({ length: AT_ONCE }, async () => {
    do statuses.push((await keepTrying()).status)
    while (!isOver)
  })
  await new Promise(resolve => setTimeout(resolve, Math.random() * 30))
  const done = await doing()
  const counted = await count()
  isOver = true
  await Promise.all(trying)
  expect(done.status, JSON.stringify(done.body)).toBe(200)
  expect(await count()).toBe(counted)
  expect(statuses.filter(status => ![201, 401].includes(status))).toEqual([])
}

describe('What is written with a session', () => {
  it.each(['session', 'token'])('is written before the end of the %s has been answered, or not at all', async what => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const person = await app.diwan.person(company.id, { role: 'owner' })
      const { id, browser } = await signIn(app.diwan, { token: person.token })
      const [token] = (await company.admin.get(`/users/${person.id}/tokens`)).body.data
      const path = what === 'session' ? `sessions/${id}` : `tokens/${token.id}`
      await during(
        () => browser.post(`/companies/${company.id}/keys`, { name: 'x', access: 'read' }),
        () => company.admin.delete(`/users/${person.id}/${path}`),
        async () => (await company.admin.get('/keys')).body.meta.total,
      )
      expect((await browser.get('/me')).status).toBe(401)
    }
  })

  it('is written before the own sign-out has been answered, or not at all', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const { browser } = await signIn(app.diwan, { token: company.ownerToken })
      await during(
        () => browser.post(`/companies/${company.id}/keys`, { name: 'x', access: 'read' }),
        () => browser.delete('/sessions/current'),
        async () => (await company.admin.get('/keys')).body.meta.total,
      )
    }
  })

  it('by the operator is held to the same', async () => {
    const company = await app.diwan.company()
    for (let round = 0; round < ROUNDS; round++) {
      const { id, browser } = await signIn(app.diwan, { token: OPERATOR_TOKEN })
      await during(
        () => browser.post(`/companies/${company.id}/keys`, { name: 'x', access: 'read' }),
        () => app.diwan.operator.delete(`/sessions/${id}`),
        async () => (await company.admin.get('/keys')).body.meta.total,
      )
    }
  })
})

describe('Sessions that end each other', () => {
  it('are one fewer, and never wait in a circle', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [
        await signIn(app.diwan, { token: OPERATOR_TOKEN }),
        await signIn(app.diwan, { token: OPERATOR_TOKEN }),
      ]
      const answers = await Promise.all([
        a.browser.delete(`/sessions/${b.id}`),
        b.browser.delete(`/sessions/${a.id}`),
        a.browser.delete(`/sessions/${b.id}`),
      ])
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter(status => status === 200)).toHaveLength(1)
      expect(statuses.filter(status => ![200, 401, 404].includes(status))).toEqual([])
    }
    const { rows } = await app.database.pool.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    expect(Number(rows[0]?.deadlocks)).toBe(0)
  })
})

it('Sessions that have expired are removed, and no others', async () => {
  const company = await app.diwan.company()
  const sessions = []
  for (let n = 0; n < 2; n++) sessions.push(await signIn(app.diwan, { token: company.ownerToken }))
  const [expired, live] = sessions.map(({ id }) => id)
  await app.database.pool.query('update console_sessions set expires_at = now() where id = $1', [expired])
  await doStep(app, 'console_sessions')
  const { rows } = await app.database.pool.query('select id from console_sessions where company_id = $1', [company.id])
  expect(rows.map(({ id }) => Number(id))).toEqual([live])
})
