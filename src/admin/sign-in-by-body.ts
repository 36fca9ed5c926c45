import type { CredentialPrefix } from '../domain/access/credentials.ts'
import type { Elsewhere } from '../domain/cells/elsewhere.ts'
import { identityCookie, setIdentityCookie } from '../http/requests/identity-cookies.ts'
import type { Reply, Request } from '../http/requests/request.ts'
import { refuseOtherSites, setSessionCookie } from '../http/requests/session-cookie.ts'
import type { SignIn } from '../http/requests/sign-in.ts'
import { type Administrator, type Lookups, whoOf } from './callers.ts'
import { SIGN_IN_PATH } from './sign-in-pages.ts'

/** Admits callers who send a token or a code in the body instead of a credential. From then on the call is theirs. */
export interface SignInByBody {
  /** The operator, or the person whose token it is. */
  identify: (token: string) => Promise<{ by: Administrator; digest: Buffer } | undefined>
  /** The caller that `find` returns for a one-time code. Wrong codes are slowed down like wrong tokens. */
  redeem: <By extends Administrator>(
    prefix: CredentialPrefix,
    code: string,
    find: (digest: Buffer) => Promise<By | undefined>,
  ) => Promise<By | undefined>
  /** What `find` returns for the secret that the browser keeps since the identity provider has sent it back. */
  identity: <Found>(find: (digest: Buffer) => Promise<Found | undefined>) => Promise<Found | undefined>
  /** Makes the browser forget that secret. */
  forgetIdentity: () => void
  /** From here on the call is this caller's. */
  enter: <By extends Administrator>(by: By) => By
  /** Where a browser begins to sign in with the identity provider. */
  signInUrl: string
  /** The digest of the operator token. */
  operatorDigest: Buffer
  /** The address that the request came from. */
  address: string
  /** Gives the browser the secret of a session; null makes it forget the one it has. */
  setCookie: (secret: string | null) => void
  refuseOtherSites: () => void
}

interface SignInParts {
  signIn: SignIn
  lookups: Lookups
  elsewhere: Elsewhere
  publicUrl: string | undefined
}

export function signInByBody(
  request: Request,
  reply: Reply,
  { signIn, lookups, elsewhere, publicUrl }: SignInParts,
): SignInByBody {
  const enter = <By extends Administrator>(by: By): By => {
    request.who = whoOf(by)
    return by
  }
  const isSecure = request.protocol === 'https' || (publicUrl ?? '').startsWith('https:')
  /** The secret may belong to another cell, where the request is then sent. */
  const notHere = async (secret: string, digest: Buffer): Promise<undefined> => {
    await elsewhere.credential(secret, digest)
  }
  const redeemed = <Found>(
    prefix: CredentialPrefix,
    code: string,
    find: (digest: Buffer) => Promise<Found | undefined>,
  ) => signIn.redeem(request, prefix, code, async digest => (await find(digest)) ?? notHere(code, digest))
  return {
    enter,
    async identity(find) {
      const secret = identityCookie(request)
      return secret === undefined ? undefined : redeemed('svc_idp_', secret, find)
    },
    forgetIdentity() {
      if (identityCookie(request) !== undefined) setIdentityCookie(reply, null, isSecure)
    },
    signInUrl: (publicUrl ?? '') + SIGN_IN_PATH,
    async identify(secret) {
      const token = async (digest: Buffer) => (await lookups.token(digest)) ?? notHere(secret, digest)
      const signedIn = await signIn.identify(request, { kind: 'token', secret }, { ...lookups, token })
      if (!signedIn) return undefined
      const { found, digest } = signedIn
      return { by: enter(found === 'operator' ? found : found.by), digest }
    },
    async redeem(prefix, code, find) {
      const by = await redeemed(prefix, code, find)
      return by && enter(by)
    },
    operatorDigest: signIn.operatorDigest,
    // The address that a proxy reports may be of any length.
    address: request.ip.slice(0, 64),
    setCookie: secret => setSessionCookie(reply, secret, isSecure),
    refuseOtherSites: () => refuseOtherSites(request),
  }
}
