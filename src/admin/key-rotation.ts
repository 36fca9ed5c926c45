import sql from 'sql-template-tag'
import Type from 'typebox'
import { unprocessable } from '../domain/errors.ts'
import { Nullable, Single } from '../http/answers/schema.ts'
import { adminEndpoint } from './gate.ts'
import { addKey, auditKey, CreatedKey, findKey, type KeyRow, readExpiry, requireMaySignAs, showKey } from './keys.ts'

const LONGEST_OVERLAP_HOURS = 168

const Rotation = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_OVERLAP_HOURS,
        description: 'How long the old key keeps working; default 24',
      }),
    ),
    expires_at: Type.Optional(
      Nullable(Type.String({ description: 'When the new key expires; by default when the old one would have' })),
    ),
  },
  { examples: [{ overlap_hours: 24 }] },
)

export const rotateKey = adminEndpoint({
  name: 'rotate_key',
  since: '1.4.0',
  operation: 'keys:write',
  who: 'key administrators',
  audited: true,
  summary: 'Rotate an API key',
  description:
    'Makes a new key with the same settings and creator, which names the old one in `replaces`. The old key stops working after the overlap, or when it expires if that is sooner. The new key is shown in this answer and never again. Only an owner or the operator can rotate a key that signs as somebody else.',
  method: 'POST',
  at: ['/companies/:company/keys/:key/rotate'],
  find: findKey,
  policy: ({ by }, key) => requireMaySignAs(by, key.created_by.id),
  body: Rotation,
  status: 201,
  returns: Single(CreatedKey),
  async run(call, old) {
    const { db, companyId, body } = call
    requireAlive(old)
    const expires_at = await readExpiry(call, body.expires_at)
    const { overlap_hours = 24 } = body
    await db.run(sql`
      update api_keys set expires_at = least(expires_at, now() + make_interval(hours => ${overlap_hours}::integer))
      where company_id = ${companyId} and id = ${old.id}`)
    auditKey(call, old, await showKey(call, sql`k.id = ${old.id}`))
    const settings = { ...old, app_host: null, expires_at: expires_at === undefined ? old.expires_at : expires_at }
    return { data: await addKey(call, { ...settings, created_by: old.created_by.id, replaces: old.id }) }
  },
})

function requireAlive({ kind, revoked_at, expires_at }: KeyRow): void {
  if (kind === 'app') throw unprocessable('key', "can't be rotated: it is an app's, which renews its tokens by itself")
  if (revoked_at !== null) throw unprocessable('key', "can't be rotated: it is revoked")
  if (expires_at !== null && Date.parse(expires_at) <= Date.now())
    throw unprocessable('key', "can't be rotated: it has expired")
}
