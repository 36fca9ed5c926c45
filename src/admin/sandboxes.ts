import sql from 'sql-template-tag'
import Type from 'typebox'
import type { Db } from '../db/db.ts'
import { insertKey } from '../domain/access/keyring.ts'
import { presetOperations, presetRights } from '../domain/access/operations.ts'
import { conflict, orNotFound } from '../domain/errors.ts'
import type { Language } from '../domain/languages.ts'
import { wordsOf } from '../domain/sentences/sentences.ts'
import { Deleted, Id, Single } from '../http/answers/schema.ts'
import { excerpt } from '../lib/text.ts'
import type { Person } from './callers.ts'
import { addCompany, auditCompany, Company, companyExample, findCompany, showCompany } from './companies.ts'
import { addDemoRecords } from './demo-records.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { Me, showMe } from './me.ts'
import { addSession, agentOf, endOldest } from './session-rows.ts'
import { insertToken } from './tokens.ts'
import { addUser } from './users.ts'

const CreatedSandbox = Type.Object(
  {
    ...Company.properties,
    owner_token: Type.String({ description: "The owner's personal access token in the sandbox, shown once" }),
    key: Type.String({ description: 'An API key of the sandbox with write access, shown once' }),
  },
  {
    title: 'CreatedSandbox',
    examples: [
      {
        ...companyExample,
        id: 7,
        name: 'Najd Trading (sandbox)',
        sandbox: true,
        sandbox_of: 1,
        owner_token: 'svc_…',
        key: 'svc_api_test_…',
      },
    ],
  },
)

const LONGEST_NAME = 255

export const createSandbox = adminEndpoint({
  name: 'create_sandbox',
  since: '1.7.0',
  operation: 'companies:write',
  who: 'owners',
  audited: true,
  summary: 'Make a sandbox',
  description:
    'A company of the same settings, with demo records, to try things out in. The caller is its owner, or, when the operator asks, the first owner of the company. Its keys begin with `svc_api_test_`. Nothing is mailed from it; webhooks and calendars work as usual. A company has one sandbox at a time: another is 409, and so is the sandbox of a sandbox. It is removed after 30 days without use.',
  method: 'POST',
  at: ['/companies/:company/sandbox'],
  find: findCompany,
  status: 201,
  returns: Single(CreatedSandbox),
  async run(call, company) {
    const { db } = call
    if (company.sandbox) throw conflict('A sandbox has no sandbox of its own.')
    if (company.sandbox_id !== null) throw conflict('The company has a sandbox already. Enter it, or close it first.')
    // Whoever closes companies by name must not take one for the other.
    const name = `${excerpt(company.name, LONGEST_NAME - 20)} (${wordsOf('sandbox')[company.language]})`
    const id = await addCompany(db, { ...company, name, sandbox_of: company.id })
    await keepSpentCalls(db, company.id, id)
    const owner = await addOwner(call, id)
    await addDemoRecords(db, { id, time_zone: company.time_zone, owner }, call)
    const { token } = await insertToken(call, id, owner.id, 'Owner token')
    const { token: key, ...minted } = call.mint('svc_api_test_', id)
    const preset = { access: 'write', operations: presetOperations('write'), rights: presetRights('write') } as const
    await insertKey(db, id, minted, { ...preset, name: 'Sandbox', expires_at: null, created_by: owner.id })
    const sandbox = await showCompany(call, sql`c.id = ${id}`)
    auditCompany(call, undefined, sandbox)
    return { data: { ...sandbox, owner_token: token, key } }
  },
})

/** The calls of the day so far are those of the sandbox before: closing one and making another gives no new allowance. */
async function keepSpentCalls(db: Db, companyId: number, sandboxId: number): Promise<void> {
  await db.run(sql`
    insert into calls_by_day (company_id, local_date, calls, last_granted, allowance)
    select ${sandboxId}, d.local_date, d.calls, 0, d.allowance
    from companies c join calls_by_day d on d.company_id = c.id
    where c.sandbox_of = ${companyId} order by c.id desc, d.local_date desc limit 1`)
}

