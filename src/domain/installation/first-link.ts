import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { mintCredential } from '../access/credentials.ts'

/** The code of the link that the first start prints; later undefined. Of several nodes that start at once, one gets it. */
export async function makeFirstLink(db: Db, serverSecret: string): Promise<string | undefined> {
  const { token, digest } = mintCredential('svc_link_', serverSecret)
  const made = await db.run(sql`insert into first_link (digest) values (${digest}) on conflict do nothing`)
  return made === 1 ? token : undefined
}

/** Makes another link; the previous one no longer works, used or not. For operators who have access to the database. */
export async function replaceLink(db: Db, serverSecret: string): Promise<string> {
  const { token, digest } = mintCredential('svc_link_', serverSecret)
  await db.run(sql`
    insert into first_link (digest) values (${digest})
    on conflict (only_row) do update set digest = excluded.digest, expires_at = excluded.expires_at`)
  return token
}

/** Uses up the link that a code belongs to. Of several concurrent uses of one code, only one succeeds. */
export async function useFirstLink(tx: Db, digest: Buffer): Promise<boolean> {
  const used = await tx.run(sql`update first_link set digest = null where digest = ${digest} and expires_at > now()`)
  return used === 1
}
