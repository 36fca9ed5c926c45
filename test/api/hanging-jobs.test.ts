// @module-tag long

import { expect, it } from 'vitest'
import type { Mailer } from '../../src/domain/ports/mailer.ts'
import type { Scanner, Verdict } from '../../src/domain/ports/virus-scanner.ts'
import { inBoth } from '../../src/domain/sentences/sentences.ts'
import { useOwnApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { until } from '../support/servers.ts'
import { startTestWorker } from '../support/worker.ts'

const app = useOwnApp({ sendsMail: true })
const CLEAN: Verdict = { outcome: 'clean', engine: 'none', finding: null }
const check = async () => ({ state: 'ok' as const, message: inBoth('') })

/** An engine that never answers for files of this name. */
function hangingScanner(name: string): Scanner {
  return {
    scan: async (_, of) => (of === name ? new Promise<never>(() => {}) : CLEAN),
    check,
    close: async () => {},
  }
}

async function upload(company: TestCompany, name: string) {
  const base = `/projects/${(await app.diwan.project(company)).id}/files`
  const bytes = Buffer.from(name).toString('base64')
  const { id } = (await company.api.post(base, { name, content_base64: bytes })).body.data
  return async () => (await company.api.get(`${base}/${id}`)).body.data.scan_state
}

it('A job that hangs is left behind at its deadline: its place is free, and it has failed by name', async () => {
  const hanging = [await app.diwan.company(), await app.diwan.company()]
  for (const company of hanging) await upload(company, 'hangs.txt')
  const states = async () =>
    app.database.db.raw<{ state: string; error: string }>(
      `select state::text, output ->> 'message' as error from pgboss.job
       where name = 'scan-file' and (data ->> 'company_id')::bigint = any ($1::bigint[])`,
      [hanging.map(({ id }) => id)],
    )
  const scanState = await upload(await app.diwan.company(), 'fine.txt')
  const worker = startTestWorker(app, hangingScanner('hangs.txt'), { deadline: { limitMs: 300, graceMs: 100 } })
  await until(async () => (await scanState()) === 'clean')
  const left = { state: 'retry', error: 'Not done within 0.3 seconds' }
  await until(async () => (await states()).every(({ state }) => state === 'retry'))
  expect(await states()).toEqual([left, left])
  await worker.stop()
})

it('A job whose worker is killed in the last attempt is given up like one that fails in it', async () => {
  const company = await app.diwan.company()
  const scanState = await upload(company, 'kills.txt')
  await app.database.db.raw(
    `update pgboss.job set state = 'active', started_on = now() - interval '2 minutes', retry_count = retry_limit
     where name = 'scan-file' and (data ->> 'company_id')::bigint = $1`,
    [company.id],
  )
  const worker = startTestWorker(app, hangingScanner('kills.txt'))
  await until(async () => (await scanState()) === 'failed')
  const failed = async () =>
    (await app.diwan.operator.get('/jobs/failed')).body.data.filter(
      (job: { payload: { company_id: number } }) => job.payload.company_id === company.id,
    )
  await until(async () => (await failed()).length === 1)
  expect(await failed()).toMatchObject([
    { kind: 'scan-file', attempts: 15, error: 'Its worker ended, or gave no answer' },
  ])
  await worker.stop()
})

it('One mail that hangs keeps no place but its own: those of the same company and of others go on', async () => {
  const sent: string[] = []
  const mailer: Mailer = {
    async send({ to }) {
      if (to.startsWith('hangs')) await new Promise(() => {})
      sent.push(to)
    },
    check,
    close: () => {},
  }
  const companies = [await app.diwan.company(), await app.diwan.company()]
  const addresses = companies.flatMap(({ id }) => Array.from({ length: 11 }, (_, n) => `${n}-${id}@example.com`))
  const invite = (company: TestCompany, email: string) =>
    company.admin.post('/users', { name: email, email, role: 'member' })
  for (const company of companies) await invite(company, `hangs-${company.id}@example.com`)
  for (const company of companies)
    for (const email of addresses.filter(address => address.includes(`-${company.id}@`))) await invite(company, email)
  const worker = startTestWorker(app, hangingScanner(''), { mailer })
  await until(async () => addresses.every(address => sent.includes(address)))
  expect(sent).not.toContainEqual(expect.stringMatching(/^hangs/))
  await worker.stop()
})
