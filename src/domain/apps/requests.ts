import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** What an app asks for, until a person decides. */
export interface AppRequest {
  id: string
  client_id: string
  client_name: string
  client_host: string
  redirect_uri: string
  state: string | null
  code_challenge: string
  resource: string
  issuer: string
  expires_at: string
}

/** Returns the id, with which the console finds it. */
export async function addRequest(
  db: Db,
  browserDigest: Buffer,
  asked: Omit<AppRequest, 'id' | 'expires_at'>,
): Promise<string> {
  const { client_id, client_name, client_host, redirect_uri, state, code_challenge, resource, issuer } = asked
  const { id } = await db.one<{ id: string }>(sql`
    insert into app_requests (browser_digest, client_id, client_name, client_host, redirect_uri, state, code_challenge, resource,
      issuer)
    values (${browserDigest}, ${client_id}, ${client_name}, ${client_host}, ${redirect_uri}, ${state}, ${code_challenge},
      ${resource}, ${issuer})
    returning id`)
  return id
}

/** That it is this one, was asked in this browser, and is not too old. */
const isOpen = (id: string, browserDigest: Buffer): Sql =>
  sql`company_id = 0 and id = ${id}::uuid and browser_digest = ${browserDigest} and expires_at > now()`

const columns = sql`id, client_id, client_name, client_host, redirect_uri, state, code_challenge, resource, issuer, expires_at`

export function findRequest(db: Db, id: string, browserDigest: Buffer, lock: Sql): Promise<AppRequest | undefined> {
  return db.maybe(sql`select ${columns} from app_requests where ${isOpen(id, browserDigest)} ${lock}`)
}

/** It is decided once. */
export async function removeRequest(db: Db, id: string): Promise<void> {
  await db.run(sql`delete from app_requests where company_id = 0 and id = ${id}::uuid`)
}
