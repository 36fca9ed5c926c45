import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import type { CredentialPrefix, Mint, MintedCredential } from '../access/credentials.ts'
import { audit } from '../audit.ts'
import { isHere } from '../cells/where.ts'
import { wordsOf } from '../sentences/sentences.ts'
import { keepClient } from './clients.ts'

const CODE_SECONDS = 60
const ACCESS_SECONDS = 3_600
const REFRESH_SECONDS = 30 * 86_400

const PREFIXES = { code: 'svc_code_', access: 'svc_app_', refresh: 'svc_refresh_' } as const satisfies Record<
  string,
  CredentialPrefix
>
type Kind = keyof typeof PREFIXES
const SECONDS: Record<Kind, number> = { code: CODE_SECONDS, access: ACCESS_SECONDS, refresh: REFRESH_SECONDS }

/** The key that was granted, to which app, and what for. */
interface Grant {
  company_id: number
  key_id: number
  client_id: string
  resource: string
}

export interface Tokens {
  access_token: string
  expires_in: number
  refresh_token: string
}

/** Why a code or a token is refused; each is counted by its name. */
export const TOKEN_REFUSALS = [
  'unknown',
  'expired',
  'ended',
  'code_replay',
  'refresh_replay',
  'other_client',
  'other_redirect',
  'other_resource',
  'wrong_verifier',
] as const
export type TokenRefusal = (typeof TOKEN_REFUSALS)[number]

type Outcome = { tokens: Tokens } | { refused: TokenRefusal }

/** What a request says of itself, for the audit. */
interface Origin {
  path: string
  request_id: string
}

/** Adds the code that an app exchanges for its first tokens. It works once, for a minute. */
export async function addCode(
  db: Db,
  grant: Grant,
  { redirect_uri, code_challenge }: { redirect_uri: string; code_challenge: string },
  minted: MintedCredential,
): Promise<void> {
  await insert(db, 'code', grant, minted, { redirect_uri, code_challenge })
}

async function insert(
  db: Db,
  kind: Kind,
  { company_id, key_id, client_id, resource }: Grant,
  { digest }: MintedCredential,
  bound: { redirect_uri: string; code_challenge: string } | undefined = undefined,
): Promise<void> {
  await db.run(sql`
    insert into app_credentials (company_id, key_id, kind, digest, client_id, resource, redirect_uri, code_challenge, expires_at)
    values (${company_id}, ${key_id}, ${kind}, ${digest}, ${client_id}, ${resource}, ${bound?.redirect_uri ?? null},
      ${bound?.code_challenge ?? null}, now() + make_interval(secs => ${SECONDS[kind]}))`)
}

interface Row extends Grant {
  id: number
  redirect_uri: string | null
  code_challenge: string | null
  is_used: boolean
  is_expired: boolean
  is_ended: boolean
  key_name: string
  actor: string
  /** Until the key expires. */
  seconds_left: number | null
}

/** Locked until the commit, so that of two requests with the same one the second sees that it was used. */
function find(tx: Db, kind: Kind, digest: Buffer): Promise<Row | undefined> {
  return tx.maybe(sql`
    select t.company_id, t.id, t.key_id, t.client_id, t.resource, t.redirect_uri, t.code_challenge,
      t.used_at is not null as is_used, t.expires_at <= now() as is_expired,
      k.revoked_at is not null or coalesce(k.expires_at <= now(), false) as is_ended, k.name as key_name, u.name as actor,
      floor(extract(epoch from k.expires_at - now()))::float as seconds_left
    from app_credentials t join api_keys k on k.company_id = t.company_id and k.id = t.key_id
      join users u on u.company_id = k.company_id and u.id = k.created_by
      join companies c on c.id = t.company_id and ${isHere}
    where t.digest = ${digest} and t.kind = ${kind} for update of t`)
}

interface Sent {
  client_id: string
  /** Undefined where it was not sent: then it is what was granted. */
  resource: string | undefined
}

export interface TokenParts {
  db: Db
  mint: Mint
}

