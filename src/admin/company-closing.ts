import sql from 'sql-template-tag'
import Type from 'typebox'
import { conflict, unprocessable } from '../domain/errors.ts'
import { say } from '../domain/sentences/sentences.ts'
import { isPastReopening } from '../domain/upkeep/closed-companies.ts'
import { Single } from '../http/answers/schema.ts'
import { Company, findCompany, showCompany } from './companies.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

/**
 * All people are locked, before the company: what they have begun is committed before it is closed, or refused. Those of its
 * sandbox come after, as for an owner who enters it.
 */
async function findWithPeople(call: AdminCall) {
  await call.db.run(sql`
    select from users u join companies c on c.id = u.company_id where ${call.companyId} in (c.id, c.sandbox_of)
    order by u.company_id, u.id for no key update of u`)
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
    'From this moment its keys and people are answered 404, and its webhooks, mails and jobs stop. The operator can read it and, for 30 days, reopen it; then everything in it is removed for good. Its sandbox is closed with it. `name` must be the name of the company, as a confirmation.',
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
  description:
    'Within 30 days of its closing; after that the answer is 409. Everything works as before, and a sandbox that was closed with it is open again. A sandbox whose company is closed or has another one is 409, and so is a company that has moved to another cell.',
  method: 'POST',
  at: ['/companies/:company/reopen'],
  find: findCompany,
  returns: Single(Company),
  async run(call, company) {
    const { id, name, closed_at, moved_to } = company
    if (moved_to !== null)
      throw conflict(
        say('The company has moved to cell {cell}, which serves it. It cannot be reopened here.', { cell: moved_to }),
      )
    if (await call.db.maybe(sql`select 1 from companies where id = ${id} and moving = 'arriving'`))
      throw conflict('The company is still being moved here. Finish the move, or undo it.')
    if (await call.db.maybe(sql`select 1 from companies c where c.id = ${id} and ${isPastReopening}`))
      throw conflict('The company was closed more than 30 days ago and is being removed.')
    if (closed_at !== null) {
      await requireFreePlace(call, company)
      await setClosed(call, id, name, false)
    }
    return { data: await showCompany(call, sql`c.id = ${id}`) }
  },
})

/** A sandbox is open only beside an open company, and alone there. */
async function requireFreePlace({ db }: AdminCall, { sandbox_of }: { sandbox_of: number | null }): Promise<void> {
  if (sandbox_of === null) return
  const { closed_at, sandbox_id } = await db.one<{ closed_at: string | null; sandbox_id: number | null }>(sql`
    select c.closed_at, (select s.id from companies s where s.sandbox_of = c.id and s.closed_at is null) as sandbox_id
    from companies c where c.id = ${sandbox_of} for share of c`)
  if (closed_at !== null) throw conflict('It is a sandbox, and its company is closed. Reopen the company first.')
  if (sandbox_id !== null) throw conflict('It is a sandbox, and its company has another one. Close that one first.')
}

/** The sandbox is closed with its company, and with it opened again, unless it was closed before. */
async function setClosed({ db, audit }: AdminCall, id: number, name: string, isClosed: boolean): Promise<void> {
  const isAlike = sql`s.closed_at is not distinct from c.closed_at`
  const sandboxes = await db.many<{ id: number; name: string }>(sql`
    update companies s set closed_at = case when ${isClosed} then now() end from companies c
    where c.id = ${id} and s.sandbox_of = c.id and ${isAlike} returning s.id, s.name`)
  await db.run(sql`update companies set closed_at = case when ${isClosed} then now() end where id = ${id}`)
  for (const company of [{ id, name }, ...sandboxes])
    audit({ target: { type: 'company', ...company }, changes: { closed_at: null } })
}
