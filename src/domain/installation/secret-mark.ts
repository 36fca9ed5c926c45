import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** Recognises a server secret, which cannot be derived from it. */
interface SecretMark {
  salt: string
  fingerprint: string
}

/** Slow to compute, so that a short secret cannot be found by guessing. */
function fingerprint(secret: string, salt: string): Buffer {
  return scryptSync(secret, salt, 32)
}

export function markOf(secret: string): SecretMark {
  const salt = randomBytes(16).toString('hex')
  return { salt, fingerprint: fingerprint(secret, salt).toString('hex') }
}

export function isFingerprintOf(secret: string, { salt, fingerprint: written }: SecretMark): boolean {
  const [own, other] = [fingerprint(secret, salt), Buffer.from(written, 'hex')]
  return own.length === other.length && timingSafeEqual(own, other)
}

export const WHAT_TO_DO_ABOUT_ANOTHER_SECRET =
  'Set the earlier one, or put its file back into DATA_DIR. If it is lost or was found out, diwan accept-secret begins with the new one, and every key and token has to be made again.'

/** The first secret that a database is used with is the only one: with another, no key or token would work. */
export async function requireSameSecret(db: Db, secret: string): Promise<void> {
  if (await refuseAnotherSecret(db, secret)) return
  const { salt, fingerprint } = markOf(secret)
  await db.run(sql`
    insert into server_secret_mark (salt, fingerprint) values (${salt}, ${fingerprint}) on conflict do nothing`)
  // Of several nodes that start at once, one was first.
  await refuseAnotherSecret(db, secret)
}

/** Compares without storing anything. False if there is nothing to compare with. */
export async function refuseAnotherSecret(db: Db, secret: string): Promise<boolean> {
  const mark = await db.maybe<SecretMark>(sql`select salt, fingerprint from server_secret_mark`)
  if (mark && !isFingerprintOf(secret, mark))
    throw new Error(`SERVER_SECRET is not the one that this database is used with. ${WHAT_TO_DO_ABOUT_ANOTHER_SECRET}`)
  return mark !== undefined
}

export async function replaceSecretMark(tx: Db, secret: string): Promise<void> {
  const { salt, fingerprint } = markOf(secret)
  await tx.run(sql`
    insert into server_secret_mark (salt, fingerprint) values (${salt}, ${fingerprint})
    on conflict (only_row) do update set salt = excluded.salt, fingerprint = excluded.fingerprint`)
}
