import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { Recent } from '../../lib/recent.ts'
import { isHere } from '../cells/where.ts'
import type { ApiKey, Caller } from './caller.ts'
import type { KEY_PREFIXES, Mint, MintedCredential } from './credentials.ts'
import { nameAmongAll } from './names.ts'
import { presetOperations, presetRights } from './operations.ts'
import { isSandbox } from './sandboxes.ts'

/** A little more than the minute that the statement waits for: otherwise every other one could come a moment too early. */
const USE_IS_WRITTEN_EVERY_MS = 61_000
/** Keys that were not used lately are forgotten, and so are those of companies that are gone. */
const MOST_REMEMBERED = 10_000
const REMEMBERED_FOR_MS = 3_600_000

/**
 * Finds the caller behind a key, and caches it. The cache alone is never trusted: the statement that spends the daily allowance
 * also checks the company's version, so the very next call on every node notices a revoked key or a changed plan.
 */
export interface Keyring {
  remembered(digest: Buffer): Caller | undefined
  load(digest: Buffer): Promise<FoundKey | undefined>
  /** The digest of the key that an access token of an app stands for, if the token is good for this resource. */
  keyOfToken(digest: Buffer, resource?: string): Promise<Buffer | undefined>
  /** Records that a key was used, once a minute, however many nodes it is used on. */
  touch(caller: Caller): void
}

/** A key that was revoked or has expired is found too: its calls are refused, but in the name of its company. */
interface FoundKey extends Caller {
  is_ended: boolean
  /** False where its company has moved to another cell, or is still arriving from one. */
  is_here: boolean
}

export function createKeyring(db: Db, onError: (error: unknown) => void): Keyring {
  const remembered = new Recent<string, Caller>(MOST_REMEMBERED, REMEMBERED_FOR_MS)
  const touched = new Recent<string, true>(MOST_REMEMBERED, USE_IS_WRITTEN_EVERY_MS)

  return {
    remembered(digest) {
      const caller = remembered.get(digest.toString('latin1'))
      return caller && !isExpired(caller) ? caller : undefined
    },

    async load(digest) {
      const found = await findKey(db, digest)
      if (found?.is_here && !found.is_ended) remembered.set(digest.toString('latin1'), found)
      else remembered.delete(digest.toString('latin1'))
      return found
    },

    keyOfToken: (digest, resource) => findKeyOfToken(db, digest, resource),

    touch({ company, key }) {
      const name = nameAmongAll('key', company.id, key.id)
      if (touched.peek(name)) return
      touched.set(name, true)
      db.run(sql`
        update api_keys set last_used_at = now() where company_id = ${company.id} and id = ${key.id}
          and (last_used_at is null or last_used_at < now() - interval '1 minute')`).catch(onError)
    },
  }
}

function isExpired({ key }: Caller): boolean {
  return key.expires_at !== null && Date.parse(key.expires_at) <= Date.now()
}

function findKey(db: Db, digest: Buffer): Promise<FoundKey | undefined> {
  return db.maybe(sql`
    select ${callerColumns}, not (${isLive}) as is_ended, ${isHere} as is_here from ${callers} where k.digest = ${digest}`)
}

async function findKeyOfToken(db: Db, digest: Buffer, resource: string | undefined): Promise<Buffer | undefined> {
  const found = await db.maybe<{ digest: Buffer }>(sql`
    select k.digest from app_credentials t join api_keys k on k.company_id = t.company_id and k.id = t.key_id
    where t.digest = ${digest} and t.kind = 'access' and t.expires_at > now()
      and t.resource = coalesce(${resource ?? null}::text, t.resource)`)
  return found?.digest
}

/** The callers behind these keys as they are now, without those whose key is no longer valid. */
export function findCallersByIds(db: Db, keys: { companyId: number; keyId: number }[]): Promise<Caller[]> {
  const [companies, ids] = [keys.map(({ companyId }) => companyId), keys.map(({ keyId }) => keyId)]
  return db.many(sql`select ${callerColumns} from ${callers}
    where ${isLive} and (k.company_id, k.id) in (select * from unnest(${companies}::bigint[], ${ids}::bigint[]))`)
}

/** To its keys, a company that is closed, or not served here, looks like one without the API. */
const callerColumns = sql`
  json_build_object('id', c.id, 'name', c.name, 'time_zone', c.time_zone, 'plan', c.plan,
    'rest_api', c.rest_api and c.closed_at is null and ${isHere},
    'daily_calls', c.daily_calls, 'subscription', c.subscription, 'version', c.version,
    'sandbox', c.sandbox_of is not null) as company,
  json_build_object('id', k.id, 'name', k.name, 'access', k.access, 'operations', k.operations,
    'rights', k.rights, 'expires_at', k.expires_at) as key,
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as signer, 'company' as sight`
const callers = sql`api_keys k join companies c on c.id = k.company_id
  join users u on u.company_id = k.company_id and u.id = k.created_by`
const isLive = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`

/** Adds a key to a company that is no sandbox, with all operations that write access presets. It is returned once, and only its digest is stored. */
export async function addKey(
  db: Db,
  { company_id, name, created_by }: { company_id: number; name: string; created_by: number },
  mint: Mint,
): Promise<string> {
  const minted = mint('svc_api_', company_id)
  const preset = { access: 'write', operations: presetOperations('write'), rights: presetRights('write') } as const
  await insertKey(db, company_id, minted, { ...preset, name, expires_at: null, created_by })
  return minted.token
}

/** What the keys of a company begin with. */
export async function keyPrefix(db: Db, companyId: number): Promise<(typeof KEY_PREFIXES)[number]> {
  return (await isSandbox(db, companyId)) ? 'svc_api_test_' : 'svc_api_'
}

export const KEY_STATES = ['live', 'expired', 'revoked'] as const

/** `app`: granted to an app by OAuth. */
export const KEY_KINDS = ['key', 'app'] as const

export type KeySettings = Omit<ApiKey, 'id'> & {
  created_by: number
  /** For the key of an app: where the app is at home. */
  app_host?: string | null
  /** The key that this one is to replace. */
  replaces?: number
}

export async function insertKey(
  db: Db,
  companyId: number,
  { digest, last_four }: Omit<MintedCredential, 'token'>,
  { name, access, operations, rights, expires_at, created_by, replaces, app_host = null }: KeySettings,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into api_keys (company_id, name, digest, last_four, access, operations, rights, expires_at, created_by, replaces,
      kind, app_host)
    values (${companyId}, ${name}, ${digest}, ${last_four}, ${access}, ${operations}, ${rights}, ${expires_at}, ${created_by},
      ${replaces}, ${app_host === null ? 'key' : 'app'}, ${app_host})
    returning id`)
  return id
}