/** Exchanges a code for tokens, if it is used by the one it was made for. A code that comes again ends the grant. */
export function exchangeCode(
  { db, mint }: TokenParts,
  digest: Buffer,
  sent: Sent & { redirect_uri: string; code_verifier: string },
  origin: Origin,
): Promise<Outcome> {
  return db.transaction(async tx => {
    const row = await find(tx, 'code', digest)
    if (!row) return { refused: 'unknown' }
    if (row.is_used) return endAfterReplay(tx, row, 'code_replay', origin)
    const refused = refusalOf(row, sent)
    if (refused) return { refused }
    if (row.redirect_uri !== sent.redirect_uri) return { refused: 'other_redirect' }
    if (hash('sha256', sent.code_verifier, 'base64url') !== row.code_challenge) return { refused: 'wrong_verifier' }
    return renew(tx, row, mint)
  })
}

/** Exchanges a refresh token for the next ones. One that comes again ends the grant: it is in two hands. */
export function refresh({ db, mint }: TokenParts, digest: Buffer, sent: Sent, origin: Origin): Promise<Outcome> {
  return db.transaction(async tx => {
    const row = await find(tx, 'refresh', digest)
    if (!row) return { refused: 'unknown' }
    if (row.is_used) return endAfterReplay(tx, row, 'refresh_replay', origin)
    const refused = refusalOf(row, sent)
    return refused ? { refused } : renew(tx, row, mint)
  })
}

function refusalOf(row: Row, { client_id, resource }: Sent): TokenRefusal | undefined {
  if (row.is_expired) return 'expired'
  if (row.is_ended) return 'ended'
  if (row.client_id !== client_id) return 'other_client'
  return resource === undefined || resource === row.resource ? undefined : 'other_resource'
}

/** Uses up what was sent. Access tokens from before work until their hour is over: calls may be under way with them. */
async function renew(tx: Db, row: Row, mint: Mint): Promise<Outcome> {
  const { company_id, id, key_id, client_id, seconds_left } = row
  await tx.run(sql`update app_credentials set used_at = now() where company_id = ${company_id} and id = ${id}`)
  const [access, next] = [mint(PREFIXES.access, company_id), mint(PREFIXES.refresh, company_id)]
  await tx.run(sql`
    delete from app_credentials where company_id = ${company_id} and key_id = ${key_id} and kind = 'access'
      and expires_at <= now()`)
  await insert(tx, 'access', row, access)
  await insert(tx, 'refresh', row, next)
  await keepClient(tx, client_id)
  const expires_in = Math.min(ACCESS_SECONDS, seconds_left ?? ACCESS_SECONDS)
  return { tokens: { access_token: access.token, expires_in, refresh_token: next.token } }
}

async function endAfterReplay(
  tx: Db,
  row: Row,
  refused: 'code_replay' | 'refresh_replay',
  origin: Origin,
): Promise<Outcome> {
  await endGrant(tx, row, 'A code or refresh token of the app was used twice: its access has ended.', origin)
  return { refused }
}

/** Gives up a token: with its refresh token an app gives up all it was granted, with an access token that token alone. */
export async function revoke(
  { db }: TokenParts,
  digest: Buffer,
  clientId: string | undefined,
  origin: Origin,
): Promise<boolean> {
  return db.transaction(async tx => {
    for (const kind of ['refresh', 'access'] as const) {
      const row = await find(tx, kind, digest)
      if (!row || (clientId !== undefined && row.client_id !== clientId)) continue
      if (kind === 'refresh') await endGrant(tx, row, 'The app gave up its access.', origin)
      else await tx.run(sql`delete from app_credentials where company_id = ${row.company_id} and id = ${row.id}`)
      return true
    }
    return false
  })
}

/** Revokes the key, and with it every token. */
async function endGrant(
  tx: Db,
  { company_id, key_id, key_name, actor }: Row,
  reason: 'A code or refresh token of the app was used twice: its access has ended.' | 'The app gave up its access.',
  { path, request_id }: Origin,
): Promise<void> {
  const ended = await tx.run(sql`
    update api_keys set revoked_at = now() where company_id = ${company_id} and id = ${key_id} and revoked_at is null`)
  if (ended === 0) return
  await audit(tx, {
    company_id,
    outcome: 'allowed',
    operation: 'keys:destructive',
    method: 'POST',
    path,
    status: 200,
    reason: wordsOf(reason).en,
    by: { kind: 'key', id: key_id, name: key_name },
    actor,
    target: { type: 'key', id: key_id, name: key_name },
    changes: { revoked_at: null },
    request_id,
  })
}
