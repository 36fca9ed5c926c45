import type { CredentialPrefix } from '../domain/access/credentials.ts'
import { exchangeCode, refresh, revoke, type TokenRefusal, type Tokens } from '../domain/apps/tokens.ts'
import { pathOf, type Reply, type Request, resourceOf } from '../http/requests/request.ts'
import { type Fields, formIn, required } from './fields.ts'
import { isSameResource } from './metadata.ts'
import type { PartsWithClients } from './parts.ts'
import { Refused } from './refused.ts'

/** Exchanges a code or a refresh token for tokens. */
export async function exchange(parts: PartsWithClients, request: Request, reply: Reply): Promise<Reply> {
  const fields = formIn(request)
  const grantType = required(fields, 'grant_type')
  const client_id = required(fields, 'client_id')
  const resource = readResource(fields, resourceOf(request, parts.publicUrl))
  const sent = { client_id, resource }
  let tokens: Tokens
  if (grantType === 'authorization_code') {
    const [redirect_uri, code_verifier] = [required(fields, 'redirect_uri'), required(fields, 'code_verifier')]
    tokens = await redeem(parts, request, 'svc_code_', required(fields, 'code'), digest =>
      exchangeCode(parts, digest, { ...sent, redirect_uri, code_verifier }, originOf(request)),
    )
  } else if (grantType === 'refresh_token')
    tokens = await redeem(parts, request, 'svc_refresh_', required(fields, 'refresh_token'), digest =>
      refresh(parts, digest, sent, originOf(request)),
    )
  else throw new Refused('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  return reply.header('pragma', 'no-cache').send({ token_type: 'Bearer', ...tokens })
}

/** Gives up a token (RFC 7009). Whether there was one is not said. */
export async function giveUp(parts: PartsWithClients, request: Request, reply: Reply): Promise<Reply> {
  const fields = formIn(request)
  const token = required(fields, 'token')
  const prefix = token.startsWith('svc_refresh_') ? 'svc_refresh_' : 'svc_app_'
  await parts.signIn.redeem(request, prefix, token, async digest => {
    if (await revoke(parts, digest, fields.client_id, originOf(request))) return true
    await parts.elsewhere.credential(token, digest)
    return undefined
  })
  return reply.code(200).send({})
}

type Outcome = { tokens: Tokens } | { refused: TokenRefusal }

/** Looks up a code or a token. After too many that were wrong, none is looked up for a while. */
async function redeem(
  { signIn, elsewhere }: PartsWithClients,
  request: Request,
  prefix: CredentialPrefix,
  secret: string,
  use: (digest: Buffer) => Promise<Outcome>,
): Promise<Tokens> {
  let refused: TokenRefusal = 'unknown'
  const tokens = await signIn.redeem(request, prefix, secret, async digest => {
    const outcome = await use(digest)
    if ('tokens' in outcome) return outcome.tokens
    refused = outcome.refused
    if (refused === 'unknown') await elsewhere.credential(secret, digest)
    return undefined
  })
  // Whoever sends a code that is not theirs learns no more than that it did not work.
  if (!tokens) throw new Refused('invalid_grant', 'The code or token does not work, or not for this client.', refused)
  return tokens
}

/** What the token is to be good for, if it was said; anything but our own would make it a token of somebody else. */
function readResource({ resource }: Fields, own: string): string | undefined {
  if (resource === undefined) return undefined
  if (!isSameResource(resource, own))
    throw new Refused('invalid_target', 'resource must be the address of /mcp on this server.', 'other_resource')
  return own
}

const originOf = (request: Request) => ({ path: pathOf(request), request_id: request.id })
