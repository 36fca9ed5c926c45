import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { orNotFound } from '../errors.ts'
import type { ApiKey, Caller, Company } from './caller.ts'
import { presetOperations } from './operations.ts'

/** The key of a reader who has none: it may read everything, and nothing else. */
const NO_KEY: ApiKey = {
  id: 0,
  name: '',
  access: 'read',
  operations: presetOperations('read'),
  rights: [],
  expires_at: null,
}
const NOBODY = { id: 0, name: '' }

/** A caller that reads a company without a key: a person, whose calendar is then read, or nobody in particular. */
export async function readerOf(db: Db, companyId: number, person = NOBODY): Promise<Caller> {
  const company = await orNotFound(
    db.maybe<Company>(sql`
      select id, name, time_zone, plan, rest_api, daily_calls, subscription, version, sandbox_of is not null as sandbox
      from companies where id = ${companyId}`),
  )
  return { company, key: NO_KEY, signer: { id: person.id, name: person.name, email: '' }, sight: 'company' }
}