/** The person who asks, with the name and language that they have in their company. */
async function addOwner({ db, by, companyId }: AdminCall, sandboxId: number) {
  const isAsker = by === 'operator' ? sql`role = 'owner' and active` : sql`id = ${by.id}`
  const person = await db.one<{ name: string; email: string; language: Language }>(sql`
    select name, email, language from users where company_id = ${companyId} and ${isAsker} order by id limit 1`)
  return addUser(db, sandboxId, { ...person, role: 'owner', can_manage_api_keys: true })
}

interface Sandbox {
  id: number
  name: string
}

/** The company's open sandbox. */
function findSandbox({ db, companyId }: AdminCall): Promise<Sandbox> {
  return orNotFound(
    db.maybe<Sandbox>(sql`select id, name from companies where sandbox_of = ${companyId} and closed_at is null`),
  )
}

export const enterSandbox = adminEndpoint({
  name: 'enter_sandbox',
  since: '1.7.0',
  operation: 'sessions:write',
  who: 'owners of the company',
  audited: true,
  summary: 'Sign in to the sandbox',
  description:
    'Begins a session of the console in the sandbox, as the person there who has your e-mail address; if nobody has, you are added as an owner. The session that the request came with ends. There is no way back without a credential of the company, because everybody in a sandbox can be made an owner there.',
  method: 'POST',
  at: ['/companies/:company/sandbox/enter'],
  find: findSandbox,
  status: 201,
  returns: Single(Me),
  async run(call, sandbox) {
    const { db, audit, byBody, headers, session: left } = call
    const by = await personThere(call, sandbox.id)
    const holder = { company_id: sandbox.id, token_id: await tokenOf(call, by) }
    const { token: secret, digest } = call.mint('svc_ses_', sandbox.id)
    const session = await addSession(db, holder, { digest, user_agent: agentOf(headers), address: byBody.address })
    await endOldest(db, holder)
    if (left) await db.run(sql`delete from console_sessions where company_id = ${call.companyId} and id = ${left.id}`)
    audit({ target: { type: 'session', id: session.id, name: sandbox.name }, changes: { created_at: null } })
    byBody.setCookie(secret)
    return { data: await showMe(call, { by, session }) }
  },
})

/** The caller as a person of the sandbox, locked. */
async function personThere(call: AdminCall, sandboxId: number): Promise<Person> {
  const { db, by } = call
  const email = by === 'operator' ? '' : by.email
  const find = () =>
    db.maybe<Person>(sql`
      select u.id, u.name, u.email, u.company_id, u.role, u.can_manage_api_keys from users u
      where u.company_id = ${sandboxId} and lower(u.email) = lower(${email}) and u.active for no key update`)
  const known = await find()
  if (known) return known
  await addOwner(call, sandboxId)
  return orNotFound(find())
}

/** A session belongs to a token. If the person has none, one is made that nobody knows. */
async function tokenOf(call: AdminCall, { company_id, id }: Person): Promise<number> {
  const token = await call.db.maybe<{ id: number }>(sql`
    select id from personal_tokens where company_id = ${company_id} and user_id = ${id} order by id limit 1`)
  return (token ?? (await insertToken(call, company_id, id, 'Console'))).id
}

/** All people are locked, before the company, as when any company is closed. */
async function findWithPeople(call: AdminCall): Promise<Sandbox> {
  const { id } = await findSandbox(call)
  await call.db.run(sql`select from users where company_id = ${id} order by id for no key update`)
  await call.db.run(sql`select from companies where id = ${id} for no key update`)
  return findSandbox(call)
}

export const closeSandbox = adminEndpoint({
  name: 'close_sandbox',
  since: '1.7.0',
  operation: 'companies:destructive',
  who: 'owners',
  audited: true,
  summary: 'Close the sandbox',
  description:
    'Its keys and people are answered 404 from this moment, and 30 days later it is removed. Another can be made at once; the calls of the day so far are kept.',
  method: 'DELETE',
  at: ['/companies/:company/sandbox'],
  find: findWithPeople,
  returns: Deleted({ company: Type.Object({ id: Id(), name: Type.String() }) }),
  async run({ db, audit }, { id, name }) {
    await db.run(sql`update companies set closed_at = now() where id = ${id}`)
    audit({ target: { type: 'company', id, name }, changes: { closed_at: null } })
    return { data: { deleted: true, company: { id, name } } }
  },
})
