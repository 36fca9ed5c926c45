import type { Db } from '../db/db.ts'
import type { Mint } from '../domain/access/credentials.ts'
import type { AppClient } from '../domain/apps/clients.ts'
import { TOKEN_REFUSALS } from '../domain/apps/tokens.ts'
import type { Elsewhere } from '../domain/cells/elsewhere.ts'
import type { Throttle } from '../domain/ports/burst-throttle.ts'
import type { ClientDocuments } from '../domain/ports/client-documents.ts'
import type { SignIn } from '../http/requests/sign-in.ts'

/** What is refused, by the names under which it is counted. */
export const REFUSALS = [
  ...TOKEN_REFUSALS,
  'bad_request',
  'bad_registration',
  'registration_flood',
  'too_fast',
  'unknown_client',
  'unknown_redirect',
  'pkce_downgrade',
] as const
export type Refusal = (typeof REFUSALS)[number]

export interface OAuthParts {
  db: Db
  mint: Mint
  elsewhere: Elsewhere
  publicUrl: string | undefined
  signIn: SignIn
  slowed: Throttle
  documents: ClientDocuments
  countRefusal: (reason: Refusal) => void
}

export interface PartsWithClients extends OAuthParts {
  findClient: (id: string) => Promise<AppClient | undefined>
}
