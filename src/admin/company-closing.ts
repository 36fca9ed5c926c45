import sql from 'sql-template-tag'
import Type from 'typebox'
import { conflict, unprocessable } from '../domain/errors.ts'
import { isPastReopening } from '../domain/upkeep/closed-companies.ts'
import { Single } from '../http/answers/schema.ts'
import { Company, findCompany, showCompany } from './companies.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

/** All people are locked, before the company: what they have begun is committed before it is closed, or refused. */
async function findWithPeople(call: AdminCall) {
  await call.db.run(sql`select from users where company_id = ${call.companyId} order by id for no key update`)
  return findCompany(call)
}

export const closeCompany = adminEndpoint({
  name: 'close_company',
  since: '1.6.0',
  operation: 'companies:destructive',
  who: 'operator',
  audited: true,
  opensOrCloses: true,
  summary: 'Close a company',
  description:
    'From this moment its keys and people are answered 404, and its webhooks, mails and jobs stop. The operator can read it and, for 30 days, reopen it; then everything in it is removed for good. `name` must be the name of the company, as a confirmation.',
  method: 'POST',
  at: ['/companies/:company/close'],
  find: findWithPeople,
  body: Type.Object(
    { name: Type.String({ maxLength: 255, description: 'The name of the company' }) },
    { examples: [{ name: 'Najd Trading' }] },
  ),
  returns: Single(Company),
  async run(call, { id, name, closed_at }) {
    if (call.body.name !== name)
      throw unprocessable('name', 'must be the name of the company, exactly as it is written')
    if (closed_at === null) await setClosed(call, id, name, true)
    return { data: await showCompany(call, sql`c.id = ${id}`) }
  },
})

export const reopenCompany = adminEndpoint({
  name: 'reopen_company',
  since: '1.6.0',
  operation: 'companies:write',
  who: 'operator',
  audited: true,
  opensOrCloses: true,
  summary: 'Reopen a company',
  description: 'Within 30 days of its closing; after that the answer is 409. Everything works as before.',
  method: 'POST',
  at: ['/companies/:company/reopen'],
  find: findCompany,
  returns: Single(Company),
  async run(call, { id, name, closed_at }) {
    if (await call.db.maybe(sql`select 1 from companies c where c.id = ${id} and ${isPastReopening}`))
      throw conflict('The company was closed more than 30 days ago and is being removed.')
    if (closed_at !== null) await setClosed(call, id, name, false)
    return { data: await showCompany(call, sql`c.id = ${id}`) }
  },
})

async function setClosed({ db, audit }: AdminCall, id: number, name: string, isClosed: boolean): Promise<void> {
  await db.run(sql`update companies set closed_at = case when ${isClosed} then now() end where id = ${id}`)
  audit({ target: { type: 'company', id, name }, changes: { closed_at: null } })
}
