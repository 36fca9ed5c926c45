import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** An app that may ask for a key. */
export interface AppClient {
  id: string
  name: string
  redirect_uris: string[]
}

/** Registrations that nobody has granted anything yet, and that are removed after a day. */
const MOST_UNUSED = 10_000
const MOST_UNUSED_OF_ADDRESS = 50
const KEPT_DAYS = 400
const LONGEST_NAME = 100
const MOST_REDIRECTS = 20

/** Undefined when there are too many that nobody uses. */
export function addClient(
  db: Db,
  { name, redirect_uris }: Omit<AppClient, 'id'>,
  address: string,
): Promise<(AppClient & { created_at: string }) | undefined> {
  return db.maybe(sql`
    insert into app_clients (id, name, redirect_uris, address)
    select ${`app-${randomUUID()}`}, ${name}, ${redirect_uris}, ${address}
    where (select count(*) from app_clients where company_id = 0 and granted_at is null) < ${MOST_UNUSED}
      and (select count(*) from app_clients where company_id = 0 and granted_at is null and address = ${address})
        < ${MOST_UNUSED_OF_ADDRESS}
    returning id, name, redirect_uris, created_at`)
}

export function findClient(db: Db, id: string): Promise<AppClient | undefined> {
  return db.maybe(sql`
    select id, name, redirect_uris from app_clients where company_id = 0 and id = ${id} and expires_at > now()`)
}

/** It is used: it stays for long, from now on. */
export async function keepClient(db: Db, id: string): Promise<void> {
  await db.run(sql`
    update app_clients set granted_at = coalesce(granted_at, now()), expires_at = now() + make_interval(days => ${KEPT_DAYS})
    where company_id = 0 and id = ${id} and (granted_at is null or expires_at < now() + make_interval(days => ${KEPT_DAYS - 1}))`)
}

/** What could hide or turn around the text beside it. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The name that an app gives itself, as it can be shown; what it is called otherwise if there is none. */
export function shownName(sent: unknown, otherwise: string): string {
  const name = typeof sent === 'string' ? sent.slice(0, 1_000).replace(NOT_SHOWN, '').trim() : ''
  return [...(/[\p{L}\p{N}]/u.test(name) ? name : otherwise)].slice(0, LONGEST_NAME).join('')
}

/** The addresses that an app names, if it names some, and not too many. */
export function readRedirects(sent: unknown): string[] | undefined {
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > MOST_REDIRECTS) return undefined
  return sent.every(each => typeof each === 'string') ? sent : undefined
}
